// Calls in which each member gives to all and takes from all, of dense blocks in one buffer on each side.
#pragma once

#include <cstdint>

#include "engine/moves/movement.hpp"

namespace foldlane::engine {

/// Of one size, one behind the other, for members from 0 on; or the same one for each.
inline BlockRow equal_row(const UserBuffer& first, bool is_for_each) noexcept {
  BlockRow row{.start = first.address};
  row.stride = is_for_each ? static_cast<std::int64_t>(first.bytes) : 0;
  row.bytes = first.bytes;
  return row;
}

class RowBlocks final : public Blocks {
 public:
  RowBlocks(const BlockRow& row, int count) noexcept : count_(count) {
    is_row_ = true;
    row_ = row;
  }
  int count() const noexcept override { return count_; }

 private:
  Block block_at(int i) const noexcept override { return row_.at(i); }

  int count_;
};

/// A member's part in such a call. It points into itself.
class RowMove {
 public:
  /// `block_bytes` and `mail` as in Movement.
  RowMove(int members, int rank, const BlockRow& sends, const BlockRow& receives, std::uint64_t block_bytes,
          const Mail& mail = {}) noexcept
      : sends_(sends, members), receives_(receives, members) {
    movement_.mail = mail;
    movement_.sends = &sends_;
    movement_.receives = &receives_;
    movement_.first = (rank + 1) % members;
    movement_.block_bytes = block_bytes;
  }
  RowMove(const RowMove&) = delete;
  RowMove& operator=(const RowMove&) = delete;

  /// Whether what it gives itself is as long as it expects.
  bool agrees_with_itself(int rank) const noexcept {
    return sends_.at(rank).buffer.bytes == receives_.at(rank).buffer.bytes;
  }
  const Movement& movement() const noexcept { return movement_; }

 private:
  RowBlocks sends_;
  RowBlocks receives_;
  Movement movement_;
};

}  // namespace foldlane::engine
