// One execution of a program under the explorer: who runs next, what each operation reads, and the trace.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "choices.hpp"
#include "explorer.hpp"
#include "fiber.hpp"
#include "memory.hpp"

namespace foldlane::model {

class Execution {
 public:
  Execution(Program& program, const Settings& settings, Choices& choices,
            std::vector<std::unique_ptr<Fiber>>& fibers, Fiber& home);
  ~Execution();
  Execution(const Execution&) = delete;
  Execution& operator=(const Execution&) = delete;

  /// The one whose operations the atoms policy performs now.
  static Execution& current() { return *current_; }

  void run();
  bool cut() const { return cut_; }
  bool died() const { return dead_; }
  const std::string& problem() const { return problem_; }

  // ---- operations of the running thread
  int word(const void* address);
  void store(int word, std::uint64_t value);
  std::uint64_t load(int word, bool acquire);
  /// Blocks until the word has reached the value (true) or the abort word is set (false).
  bool await(int word, std::uint64_t value, int abort_word);
  /// A wait for what several words tell. Its loads choose among all messages, also those to come, so one
  /// look is enough: one in vain blocks for good, and its branch is cut once there is something newer to see.
  template <class Arrived>
  bool await_look(const Arrived& arrived) {
    self().looks.clear();
    self().looking = true;
    const bool found = arrived();
    self().looking = false;
    if (!found) block_for_good();
    return found;
  }
  /// After a look at a word that has not got far enough: blocks until it has grown, or the abort word is set.
  void await_news();
  /// Read-modify-write in two halves: begin returns the latest value, replace stores.
  std::uint64_t begin_rmw(int word);
  /// What still runs is to end: nothing it does counts.
  bool is_draining() const { return draining_; }
  /// As a read-modify-write does that changes nothing.
  void learn_latest(int word);
  void replace(int word, std::uint64_t value);
  void light_barrier();
  void heavy_barrier();
  void sleep_while(int word, std::uint64_t seen);
  void wake_all(int word);
  void access(const void* start, std::size_t bytes, bool write);
  /// The running thread's future depends on where it is in its code alone, no longer on what it has read.
  void checkpoint(std::uint64_t place_in_code);
  /// Ends the execution as failed.
  void fail(const std::string& what);
  /// The execution is over; threads only run to their ends, so that nothing they own is leaked.
  bool draining() const { return draining_; }

 private:
  enum class Op : std::uint8_t { start, local, load, await, asleep, in_vain, done, dead };
  struct Look {
    int word;
    std::size_t message;
  };
  struct Thread {
    Op op = Op::start;  // what it is about to do, or is blocked in
    int word = -1;
    std::uint64_t value = 0;
    std::size_t declined = 0;  // await: messages before this one are not taken
    bool declined_abort = false;
    bool asleep = false;
    std::size_t option = 0;  // the message to read, or kAborted
    std::uint64_t steps = 0;
    int read_word = -1;  // last, but for the abort word
    std::uint64_t read_value = 0;
    bool looking = false;
    std::vector<Look> looks;  // the loads of the last await_look
    std::uint64_t checkpoint = 0;
    std::uint64_t history = 0;  // of what it read since then
  };
  static constexpr std::size_t kAborted = ~std::size_t{0};
  struct Late {
    int thread;
    int word;
    std::uint64_t change;
  };
  struct Event {
    int thread;
    const char* what;
    const void* address;
    std::uint64_t value;
    std::uint64_t extra;
  };

  static void thread_main();
  Thread& self() { return threads_[static_cast<std::size_t>(running_)]; }
  Thread& thread(int number) { return threads_[static_cast<std::size_t>(number)]; }
  Fiber& fiber(int number) { return number < 0 ? home_ : *fibers_[static_cast<std::size_t>(number)]; }
  bool interleaves() const { return settings_.search == Search::interleavings; }

  void schedule(Op op, int word, std::uint64_t value);
  void give_way();
  void switch_to(int next);
  void drain();
  int pick();
  int pick_interleaving();
  int pick_wait();
  int next_in_order(int position) const;
  int pick_racer();
  int pick_wait_or_load();
  bool over(int number) const;
  std::vector<std::size_t> messages_for(const Thread& thread, int number) const;
  bool may_postpone(const Thread& thread, int number) const;
  void block_for_good();
  bool has_overlooked(const Thread& thread) const;
  int conclude();
  std::string who_waits();
  std::uint64_t digest() const;
  void step();
  void catch_up();
  void die();
  void note(const char* what, int word, std::uint64_t value, std::uint64_t extra = 0);
  void remember(std::uint64_t value);
  std::string describe_trace() const;
  bool mutated(std::uint32_t kinds, int word) const { return (kinds & mask(memory_.kind(word))) != 0; }
  bool relaxed(std::uint32_t kinds, int word, std::uint64_t value) const;

  static Execution* current_;
  Program& program_;
  const Settings& settings_;
  Choices& choices_;
  std::vector<std::unique_ptr<Fiber>>& fibers_;
  Fiber& home_;
  Memory memory_;
  std::vector<Thread> threads_;
  std::vector<Event> trace_;
  std::vector<Late> late_;
  std::string problem_;
  int running_ = -1;
  int abort_word_ = -1;
  bool cut_ = false;
  bool dead_ = false;
  bool draining_ = false;
};

}  // namespace foldlane::model
