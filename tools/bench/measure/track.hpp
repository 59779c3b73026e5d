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
  /// A round: of a case that was selected and prepared.
  void take_turn(Contestant& contestant, const Case& what);

  bool lacks_call() const { return lacks_call_; }
  /// Medians, in microseconds.
  const std::vector<double>& rounds() const { return rounds_; }
  /// Without whose it is and how it compares.
  Figure figure(Timing timing) const;

 private:
  Slice slice(Contestant& contestant, const Case& what);

  std::vector<double> rounds_;
  std::vector<double> samples_;
  std::vector<double> skews_;
  std::vector<double> cpu_;
  std::vector<double> alone_, computing_, hidden_;  // of calls that overlap
  Check check_;
  int calls_ = 0;  // of a slice
  bool lacks_call_ = false;
};

}  // namespace foldlane::bench
