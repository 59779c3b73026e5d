// Walks over the states of a program: all of them, one at random, and the one that an outcome describes.
#pragma once

#include <set>

#include "matching/machine.hpp"
#include "matching/random.hpp"

namespace foldlane::matching {

/// Everything that a program may lead to, unless that takes more than `most_states`.
struct Exploration {
  bool complete = true;
  bool may_deadlock = false;
  bool may_leave_messages = false;
  std::set<Outcome> outcomes;

  /// Always ends, and with all messages received.
  bool is_safe() const { return complete && !may_deadlock && !may_leave_messages; }
};
Exploration explore(const Program& program, int most_states);

/// One outcome of a program under these rules; empty if it ended in a deadlock. Sends are buffered as it
/// comes.
Outcome simulate(const Program& program, Random& random, Rules rules = {});

/// Empty if the outcome is legal, else which calls could not end as they are said to have ended.
std::string replay(const Program& program, const Outcome& outcome);

}  // namespace foldlane::matching
