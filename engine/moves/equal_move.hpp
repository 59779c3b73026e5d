// Allgather and alltoall of dense blocks, from where the first one of each side is.
#pragma once

#include <cstdint>

#include "engine/moves/movement.hpp"
#include "engine/moves/roles.hpp"

namespace foldlane::engine {

/// Of one size, one behind the other, for members from 0 on; or the same one for each.
class EqualBlocks final : public Blocks {
 public:
  EqualBlocks(const UserBuffer& first, bool is_for_each, int count) noexcept : count_(count) {
    is_row_ = true;
    row_.start = first.address;
    row_.stride = is_for_each ? static_cast<std::int64_t>(first.bytes) : 0;
    row_.bytes = first.bytes;
  }
  int count() const noexcept override { return count_; }

 private:
  Block block_at(int i) const noexcept override { return row_.at(i); }

  int count_;
};

/// A member's part in such a call. It points into itself.
class EqualMove {
 public:
  EqualMove(Call call, int members, int rank, const UserBuffer& given, const UserBuffer& taken) noexcept
      : sends_(given, gives_block_for_each(call), members), receives_(taken, true, members) {
    movement_.sends = &sends_;
    movement_.receives = &receives_;
    movement_.first = (rank + 1) % members;
    movement_.block_bytes = given.bytes;
  }
  EqualMove(const EqualMove&) = delete;
  EqualMove& operator=(const EqualMove&) = delete;

  const Movement& movement() const noexcept { return movement_; }

 private:
  EqualBlocks sends_;
  EqualBlocks receives_;
  Movement movement_;
};

}  // namespace foldlane::engine
