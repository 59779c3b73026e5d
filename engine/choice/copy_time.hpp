// What a copy costs the core that does it.
#pragma once

#include <chrono>

namespace foldlane::engine {

/// Nanoseconds of copy(). Stores that still wait for their lines belong to it: a core takes some hundred of
/// them without waiting, so that short copies to lines of another core would look cheap.
template <class Atoms, class Clock = std::chrono::steady_clock, class Copy>
double copy_time(const Copy& copy) {
  const auto start = Clock::now();
  copy();
  Atoms::drain_stores();
  const std::chrono::duration<double, std::nano> took = Clock::now() - start;
  return took.count();
}

}  // namespace foldlane::engine
