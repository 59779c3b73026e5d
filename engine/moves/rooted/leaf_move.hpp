// What leaves do whose block goes in a line, or in a slot of which a line tells: as ShownMove,
// AnnouncedLists and, of two members, PairLineTurns have it, from one block instead of lists. Where ranks
// share CPUs a short call costs what its path is long (8 ranks on 2 CPUs, a barrier before each, cycles by
// lists and so: gatherv 1,300 and 280, gather 1,000 and 580). The leaves of a gatherv have no other text: a
// line tells how long what follows by a message is, too, and asks where it goes.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/algorithms/turns.hpp"
#include "engine/moves/carrier.hpp"
#include "engine/moves/lists/announced_lists.hpp"
#include "engine/moves/rooted/gather_places.hpp"
#include "engine/moves/shown_length.hpp"
#include "engine/moves/wrong_length.hpp"
#include "engine/p2p/user_buffer.hpp"
#include "engine/team/team.hpp"

namespace foldlane::engine {

/// Of a gather or a gatherv.
template <class AnyTeam>
class LeafMove {
 public:
  using Team = AnyTeam;
  static constexpr std::uint64_t kAhead = 0;
  static constexpr std::uint64_t count() { return 1; }

  /// Needs slots that are the call's.
  static bool needs_slot(Team& team, const UserBuffer& block, bool tells_length) noexcept {
    return tells_length && carrier_of(team, block) == Carrier::slot;
  }
  /// `tells_length`: nobody but root and leaf knows it, and the root awaits lines that tell it. `asks`: the
  /// leaf waits for the root to tell where the block goes (gather_places.hpp), and needs no slot.
  LeafMove(Team& team, int root, const UserBuffer& block, bool tells_length, bool asks = false)
      : team_(team),
        root_(root),
        block_(block),
        tells_length_(tells_length),
        asks_(asks),
        carrier_(asks           ? Carrier::message
                 : tells_length ? carrier_of(team, block)
                                : Carrier::line),
        epoch_(team.epochs().begin(1)) {}

  static constexpr bool gives(std::uint64_t) { return true; }
  template <class How>
  Progress await_free(How& how, std::uint64_t) {
    const Progress line = how.inline_free(team_, epoch_);
    return line != Progress::done || carrier_ != Carrier::slot ? line : how.slot_free(team_, epoch_);
  }
  void give(std::uint64_t) {
    const auto bytes = static_cast<std::size_t>(block_.bytes);
    const auto pack = [&](std::byte* place) { block_.copy_to(place, 0, bytes); };
    if (carrier_ == Carrier::slot) return give_in_slot(bytes);
    if (carrier_ == Carrier::message) return tell(ShownLength(block_.bytes));
    if (tells_length_) return team_.inline_lines().show_with(epoch_, bytes, bytes, pack);
    team_.inline_lines().show_packed(epoch_, bytes, pack);
    team_.inline_lines().note_readers(epoch_).push_back(root_);
  }

  bool takes(std::uint64_t) const { return asks_; }
  template <class How>
  Progress await_given(How& how, std::uint64_t) {
    return how.shown(team_, root_, epoch_);
  }
  /// Gives the team up if the root expects other than is given.
  void take(std::uint64_t) {
    if (std::byte* const place = find_place()) copy_to(place);
    team_.slots().block_choices().where().note_answer(is_straight_);
  }
  void finish(std::uint64_t) { team_.epochs().finish(epoch_); }

  /// Of a gatherv, once the turn is over.
  bool message_follows() const noexcept { return carrier_ == Carrier::message && !is_straight_; }

 private:
  static Carrier carrier_of(Team& team, const UserBuffer& block) noexcept {
    return engine::carrier_of(block.bytes, 1, team.process().geometry().slot_bytes);
  }
  void give_in_slot(std::size_t bytes) {
    team_.slots().pack_in(team_.slots().own(epoch_), block_.address, block_.type_map, block_.start, bytes);
    tell(ShownLength::in_slot(bytes, team_.slots().note_filled(epoch_)));
  }
  void tell(const ShownLength& length) {
    team_.inline_lines().show_with(epoch_, ToldByLeaf(length, asks_).number(), 0, [](std::byte*) {});
  }
  /// Null: there is none.
  std::byte* find_place() const {
    const std::uint64_t told = team_.inline_lines().number(root_, epoch_);
    if (told == GatherPlaces::kNone) return nullptr;
    const GatherPlaces::Place& place = GatherPlaces::find(team_, root_, told, epoch_);
    if (place.bytes != block_.bytes)
      team_.agreement().give_up(wrong_length(team_.rank(), root_, block_.bytes, place.bytes));
    if (place.bytes != block_.bytes || place.common == GatherPlaces::Place::kNowhere) return nullptr;
    return team_.process().common().at(place.common);
  }
  void copy_to(std::byte* place) {
    const auto bytes = static_cast<std::size_t>(block_.bytes);
    Team::Transfer::will_write(place, bytes);
    block_.copy_to(place, 0, bytes);
    is_straight_ = true;
    team_.process().count_direct_call();
  }

  Team& team_;
  int root_;
  const UserBuffer& block_;
  bool tells_length_;
  bool asks_;
  Carrier carrier_;
  bool is_straight_ = false;
  std::uint64_t epoch_;
};

/// Of a scatter or a scatterv.
template <class AnyTeam>
class LeafTake {
 public:
  using Team = AnyTeam;
  static constexpr std::uint64_t kAhead = 0;
  static constexpr std::uint64_t count() { return 1; }

  /// `tells_length`: the blocks of a line differ, or are in the root's slot instead.
  LeafTake(Team& team, int root, const UserBuffer& block, bool tells_length)
      : team_(team),
        root_(root),
        block_(block),
        tells_length_(tells_length),
        epoch_(team.epochs().begin(1)) {}

  std::uint64_t epoch() const noexcept { return epoch_; }
  /// After its turn: whether the epoch goes on with AnnouncedLists, because the block is in no line, and not
  /// at hand in the root's slot.
  bool goes_on() const noexcept { return goes_on_; }

  static constexpr bool gives(std::uint64_t) { return false; }
  template <class How>
  static Progress await_free(How&, std::uint64_t) {
    return Progress::done;
  }
  static void give(std::uint64_t) {}

  static constexpr bool takes(std::uint64_t) { return true; }
  template <class How>
  Progress await_given(How& how, std::uint64_t) {
    return how.shown(team_, root_, epoch_);
  }
  void take(std::uint64_t) { tells_length_ ? take_listed() : take_equal(); }
  void finish(std::uint64_t) {
    if (!goes_on_) team_.epochs().finish(epoch_);
  }

 private:
  void take_listed() {
    const auto announced = Announcement::of(team_, root_, epoch_);
    if (announced.is_table()) return take_from_table(announced.slot(team_, root_, epoch_));
    const PackedList::Reader<Team> reader(team_, Call::scatterv, epoch_);
    take_packed(team_, root_, reader.find(root_, announced), block_);
  }
  void take_from_table(const std::byte* slot) {
    const std::byte* const own = ListedBlocks::find_in<Team>(slot, team_.rank(), block_.bytes);
    goes_on_ = own == nullptr;
    if (!goes_on_) take_at(own);
  }
  void take_equal() {
    const auto bytes = static_cast<std::size_t>(block_.bytes);
    const std::byte* const vector =
        team_.inline_lines().payload(root_, epoch_, bytes * static_cast<std::size_t>(team_.size()));
    take_at(vector + bytes * static_cast<std::size_t>(team_.rank()));
  }
  void take_at(const std::byte* own) {
    const auto bytes = static_cast<std::size_t>(block_.bytes);
    Team::Transfer::will_read(own, bytes);
    block_.copy_from(own, 0, bytes);
  }

  Team& team_;
  int root_;
  const UserBuffer& block_;
  bool tells_length_;
  std::uint64_t epoch_;
  bool goes_on_ = false;
};

}  // namespace foldlane::engine
