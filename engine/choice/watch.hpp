// Notices that a use takes another time than such uses did before: the host has moved the cores, or the
// program does something else.
#pragma once

#include <algorithm>

namespace foldlane::engine {

class Watch {
 public:
  /// `strange`: times as long, or as short, as usual.
  explicit Watch(double strange) noexcept : strange_(strange) {}

  /// What a use usually takes from now on, in any unit. 0: nothing is watched.
  void expect(double usual) noexcept {
    usual_ = usual;
    watched_ = in_a_row_ = 0;
  }
  bool is_on() const noexcept { return usual_ > 0; }
  /// What the next use took. True if several in a row were strange, and the last alarm is some uses ago: the
  /// more false ones there were, the more.
  bool note(double took) noexcept {
    const auto [low, high] = std::minmax(took, usual_);
    in_a_row_ = high > strange_ * low ? in_a_row_ + 1 : 0;
    if (++watched_ < between_ || in_a_row_ < kInARow) return false;
    watched_ = in_a_row_ = 0;
    between_ = std::min(2 * between_, kMostBetween);
    return true;
  }
  /// The last alarm was right.
  void trust() noexcept { between_ = kLeastBetween; }

 private:
  static constexpr int kInARow = 4;  // fewer are disturbances
  static constexpr int kLeastBetween = 32;
  static constexpr int kMostBetween = 1024;

  double strange_;
  double usual_ = 0;
  int watched_ = 0;
  int in_a_row_ = 0;  // strange ones
  int between_ = kLeastBetween;
};

}  // namespace foldlane::engine
