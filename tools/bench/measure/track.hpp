// What one implementation has shown in one case, round by round.
#pragma once

#include <vector>

#include "bench/measure/campaign.hpp"
#include "bench/measure/contestant.hpp"
#include "bench/report/report.hpp"

namespace foldlane::bench {

class Track {
 public:
  /// Verifies, and finds out how many calls a slice has; or that there is no such call, and then there are no
  /// rounds.
  void prepare(Contestant& contestant, const Case& what, const Effort& effort);
  /// A round: of a case that was selected and prepared. The first one of each launch begins with calls that
  /// count for nothing.
  void take_turn(Contestant& contestant, const Case& what, int launch);

  bool lacks_call() const { return lacks_call_; }
  /// Medians, in microseconds.
  const std::vector<double>& rounds() const { return rounds_; }
  /// Without whose it is and how it compares.
  Figure figure(Timing timing) const;

 private:
  void warm_up(Contestant& contestant, const Case& what) const;
  Slice slice(Contestant& contestant, const Case& what);

  std::vector<double> rounds_;
  std::vector<double> samples_;
  std::vector<double> skews_;
  std::vector<double> cpu_;
  std::vector<double> alone_, computing_, hidden_;  // of calls that overlap
  Check check_;
  int calls_ = 0;        // of a slice
  double call_us_ = 0;   // what one takes, about
  int warm_launch_ = 0;  // the first one is 1
  bool lacks_call_ = false;
};

}  // namespace foldlane::bench
