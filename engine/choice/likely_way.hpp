// The way in which long data begin to go before anything is known of a machine: what errs least. Programs may
// end, or go on to other sizes, before a trial of blocks that take a millisecond is over.
#pragma once

#include <cstddef>

#include "engine/choice/decision.hpp"
#include "engine/choice/first_look.hpp"

namespace foldlane::engine {

inline constexpr std::size_t kLikelyPulledBytes = 512 << 10;

/// Of exchanges of which no look tells where the cores are. The first arm is boxes, and the second one
/// pulling. Boxes / pulling, us, of what lies in a cache: far, 4 MiB 1,380 and 1,000; near, 1 MiB 83 and 103
/// or 184 and 170. Of what comes from memory boxes take a tenth to a third less (perf/NOTES.md, "What begins
/// as is likely").
constexpr Arm likely_way_of_exchange(std::size_t bytes, bool is_again) noexcept {
  return is_again && bytes >= kLikelyPulledBytes ? Arm::second : Arm::first;
}

/// Of messages one way. Boxes as timed and pulling, us, far, windows of 64 of what lies in a cache: 32
/// KiB 4.9 and 3.4, 128 KiB 17 and 12, 512 KiB 70 and 41; near (Zen 4) 32 KiB 1.3 and 4, 512 KiB 24 and 38, 2
/// MiB 99 and 139. Where ranks share CPUs, eight on two, there is one copy instead of two: far, windows of 16
/// KiB 10.5 and 8, of 64 KiB 29 and 24, a ring of 64 KiB 50 and 33; near, windows of 16 KiB 4 to 6 and 12, of
/// 128 KiB 23 and 43, of 512 KiB 138 and 117, of 1 MiB 306 and 193, a ring of 16 KiB 12 to 19 and 28, of 64
/// KiB 23 and 41, of 256 KiB 89 and 119. Of two ranks on one CPU the look says near on every machine, so
/// those begin in boxes on all, which was not measured where cores are far.
inline Arm likely_way_one_way(std::size_t bytes, bool is_again, const FirstLook& look,
                              bool shares_cpus) noexcept {
  const bool is_pulled_there = shares_cpus && bytes >= kLikelyPulledBytes;
  return is_again && (look.is_far() || is_pulled_there) ? Arm::second : Arm::first;
}

/// Of messages both ways at once. Boxes / pulling, us: far, 12 KiB to 128 KiB 4 to 20 and 2 to 8, 512 KiB 120
/// and 28 to 40, from memory 512 KiB to 4 MiB 122 to 1,008 and 113 to 891; near, 16 to 64 KiB 1.7 to 5
/// and 4.5 to 14, 512 KiB 56 and 100, 2 MiB 218 and 390, 4 MiB from memory 890 and 1,100; eight ranks on
/// two CPUs 64 KiB 32 and 45, windows of 512 KiB 238 and 354, but by turns 121 and 102. What begins pulled
/// errs by no more than Open MPI does, which pulls there.
inline Arm likely_way_of_both(std::size_t bytes, bool is_again, const FirstLook& look,
                              bool shares_cpus) noexcept {
  if (look.is_far() && bytes >= kLikelyPulledBytes) return Arm::second;
  return likely_way_one_way(bytes, is_again, look, shares_cpus);
}

}  // namespace foldlane::engine
