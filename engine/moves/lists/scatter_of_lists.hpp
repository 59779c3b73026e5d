// A scatterv. Its root shows short blocks beside the epoch, with their lengths, so that it runs ahead of
// those who take them by as many calls as there are lines; others in its slot, which the line tells. One hop.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "engine/algorithms/turns.hpp"
#include "engine/moves/lists/listed_blocks.hpp"
#include "engine/moves/movement.hpp"
#include "engine/moves/shown_blocks.hpp"
#include "engine/moves/wrong_length.hpp"
#include "engine/team/team.hpp"

namespace foldlane::engine {

/// All blocks of a root as they stand in a line: the lengths, a byte for each member, and behind them the
/// blocks. Its own is not there.
class BlocksInLine {
 public:
  static constexpr std::size_t kMostBytes = Team::InlineLines::kBytesBesideNumber;
  static_assert(kMostBytes < 256, "a byte tells how long a block is");

  BlocksInLine(const Blocks& blocks, int members, int own) noexcept
      : blocks_(blocks), members_(static_cast<std::size_t>(members)), own_(own), bytes_(members_) {
    for_each([&](const Block& block) { bytes_ += static_cast<std::size_t>(block.buffer.bytes); });
  }

  /// Instead of how many bytes there are in the line: they are in the slot.
  static constexpr std::uint64_t kInSlot = 0;

  /// What a line has for a member.
  static UserBuffer find(const std::byte* line, int members, int member) noexcept {
    const std::byte* place = line + members;
    for (int before = 0; before < member; ++before) place += static_cast<std::size_t>(line[before]);
    return {const_cast<std::byte*>(place), static_cast<std::uint64_t>(line[member])};
  }

  bool fit() const noexcept { return bytes_ <= kMostBytes; }
  std::size_t bytes() const noexcept { return bytes_; }
  void pack(std::byte* line) const {
    std::memset(line, 0, members_);
    std::byte* place = line + members_;
    for_each([&](const Block& block) {
      const auto bytes = static_cast<std::size_t>(block.buffer.bytes);
      line[block.member] = static_cast<std::byte>(bytes);
      block.buffer.copy_to(place, 0, bytes);
      place += bytes;
    });
  }

 private:
  template <class Body>
  void for_each(const Body& body) const {
    for_each_from(blocks_, 0, [&](const Block& block) {
      if (block.member != own_) body(block);
      return bytes_ <= kMostBytes;
    });
  }

  const Blocks& blocks_;
  std::size_t members_;
  int own_;
  std::size_t bytes_;
};

/// This member's block. False: the root gives other than is expected, and the team is given up.
template <class Team>
bool take_from_line(Team& team, int root, const std::byte* line, const UserBuffer& block) {
  Team::Transfer::will_read(line, static_cast<std::size_t>(team.size()));
  const UserBuffer given = BlocksInLine::find(line, team.size(), team.rank());
  if (given.bytes != block.bytes) {
    team.agreement().give_up(wrong_length(root, team.rank(), given.bytes, block.bytes));
    return false;
  }
  const auto bytes = static_cast<std::size_t>(given.bytes);
  Team::Transfer::will_read(given.address, bytes);
  block.copy_from(given.address, 0, bytes);
  return true;
}

template <class AnyTeam>
class ScatterOfLists {
 public:
  using Team = AnyTeam;
  static constexpr std::uint64_t kAhead = 0;

  /// As of ListedBlocks.
  ScatterOfLists(Team& team, Call call, int root, const Movement& movement, ChunkedLists& chunks,
                 BlockChoices::Use& way)
      : ScatterOfLists(team, call, root, movement, chunks, way, team.epochs().begin(1)) {}
  /// The same in an epoch that has begun.
  ScatterOfLists(Team& team, Call call, int root, const Movement& movement, ChunkedLists& chunks,
                 BlockChoices::Use& way, std::uint64_t epoch)
      : team_(team),
        movement_(movement),
        in_slot_(call, root, movement, team.size(), team.rank(), chunks, way),
        in_line_(*movement.sends, team.size(), team.rank()),
        root_(root),
        epoch_(epoch) {}

  /// The last turn of a root whose own buffers are read.
  std::uint64_t count() const { return in_slot_.are_read_in_place() ? 2 : 1; }

  bool gives(std::uint64_t turn) const { return turn == 0 && is_root(); }
  template <class How>
  Progress await_free(How& how, std::uint64_t) {
    const Progress line = how.inline_free(team_, epoch_);
    return line != Progress::done || in_line_.fit() ? line : how.slot_free(team_, epoch_);
  }
  void give(std::uint64_t turn) {
    if (in_line_.fit()) {
      team_.inline_lines().show_with(epoch_, in_line_.bytes(), in_line_.bytes(),
                                     [&](std::byte* line) { in_line_.pack(line); });
      return in_slot_.copy_own(team_, turn);
    }
    in_slot_.fill(team_, team_.slots().own(epoch_), turn);
    team_.slots().note_filled(epoch_);  // the line tells of it
    team_.inline_lines().show_with(epoch_, BlocksInLine::kInSlot, 0, [](std::byte*) {});
    in_slot_.copy_own(team_, turn);
    in_slot_.fill_ahead(team_, epoch_ + 1);
  }

  bool takes(std::uint64_t turn) const { return turn > 0 || !is_root(); }
  template <class How>
  Progress await_given(How& how, std::uint64_t turn) {
    if (turn > 0) return how.wait(team_.waits().all_finished(epoch_));
    return how.shown(team_, root_, epoch_);
  }
  /// Gives the team up if the root gives other than is expected.
  void take(std::uint64_t turn) {
    if (turn > 0) return;
    auto&& lines = team_.inline_lines();
    const std::uint64_t bytes = lines.number(root_, epoch_);
    if (bytes != BlocksInLine::kInSlot) return take_from(lines.payload_beside_number(root_, epoch_, bytes));
    in_slot_.take(
        team_,
        [&](int) {
          return ShownVector{team_.slots().of(root_, epoch_), false};
        },
        turn);
  }
  void finish(std::uint64_t turn) {
    if (turn == 0) team_.epochs().finish(epoch_);
  }

 private:
  bool is_root() const noexcept { return team_.rank() == root_; }

  void take_from(const std::byte* line) {
    for_each_from(*movement_.receives, 0,
                  [&](const Block& block) { return take_from_line(team_, root_, line, block.buffer); });
  }

  Team& team_;
  const Movement& movement_;
  ListedBlocks in_slot_;
  BlocksInLine in_line_;
  int root_;
  std::uint64_t epoch_;
};

}  // namespace foldlane::engine
