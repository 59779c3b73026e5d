// Members compare when they were in a call. Each keeps when it was in its newest calls, and once in a while
// reads that of all others, about calls that lie some way back: then all have left them, and nobody has
// written over them yet, so that nobody ever waits. What is overwritten or missing all the same is left out,
// and `compared` of the totals says how many calls remain.
//
//   owner of call k:  left(k) = 0, entered(k), then calls = k + 1     [C1.rel]
//                     waits_from(k), then left(k)                     [C2.rel]
//   reader:           calls > k [C1.acq], left(k) != 0 [C2.acq], the rest, then calls <= k + kArrivals - 1
// WITHOUT the last look at `calls`: times of call k and of call k + kArrivals are mixed.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/statistics/lateness.hpp"
#include "engine/statistics/records.hpp"

namespace foldlane::engine {

/// So many calls back all members have left a call as a rule, even if the root of many short broadcasts has
/// run ahead of the others, and this often one compares.
inline constexpr std::uint64_t kCompareEvery = kArrivals / 4;

/// What an owner says of a call.
std::uint64_t packed(CallKind kind, const Needs& needs) noexcept;

/// Of one member, with all others.
class Comparison {
 public:
  /// `own` is one of `members`, which are in the order of the team.
  Comparison(CommunicatorRecord& own, std::vector<const CommunicatorRecord*> members);

  /// Adds what became of the calls before `end` to the totals of `own`.
  void advance(std::uint64_t end);

 private:
  bool read(std::uint64_t call);

  CommunicatorRecord& own_;
  std::vector<const CommunicatorRecord*> members_;
  std::vector<Stay> stays_;  // in the call that is compared, by member
};

}  // namespace foldlane::engine
