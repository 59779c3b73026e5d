// Calls whose lengths only giver and taker of a block know: scatterv, allgatherv, alltoallv and alltoallw. A
// line announces what each giver has: its blocks and their ends, that they are in its slot, or that a table
// there tells where they are. So who takes short blocks reads lines alone, and a root runs ahead of those who
// take by as many calls as there are lines (8 ranks on 2 CPUs, 8 B, with tables alone and so: alltoallv 23.4
// and 22.2 us, allgatherv 22.2 and 21.3; from 128 B on the same). One hop.
// MODEL: tests/model/buffers/listed_model_test.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "engine/algorithms/by_the_last.hpp"
#include "engine/algorithms/turns.hpp"
#include "engine/moves/lists/listed_blocks.hpp"
#include "engine/moves/lists/packed_list.hpp"
#include "engine/moves/movement.hpp"
#include "engine/team/team.hpp"

namespace foldlane::engine {

template <class AnyTeam>
class AnnouncedLists {
 public:
  using Team = AnyTeam;
  static constexpr std::uint64_t kAhead = 0;

  /// As of ListedBlocks.
  AnnouncedLists(Team& team, Call call, int root, const Movement& movement, ChunkedLists& chunks,
                 BlockChoices::Use& way)
      : AnnouncedLists(team, call, root, movement, chunks, way, team.epochs().begin(1)) {}
  /// The same in an epoch that has begun.
  AnnouncedLists(Team& team, Call call, int root, const Movement& movement, ChunkedLists& chunks,
                 BlockChoices::Use& way, std::uint64_t epoch)
      : team_(team),
        call_(call),
        root_(root),
        movement_(movement),
        epoch_(epoch),
        tabled_(call, root, movement, team.size(), team.rank(), chunks, way) {
    if (tabled_.gives())
      packed_.emplace(call, *movement.sends, team.size(), team.rank(), team.process().geometry().slot_bytes);
  }

  /// The last turn of who has its own buffers read.
  std::uint64_t count() const { return tabled_.are_read_in_place() ? 2 : 1; }

  bool gives(std::uint64_t turn) const { return turn == 0 && packed_; }
  template <class How>
  Progress await_free(How& how, std::uint64_t) {
    const Progress line = how.inline_free(team_, epoch_);
    return line != Progress::done || packed_->is_in_line() ? line : how.slot_free(team_, epoch_);
  }
  void give(std::uint64_t turn) {
    std::byte* const slot = team_.slots().own(epoch_);
    if (!packed_->is_packed()) tabled_.fill(team_, slot, turn);
    const auto announced =
        packed_->announcement(packed_->is_in_line() ? 0 : team_.slots().note_filled(epoch_));
    team_.inline_lines().show_with(epoch_, announced.number(), announced.bytes_beside(),
                                   [&](std::byte* line) {
                                     if (packed_->is_packed()) packed_->template pack<Team>(line, slot);
                                   });
    tabled_.copy_own(team_, turn);
    tabled_.fill_ahead(team_, epoch_ + 1);
  }

  bool takes(std::uint64_t turn) const { return turn > 0 || tabled_.takes(); }
  template <class How>
  Progress await_given(How& how, std::uint64_t turn) {
    if (turn > 0) return how.wait(team_.waits().all_finished(epoch_));
    if (tabled_.takes_from_root()) return how.shown(team_, root_, epoch_);
    return how.all_shown(team_, epoch_, epoch_ - 1);
  }
  /// Gives the team up if a member gives other than is expected.
  void take(std::uint64_t turn) {
    if (turn > 0) return;
    const PackedList::Reader<Team> reader(team_, call_, epoch_);
    for_each_from(*movement_.receives, movement_.first,
                  [this, reader, own = team_.rank()](const Block& block) {
                    return block.member == own || take(block, reader);
                  });
  }
  void finish(std::uint64_t turn) {
    if (turn == 0) team_.epochs().finish(epoch_);
  }

 protected:
  Team& team() const noexcept { return team_; }
  std::uint64_t epoch() const noexcept { return epoch_; }

 private:
  /// In place: a call for each block takes as long as a short one's copy.
  [[gnu::always_inline]] bool take(const Block& block, const PackedList::Reader<Team>& reader) {
    const int giver = block.member;
    const auto announced = Announcement::of(team_, giver, epoch_);
    if (announced.is_table()) [[unlikely]]
      return take_tabled(block, announced);
    return take_packed(team_, giver, reader.find(giver, announced), block.buffer);
  }
  [[gnu::noinline]] bool take_tabled(const Block& block, const Announcement& announced) {
    return tabled_.take(team_, block, announced.slot(team_, block.member, epoch_));
  }

  Team& team_;
  Call call_;
  int root_;
  const Movement& movement_;
  std::uint64_t epoch_;
  ListedBlocks tabled_;
  std::optional<PackedList> packed_;  // of who gives
};

/// Where ranks share CPUs and everybody wants everybody's.
template <class Team>
using CentralAnnouncedLists = ByTheLast<AnnouncedLists<Team>>;

}  // namespace foldlane::engine
