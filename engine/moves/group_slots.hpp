// Where the slots of a whole group are, as its leader tells: who awaits the leader alone reads the slots of
// the others without a look at their lines. Mostly all of them are in the same place, which is one word.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/team/slots.hpp"

namespace foldlane::engine {

/// In one epoch.
template <class Team>
class GroupSlots {
 public:
  GroupSlots(Team& team, std::uint64_t epoch)
      : team_(team), epoch_(epoch), index_(team.slots().index(epoch)), where_(team.slots().ring().where) {}

  // ---- of a leader, to which its own slot belongs from the beginning

  /// Needs filled(member, epoch) awaited.
  void add(int member) noexcept { add_place(filling(member).where); }
  /// The same of another leader and its group.
  void add_group(int leader) noexcept { add_place(filling(leader).where_group); }
  /// Before its slot is published.
  void tell() noexcept {
    std::uint32_t& told = team_.membership().own_lines().steps.in_slot[index_].where_group;
    Team::Transfer::will_write(&told, sizeof told);
    told = where_;
  }

  // ---- of who has awaited filled(leader, epoch)

  /// Of a member whose slot belongs to what the leader has told.
  const std::byte* of(int member, int leader) const noexcept {
    const std::uint32_t& where = filling(leader).where_group;
    if (read(where) == Team::Lines::kVarious) return team_.slots().of(member, epoch_);
    return slot_at(team_.membership(), member, where, index_);
  }

 private:
  const typename Team::Lines::Filling& filling(int member) const noexcept {
    return team_.membership().lines(member).steps.in_slot[index_];
  }
  static std::uint32_t read(const std::uint32_t& where) noexcept {
    Team::Transfer::will_read(&where, sizeof where);
    return where;
  }
  /// kVarious as soon as two places differ.
  void add_place(const std::uint32_t& where) noexcept {
    if (read(where) != where_) where_ = Team::Lines::kVarious;
  }

  Team& team_;
  std::uint64_t epoch_;
  std::size_t index_;
  std::uint32_t where_;
};

}  // namespace foldlane::engine
