// The buffers of calls that only move data, as the program describes them. Each member may describe the same
// bytes by another datatype: where one is not dense, all blocks of the buffer are moved in their packed form.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "api/host/made_call.hpp"
#include "api/host/moves/datatypes.hpp"
#include "engine/data/block_counts.hpp"
#include "engine/moves/movement.hpp"

namespace foldlane::host {

/// The arguments of one buffer: blocks of one size one after the other, or a list.
struct Side {
  void* buffer;
  engine::BlockCounts counts;
  Handle type;
  engine::BlockCounts places = engine::BlockCounts::equal(0);  // of a list, in extents
  const void* types = nullptr;  // of a list, instead: an array of the host's, and `places` are bytes
};

/// Of one such buffer, which must outlive it.
class HostBlocks final : public engine::Blocks {
 public:
  HostBlocks() = default;  // no blocks
  /// One for each of so many members.
  HostBlocks(const Made& made, const Side& side, int first_member, int count);
  HostBlocks(const HostBlocks&) = delete;
  HostBlocks& operator=(const HostBlocks&) = delete;
  HostBlocks(HostBlocks&&) = default;
  HostBlocks& operator=(HostBlocks&&) = default;

  /// Or else the host judges them.
  bool are_valid() const noexcept { return are_valid_; }
  int count() const noexcept override { return count_; }
  /// Of the first block.
  std::uint64_t block_bytes() const noexcept { return count_ == 0 ? 0 : bytes_of(0); }
  std::uint64_t bytes() const noexcept;

  /// Of a member that need not be there.
  std::uint64_t bytes_for(int member) const noexcept;
  engine::UserBuffer block_for(int member) const noexcept;
  /// From here on this member has no block.
  void skip(int member) noexcept { skipped_ = member - first_member_; }

  /// Where packed blocks lie from here on. Nothing happens to dense ones. Throws std::bad_alloc.
  void make_room();
  void pack() const;
  void unpack() const;

 private:
  engine::Block block_at(int i) const noexcept override;
  Datatype type_of(int i) const;
  std::uint64_t bytes_of(int i) const noexcept;
  std::byte* place_of(int i, const Datatype& type) const noexcept;
  template <class Move>
  void each(const Move& move) const;

  const Side* side_ = nullptr;
  Handle comm_ = 0;
  int first_member_ = 0;
  int count_ = 0;
  int skipped_ = -1;  // this place has no block
  bool are_valid_ = true;
  bool are_packed_ = false;
  Datatype type_;  // of all blocks, unless they have datatypes of their own
  std::unique_ptr<std::byte[]> packed_;
  std::vector<std::uint64_t> starts_;  // of the blocks there
};

/// One side, for who looks at a block or two: whether they are as usual, i.e. dense and not long, and where
/// they are.
class UsualSide {
 public:
  explicit UsualSide(const Side& side) noexcept : side_(side) {}

  bool find(int i, engine::UserBuffer& block) const noexcept {
    constexpr std::int64_t kMostElements = 1 << 20;  // longer ones may take their time
    const std::int64_t count = side_.counts[i];
    const auto bytes = static_cast<std::int64_t>(the->reductions().dense_bytes(type_of(i)));
    if (bytes == 0 || side_.buffer == the->host().constants().in_place || count < 0 || count > kMostElements)
      return false;
    std::int64_t offset = side_.places.are_equal() ? i * count : side_.places[i];
    if (side_.types == nullptr) offset *= bytes;
    block = {start() + offset, static_cast<std::uint64_t>(count * bytes)};
    return true;
  }

  bool find(int i, int j, engine::UserBuffer& block, engine::UserBuffer& other_block) const noexcept {
    return find(i, block) && find(j, other_block);
  }

  // ---- of blocks of one size

  /// Of each; 0: there are none, or they are not as usual.
  std::uint64_t block_bytes() const noexcept {
    engine::UserBuffer block;
    return find(0, block) ? block.bytes : 0;
  }
  std::byte* start() const noexcept { return static_cast<std::byte*>(side_.buffer); }

 private:
  Handle type_of(int i) const noexcept {
    if (side_.types != nullptr) return the->host().handle_at(side_.types, i);
    return the->host().handle(side_.type);
  }

  const Side& side_;
};

/// The same block for each of so many members.
class OneForAll final : public engine::Blocks {
 public:
  OneForAll(const engine::UserBuffer& block, int count, int skipped) noexcept
      : block_(block), count_(count), skipped_(skipped) {}
  int count() const noexcept override { return count_; }

 private:
  engine::Block block_at(int i) const noexcept override {
    return {i, i == skipped_ ? engine::UserBuffer{} : block_};
  }

  engine::UserBuffer block_;
  int count_;
  int skipped_;
};

}  // namespace foldlane::host
