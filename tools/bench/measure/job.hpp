// The measurement program under one implementation: its ranks, started once, asleep but for the slices that
// they measure.
#pragma once

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/machine/ticks.hpp"
#include "bench/measure/contestant.hpp"
#include "bench/measure/implementation.hpp"
#include "bench/measure/window.hpp"
#include "bench/process/child.hpp"
#include "shm/base/unique_fd.hpp"

namespace foldlane::bench {

/// The job cannot go on; says whose, why, and what the program wrote last.
class JobFailure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// How the ranks of every implementation run.
struct Setting {
  int ranks;
  std::vector<int> cpus;  // thread t of rank r runs on the one at place t x ranks + r modulo their number;
                          // empty: unbound
  bool oversubscribed;
  bool thread_multiple = false;  // as MPI is initialised
};

class Job final : public Contestant {
 public:
  /// Returns when all ranks are ready. Throws JobFailure.
  Job(const Implementation& implementation, const Setting& setting, const Ticks& ticks);
  /// Lets the ranks finalize, so that their launcher waits for them and their CPU time is known.
  ~Job() override;

  const std::string& name() const { return name_; }
  int ranks() const { return setting_.ranks; }

  void make_arenas(std::size_t bytes, Arenas kind) override;
  void select(const Case& what, const Places& places) override;
  bool has_call() override;
  void load(const Load& load) override;
  Slice run(int warm_up, int calls, Timing timing) override;
  Check verify(const Case& what) override;

  /// For verification: one call, and bytes of the first place on their way to and from the ranks. `data` is
  /// what the call takes as input, or its result, `send` and `recv` are the buffers, `sources` the ranks, as
  /// int, whose messages the last run with wildcards received; `fill` and `use` get the rank and the bytes in
  /// transit.
  enum class Buffer : std::uint8_t { data, send, recv, sources };
  void call_once();
  template <class Fill>
  void put(Buffer buffer, std::size_t offset, std::size_t bytes, const Fill& fill) {
    for (int rank = 0; rank < ranks(); ++rank) fill(rank, window_.data(rank));
    move("put", buffer, offset, bytes);
  }
  template <class Use>
  void get(Buffer buffer, std::size_t offset, std::size_t bytes, const Use& use) {
    move("get", buffer, offset, bytes);
    for (int rank = 0; rank < ranks(); ++rank) use(rank, window_.data(rank));
  }

 private:
  void take_connections(int listener);
  void greet(shm::UniqueFd socket);
  Slice stamped_slice(int calls, Timing timing) const;
  Slice mean_slice(int calls) const;
  void move(const char* command, Buffer buffer, std::size_t offset, std::size_t bytes);
  /// What every rank answers.
  std::vector<std::string> ask(const std::string& line);
  /// All ranks obey; returns the nanoseconds of CPU time that took, all ranks together.
  double tell(const std::string& line);
  std::string read_line(int socket);
  [[noreturn]] void fail(const std::string& why);

  std::string name_;
  Setting setting_;
  const Ticks& ticks_;
  Window window_;
  int steps_ = 1;  // of a call
  int calls_at_once_ = 1;
  std::string doing_ = "starting";
  std::unique_ptr<Child> launcher_;
  std::vector<shm::UniqueFd> ranks_;
};

}  // namespace foldlane::bench
