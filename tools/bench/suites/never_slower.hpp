// What `--suite never-slower` is about: whether any peer was faster than Foldlane anywhere.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "bench/report/report.hpp"

namespace foldlane::bench {

/// A case against the peer that did best in it.
struct Contest {
  std::string name;  // of the case
  std::string peer;
  std::string options;    // of the peer
  Estimate ratio;         // the peer's time / ours
  bool is_rough = false;  // of few rounds: nobody knows

  bool operator==(const Contest&) const = default;
};

struct CallMean {
  std::string call;
  Estimate ratio;  // geometric mean over the call's cases

  bool operator==(const CallMean&) const = default;
};

/// Cases are slower if the whole interval of their ratio lies below 1. Of intervals that are wider than 3 %
/// to either side, those with 1 in them are undecided, and those above 1 are wide: faster, but nobody knows
/// by how much. What has too few rounds (Figure::against_is_rough) counts as wider, and is never slower.
struct Tally {
  std::size_t compared = 0;
  std::vector<Contest> slower;     // the worst first
  std::vector<Contest> undecided;  // likewise
  std::vector<Contest> wide;       // likewise
  std::vector<CallMean> means;     // in the order in which the calls first occur
};

struct NeverSlower {
  std::size_t cases = 0;
  Tally all;
  Tally near;  // by the rounds in which the cores were near each other (by_distance.hpp) …
  Tally far;   // … and by the others, in the cases that have enough of them
};

NeverSlower never_slower(const Report& report);

/// Nothing is slower by all its rounds, and something was compared.
bool is_passed(const NeverSlower& found);

}  // namespace foldlane::bench
