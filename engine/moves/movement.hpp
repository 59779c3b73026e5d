// What a member gives to others and gets from them in a call that only moves data: gather, scatter,
// allgather, alltoall and their kin. They differ in nothing else.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/data/block_counts.hpp"
#include "engine/moves/mail.hpp"
#include "engine/p2p/user_buffer.hpp"

namespace foldlane::engine {

/// To a member, or from it. Without bytes it is no block.
struct Block {
  int member = 0;
  UserBuffer buffer;
  // Of neighbours:
  std::uint32_t place = 0;  // which of the blocks it is that its giver shows
  std::uint32_t shown = 1;  // how many these are; 0: whoever takes it does not know
};
/// What is to go along an edge between neighbours that one of them alone has: bytes are given or expected.
struct OneSidedBlock {
  int giver = 0, taker = 0;
  std::uint64_t given = 0, expected = 0;
};

/// Lists of ints in one buffer, which most programs have, without a look at what each number is.
struct IntListRow {
  std::byte* start;
  const int* counts;
  const int* places;
  std::int64_t element_bytes;
  std::int64_t place_bytes;
  int first_member;
  int skipped;

  Block at(int i) const noexcept {
    const int member = first_member + i;
    if (i == skipped) return {member, {}};
    return {member, {start + places[i] * place_bytes, static_cast<std::uint64_t>(counts[i] * element_bytes)}};
  }
};

/// Blocks of whole elements, for members in a row, in one buffer: what most calls have.
struct BlockRow {
  std::byte* start = nullptr;
  std::int64_t element_bytes = 1;
  int first_member = 0;
  int skipped = -1;                            // this place has no block
  bool is_list = false;                        // with places of its own; else they are equal
  BlockCounts counts = BlockCounts::equal(0);  // elements
  BlockCounts places = BlockCounts::equal(0);  // of a list, in such units:
  std::int64_t place_bytes = 1;
  std::int64_t stride = 0;  // of equal ones: bytes from one to the next,
  std::uint64_t bytes = 0;  // and of each

  std::int64_t offset_of(int i) const noexcept { return is_list ? places[i] * place_bytes : i * stride; }
  Block at(int i) const noexcept {
    const int member = first_member + i;
    if (i == skipped) return {member, {}};
    return {member, {start + offset_of(i), is_list ? bytes_in_list(i) : bytes}};
  }
  bool is_int_list() const noexcept {
    return is_list && counts.ints() != nullptr && places.ints() != nullptr;
  }
  /// Needs is_int_list().
  IntListRow int_list() const noexcept {
    return {start, counts.ints(), places.ints(), element_bytes, place_bytes, first_member, skipped};
  }

 private:
  std::uint64_t bytes_in_list(int i) const noexcept {
    return static_cast<std::uint64_t>(counts[i] * element_bytes);
  }
};

/// One of the two sides. A member may stand there more than once: what it gives first it gets first.
class Blocks {
 public:
  virtual int count() const noexcept = 0;
  /// Computed when it is wanted: a blocking call keeps no list. A row is not asked by a virtual call, which
  /// was a quarter of what an alltoall of 8 bytes by eight members executed.
  Block at(int i) const noexcept { return is_row_ ? row_.at(i) : block_at(i); }
  /// Null: it is none.
  const BlockRow* row() const noexcept { return is_row_ ? &row_ : nullptr; }
  /// The first place from `from` on that this member has; count() if there is none.
  int place_of(int member, int from = 0) const noexcept {
    const int end = count();
    if (is_row_) {
      const int place = member - row_.first_member;
      return place >= from && place < end ? place : end;
    }
    int place = from;
    while (place < end && block_at(place).member != member) ++place;
    return place;
  }

 protected:
  ~Blocks() = default;

  /// Of what is no row.
  virtual Block block_at(int i) const noexcept = 0;

  bool is_row_ = false;
  BlockRow row_;
};

class OneBlock final : public Blocks {
 public:
  explicit OneBlock(const Block& block) : block_(block) {}
  int count() const noexcept override { return 1; }

 private:
  Block block_at(int) const noexcept override { return block_; }

  Block block_;
};

class NoBlocks final : public Blocks {
 public:
  int count() const noexcept override { return 0; }

 private:
  Block block_at(int) const noexcept override { return {}; }
};

/// body(block) of each, beginning with place `first`, until that returns false.
template <class Body>
void for_each_from(const Blocks& blocks, int first, const Body& body) {
  const int count = blocks.count();
  const auto visit = [count, first](const auto& all, const Body each) {
    for (int i = 0, next = first; i < count; ++i, next = next + 1 < count ? next + 1 : 0)
      if (!each(all.at(next))) return;
  };
  // Copies of a row and of what the body knows stay in registers, which stores of bytes cannot have changed.
  const BlockRow* const row = blocks.row();
  if (row == nullptr) return visit(blocks, body);
  if (row->is_int_list()) return visit(row->int_list(), body);
  visit(BlockRow(*row), body);
}

struct Movement {
  static constexpr bool kFitsLines = false;  // of neighbours, as is known beforehand

  Mail mail;  // none in a team of one
  const Blocks* sends = nullptr;
  const Blocks* receives = nullptr;
  /// Where each side begins, so that no two members begin with the same one. 0 where members repeat.
  int first = 0;
  /// Each block that is received takes the place of one that is sent to the same member, and `sends` is
  /// `receives`.
  bool replaces = false;
  std::uint64_t block_bytes = 0;  // of every block, if all members know them to be equal; of neighbours: sent
  // Of neighbours:
  std::uint32_t shown_blocks = 1;  // how many blocks this member shows; 0: takers do not know which is whose
  OneSidedBlock one_sided{};       // the first, if there is one
};

}  // namespace foldlane::engine
