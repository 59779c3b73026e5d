// The clock of the stamps: the CPUs' counter where it ticks alike on all of them, else the system's.
#pragma once

#include <cstdint>

namespace foldlane::bench {

class Ticks {
 public:
  /// Takes a twentieth of a second to compare the counter with the system's clock.
  explicit Ticks(bool counter);

  /// "counter" or "system", as the probe takes it.
  const char* name() const { return counter_ ? "counter" : "system"; }

  std::uint64_t now() const;
  double microseconds(std::uint64_t ticks) const { return static_cast<double>(ticks) / per_microsecond_; }
  std::uint64_t ticks(double microseconds) const {
    return static_cast<std::uint64_t>(microseconds * per_microsecond_);
  }

  /// What reading the clock adds to a stamped call, in microseconds.
  double cost() const { return cost_; }

 private:
  bool counter_;
  double per_microsecond_ = 1000;
  double cost_ = 0;
};

}  // namespace foldlane::bench
