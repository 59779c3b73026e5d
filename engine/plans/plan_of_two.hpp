// Plans of teams of two.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/choice/pass_choices.hpp"
#include "engine/plans/plan.hpp"

namespace foldlane::engine {

/// Scans of two in between go through slots, as others do: the second member's input comes into its cache as
/// it fills its own slot. Boxes and slots, us: 2 KiB hot 0.75 and 0.99, rotating 1.4 and 1.4;
/// 8 KiB hot 2.6 and 2.4, rotating 4.1 and 3.5.
inline constexpr std::uint64_t kMostScanInABox = 2 << 10;
inline constexpr std::uint64_t kLeastLongScanOfTwo = row_of(Decision::pass_way).from_bytes;
inline constexpr bool is_scan_for_two(std::uint64_t bytes) {
  return bytes <= kMostScanInABox || bytes >= kLeastLongScanOfTwo;
}
/// Of all calls but barriers, of more bytes than fit a line and of elements that fit a slot.
Plan plan_of_two(Call call, std::uint64_t bytes, const TeamShape& team, std::size_t elem_bytes);

/// Longer broadcasts and exscans go by message. Near, shorter ones pass the slots in half of the time that
/// pulling takes (64 KiB 2.8 and 4.8 us, 128 KiB 4.9 and 8.6), which the decision "message-way" does not
/// always find out.
inline constexpr std::uint64_t kMostNotByMessage = 128 << 10;

/// Of calls that only move data. Longer blocks have more ways to go: in a long exchange or, one way, by
/// messages.
inline constexpr std::uint64_t kMostInBoxes = 32 << 10;
/// Of blocks of `bytes` that go through boxes. Of lists only their two members know how long the blocks are:
/// 0.
Plan move_of_two(Call call, std::uint64_t bytes, const TeamShape& team);
/// Of longer blocks, which both give and take.
Plan exchange_of_two(std::uint64_t bytes, const TeamShape& team);
/// Of longer blocks, which only one gives.
Plan pass_of_two(const TeamShape& team);

}  // namespace foldlane::engine
