// Where ranks share CPUs: polls for the last peer, which may be running on another CPU. A yield instead costs
// a turn of each other rank of this CPU; but if it is one of those that is awaited, the polls are in vain.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

#include "shm/sync/atoms.hpp"
#include "shm/sync/pause.hpp"
#include "shm/sync/ticks.hpp"

namespace foldlane::shm {

/// What a rank knows of its own polls. Any thread may ask and tell.
class NearPolls {
 public:
  /// True once `arrived` is, within so long.
  template <class Arrived>
  bool poll(const Arrived& arrived, const Ticks& ticks, std::chrono::nanoseconds longest) noexcept {
    if (!pay()) return false;
    const std::uint64_t begin = ticks.now();
    for (std::uint32_t looks = 0; looks < kMostLooks; ++looks) {
      if (arrived()) return note(kScoreOfFound, true);
      if (ticks.lasting(begin, ticks.now()) >= longest) break;
      pause();
    }
    return note(-1, false);
  }

 private:
  // What is found saves two switches and more, what is polled for in vain costs one: they pay where one of
  // three finds it.
  static constexpr std::int32_t kScoreOfFound = 2;
  static constexpr std::int32_t kMostScore = 8;
  /// Ends polls also where a machine's move has set its counter back.
  static constexpr std::uint32_t kMostLooks = 10'000;
  static constexpr std::uint32_t kWaitsPerTry = 32;  // where they do not: 60 ns per wait

  bool pay() noexcept {
    if (score_.peek() >= 0) return true;
    passed_.publish(passed_.peek() + 1);
    return passed_.peek() % kWaitsPerTry == 0;
  }
  bool note(std::int32_t score, bool found) noexcept {
    score_.publish(std::clamp(score_.peek() + score, -kMostScore, kMostScore));
    return found;
  }

  RealAtoms::Word<std::int32_t> score_{};
  RealAtoms::Word<std::uint32_t> passed_{};
};

}  // namespace foldlane::shm
