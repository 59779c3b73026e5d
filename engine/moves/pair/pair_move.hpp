// What two members pass each other, or one the other one.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "engine/choice/chooser.hpp"
#include "engine/p2p/user_buffer.hpp"

namespace foldlane::engine {

/// What the line of a long block tells beside its length (engine/moves/pair/long_turns.hpp).
struct LongOffer {
  static constexpr std::uint64_t kNowhere = ~std::uint64_t{0};
  std::uint64_t common = kNowhere;  // where the block is in common memory, or may be put
  std::uint64_t address = 0;        // in `process`; 0: it is in several pieces, or about to be overwritten
  std::int32_t process = 0;
  bool awaits = false;  // it awaits what the other one tells, too; of mixed lengths it does not
  bool pulls = false;   // it can pull what the other one has
  Arm way = Arm::first;
};

/// One member's part. Blocks that it does not have are empty.
struct PairMove {
  UserBuffer out;                   // for the other member
  UserBuffer in;                    // from it
  const UserBuffer* own = nullptr;  // to itself: from, to; null: nothing
  bool gives = false;
  bool takes = false;
  bool is_root = false;  // of what goes one way
  bool tells_length = false;
  bool may_be_offered = true;              // if it is longer; both members say the same
  std::uint64_t out_in_common = kNowhere;  // where the other member may copy it from
  std::uint64_t most_in_line = 0;
  // Of what goes in lines alone not set: nothing goes through boxes.
  std::uint64_t most_in_boxes = 0;
  std::size_t chunk_bytes = 0;  // at most a box

  static constexpr std::uint64_t kNowhere = LongOffer::kNowhere;

  bool is_in_line(const UserBuffer& block) const noexcept { return block.bytes <= most_in_line; }
  bool is_in_boxes(const UserBuffer& block) const noexcept {
    return !is_in_line(block) && block.bytes <= most_in_boxes;
  }
  bool is_in_lines() const noexcept { return is_in_line(out) && is_in_line(in); }
  bool uses_boxes() const noexcept { return is_in_boxes(out) || is_in_boxes(in); }
  /// If nothing is long.
  bool is_in_one_box_each() const noexcept { return std::max(out.bytes, in.bytes) <= chunk_bytes; }
  bool is_long(const UserBuffer& block) const noexcept {
    return !is_in_line(block) && block.bytes > most_in_boxes;
  }
  /// Both ways, and one way alone: neither goes in turns.
  bool exchanges_long() const noexcept { return gives && takes && is_long(out) && is_long(in); }
  bool passes_long() const noexcept { return gives != takes && is_long(gives ? out : in); }
  std::uint64_t turns(const UserBuffer& block) const noexcept {
    return is_in_boxes(block) ? (block.bytes + chunk_bytes - 1) / chunk_bytes : 1;
  }
};

}  // namespace foldlane::engine
