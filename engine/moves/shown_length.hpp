// What a line tells of blocks of one size, beside them or of a slot.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/team/team.hpp"

namespace foldlane::engine {

/// The number beside a line. Who takes a block from a slot need not look at the line of the slot, too.
class ShownLength {
 public:
  /// A bit that no length sets.
  static constexpr std::uint64_t kUnused = std::uint64_t{1} << 62;

  /// Of blocks in the line, or that messages bring.
  explicit ShownLength(std::uint64_t block_bytes) noexcept : number_(block_bytes) {}
  /// Less than 16 MiB. `where`: of the slot, as note_filled() returns it.
  static ShownLength in_slot(std::uint64_t block_bytes, std::uint32_t where) noexcept {
    return ShownLength(kInSlot | std::uint64_t{where} << kWhereAt | block_bytes);
  }
  /// A member's. Needs its line awaited.
  template <class Team>
  static ShownLength of(Team& team, int giver, std::uint64_t epoch) noexcept {
    return ShownLength(team.inline_lines().number(giver, epoch));
  }

  std::uint64_t number() const noexcept { return number_; }
  std::uint64_t block_bytes() const noexcept { return is_in_slot() ? number_ & kMostBytes : number_; }
  bool is_in_slot() const noexcept { return (number_ & kInSlot) != 0; }
  template <class Team>
  const std::byte* slot(Team& team, int giver, std::uint64_t epoch) const noexcept {
    const auto where = static_cast<std::uint32_t>(number_ >> kWhereAt);
    return slot_at(team.membership(), giver, where, team.slots().index(epoch));
  }

 private:
  static constexpr std::uint64_t kInSlot = std::uint64_t{1} << 63;
  static constexpr unsigned kWhereAt = 24;
  static constexpr std::uint64_t kMostBytes = (std::uint64_t{1} << kWhereAt) - 1;

  std::uint64_t number_;
};

}  // namespace foldlane::engine
