// What a member shows in its slot in a call of whose blocks only giver and taker know how long they are: a
// table, and behind it the blocks. The table says of each block how long it is, so that who takes it can
// compare that with what it expects, and where it is. What is long, or has no room, follows as a message.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "engine/moves/movement.hpp"
#include "engine/moves/own_blocks.hpp"
#include "engine/moves/roles.hpp"
#include "engine/moves/shown_blocks.hpp"
#include "engine/moves/wrong_length.hpp"

namespace foldlane::engine {

class BlockList final : public Blocks {
 public:
  void add(const Block& block) { blocks_.push_back(block); }
  int count() const noexcept override { return static_cast<int>(blocks_.size()); }
  Block at(int i) const noexcept override { return blocks_[static_cast<std::size_t>(i)]; }

 private:
  std::vector<Block> blocks_;
};

inline BlockList others_of(const Blocks& blocks, int own) {
  BlockList others;
  for_each_from(blocks, 0, [&](const Block& block) {
    if (block.member != own) others.add(block);
    return true;
  });
  return others;
}

/// What follows as messages.
struct FollowingBlocks {
  BlockList sends;
  BlockList receives;

  bool exist() const noexcept { return sends.count() > 0 || receives.count() > 0; }
};

class ListedBlocks {
 public:
  static constexpr bool kMayLieElsewhere = false;
  static constexpr std::uint64_t count() noexcept { return 1; }
  static constexpr const std::byte* elsewhere() noexcept { return nullptr; }

  /// `movement` and `following`, which it fills in, must outlive it.
  ListedBlocks(Call call, int root, const Movement& movement, int members, int own,
               FollowingBlocks& following) noexcept
      : call_(call), root_(root), own_(own), members_(members), movement_(movement), following_(following) {}

  /// Whether the slots of a team have room for the table, and for blocks.
  static bool fit_slots(Call call, int members, std::size_t slot_bytes) noexcept {
    return 2 * table_bytes(call, members) <= slot_bytes;
  }

  /// A root that gathers has a place, too: it awaits everybody's.
  bool gives() const noexcept { return !takes_from_root() || own_ == root_; }
  bool takes() const noexcept { return takes_in(call_, own_ == root_); }
  bool goes_to_root() const noexcept { return call_ == Call::gatherv && own_ != root_; }
  bool takes_from_root() const noexcept { return call_ == Call::scatterv; }

  template <class Team>
  void fill(Team& team, std::byte* slot, std::uint64_t) const {
    Entry* const table = reinterpret_cast<Entry*>(slot);
    std::size_t end = table_bytes(call_, members_);
    Team::Transfer::will_write(slot, end);
    for_each_from(*movement_.sends, 0, [&](const Block& block) {
      if (block.member == own_) return true;
      const auto bytes = static_cast<std::size_t>(block.buffer.bytes);
      const bool fits = bytes <= kMostThroughSlots && end + bytes <= team.process().geometry().slot_bytes;
      table[entry_of(block.member)] = {bytes, fits ? end : kFollows};
      if (fits) {
        Team::Transfer::will_write(slot + end, bytes);
        block.buffer.copy_to(slot + end, 0, bytes);
        end += (bytes + kAlignment - 1) / kAlignment * kAlignment;
      } else {
        following_.sends.add(block);
      }
      return gives_block_for_each(call_) || !fits;
    });
  }

  template <class Team>
  void copy_own(Team& team, std::uint64_t) const {
    copy_own_blocks(team, movement_);
  }
  /// Gives the team up if a member gives other than is expected.
  template <class Team, class VectorOf>
  void take(Team& team, const VectorOf& vector_of, std::uint64_t) const {
    for_each_from(*movement_.receives, movement_.first, [&](const Block& block) {
      if (block.member == own_) return true;
      const std::byte* const slot = vector_of(block.member).start;
      const Entry& entry = reinterpret_cast<const Entry*>(slot)[entry_of(own_)];
      Team::Transfer::will_read(&entry, sizeof entry);
      if (entry.bytes != block.buffer.bytes) {
        team.agreement().give_up(wrong_length(block.member, own_, entry.bytes, block.buffer.bytes));
        return false;
      }
      if (entry.place == kFollows) {
        following_.receives.add(block);
      } else if (entry.bytes > 0) {
        const auto bytes = static_cast<std::size_t>(entry.bytes);
        Team::Transfer::will_read(slot + entry.place, bytes);
        block.buffer.copy_from(slot + entry.place, 0, bytes);
      }
      return true;
    });
  }

 private:
  struct Entry {
    std::uint64_t bytes;
    std::uint64_t place;  // in the slot
  };
  static constexpr std::uint64_t kFollows = std::numeric_limits<std::uint64_t>::max();
  static constexpr std::size_t kAlignment = 16;

  static std::size_t table_bytes(Call call, int members) noexcept {
    return sizeof(Entry) * (gives_block_for_each(call) ? static_cast<std::size_t>(members) : 1);
  }
  std::size_t entry_of(int member) const noexcept {
    return gives_block_for_each(call_) ? static_cast<std::size_t>(member) : 0;
  }

  Call call_;
  int root_;
  int own_;
  int members_;
  const Movement& movement_;
  FollowingBlocks& following_;
};

}  // namespace foldlane::engine
