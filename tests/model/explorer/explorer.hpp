// A stateless explorer: runs a program of several threads again and again until every choice has been made in
// every way.
//
// Three searches, from the cheapest to the most general:
//
// interleavings  Every store, read-modify-write, barrier, nap and wake-up is a choice of the next thread. A
// load
//   is not: what it reads now it could have read as soon as that message was there, with no difference to
//   others. So, at once, it takes one of the messages there are, or it declines them all and waits for new
//   ones; a branch in which none comes is cut. A state seen before is not explored again; a thread's own
//   state is the sequence of values it has read since its last checkpoint. Nothing else is assumed of the
//   program.
//
// reads_from     For programs of stores to single-writer words and of waits for `word >= v`. Executing such a
//   store earlier only adds to what others may read, since they may still read older messages; so stores
//   happen at once, and the only choice left is which message each wait reads, or that it takes one that does
//   not exist yet. Every assignment of messages to waits is tried exactly once.
//
// earliest       One message per wait, the first that satisfies it. Enough for such programs because
//   (1) words only grow and control flow does not depend on which message a wait reads, so each thread
//   performs the same operations in every execution, and whether a wait can end does not depend on timing;
//   (2) a later message of a writer carries all the knowledge of its earlier ones, so reading the earliest
//   establishes the fewest happens-before edges: a race in any execution is a race in this one;
//   (3) without a race, what each read of data returns is determined by happens-before alone.
//   handoff_model_test.cpp checks the argument by running small models under both searches. Where a rank
//   dies, the waits still choose between their word and the abort word, in every combination.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "memory.hpp"

namespace foldlane::model {

enum class Search : std::uint8_t { interleavings, reads_from, earliest };

/// Messages by their value.
enum class Values : std::uint8_t { all, zero, others };

/// What is broken on purpose. Masks of Kind where a kind of word is concerned.
struct Mutation {
  std::uint32_t relaxed_publish = 0;
  std::uint32_t relaxed_observe = 0;
  Values relaxed = Values::all;  // what the two above concern
  std::uint32_t satisfied = 0;   // waits for these words return at once
  std::uint32_t zero = 0;        // loads and waits see nothing but the initial value
  std::uint32_t late = 0;        // read-modify-writes of these words come after the thread's next ones
  bool no_light_barrier = false;
  bool no_heavy_barrier = false;
  bool no_wake = false;            // wake_all does nothing
  bool bell_stands_still = false;  // adding to a bell does nothing
  bool seen_too_late = false;      // sleep_while compares the bell with its value of now, not with `seen`
};

struct Settings {
  Search search = Search::earliest;
  Mutation mutation{};
  int dying_thread = -1;  // stops for good before its operation number dying_step (from 0)
  std::uint64_t dying_step = 0;
  std::uint64_t most_executions = 5'000'000;  // a model that needs more is a failure of the model
};

struct Verdict {
  std::string problem;           // empty: no execution went wrong. Otherwise what happened, and its trace
  std::uint64_t executions = 0;  // complete ones
  std::uint64_t cut = 0;         // led to a state known before, or to a choice not taken
  std::uint64_t choices = 0;     // states of `interleavings`, choice points of the others
  bool died = false;             // the dying thread reached its last step in some execution
  double milliseconds = 0;

  bool passed() const { return problem.empty(); }
};

/// One execution's worth of the program: its memory, and what its threads do.
class Program {
 public:
  virtual ~Program() = default;
  virtual std::size_t threads() const = 0;
  /// On a fiber. Calls Execution::fail when something is wrong.
  virtual void run(int thread) = 0;
  virtual Kind kind_of(const void* word) const = 0;
  virtual std::string name_of(const void* address) const = 0;
  virtual std::string thread_name(int thread) const { return "rank " + std::to_string(thread); }
  /// Threads of one role do the same; states that differ by their order only are one state.
  virtual std::uint64_t role(int thread) const { return static_cast<std::uint64_t>(thread); }
  /// What the thread still knows after a nap, besides where it is; anything but what it has read decides.
  virtual std::uint64_t kept_over_nap(int) const { return 0; }
  /// Places to be watched, registered with Memory::add_place.
  virtual void add_places(Memory&) const {}
  /// The word that is set to 1 once the dying thread is dead; null if that is a thread's own business.
  virtual const void* abort_word() const { return nullptr; }
};

Verdict explore(const std::function<std::unique_ptr<Program>()>& make, const Settings& settings);

}  // namespace foldlane::model
