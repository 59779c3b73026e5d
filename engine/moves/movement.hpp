// What a member gives to others and gets from them in a call that only moves data: gather, scatter,
// allgather, alltoall and their kin. They differ in nothing else.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/moves/mail.hpp"
#include "engine/p2p/user_buffer.hpp"

namespace foldlane::engine {

/// To a member, or from it. Without bytes it is no block.
struct Block {
  int member = 0;
  UserBuffer buffer;
  std::size_t place = 0;  // of neighbours: which of the blocks it is that its giver shows
};

/// One of the two sides. A member may stand there more than once: what it gives first it gets first.
class Blocks {
 public:
  virtual int count() const noexcept = 0;
  /// Computed when it is wanted: a blocking call keeps no list.
  virtual Block at(int i) const noexcept = 0;

 protected:
  ~Blocks() = default;
};

class OneBlock final : public Blocks {
 public:
  explicit OneBlock(const Block& block) : block_(block) {}
  int count() const noexcept override { return 1; }
  Block at(int) const noexcept override { return block_; }

 private:
  Block block_;
};

class NoBlocks final : public Blocks {
 public:
  int count() const noexcept override { return 0; }
  Block at(int) const noexcept override { return {}; }
};

/// All of others, which must outlive it, but the one of member `own`, if there is one.
class OtherBlocks final : public Blocks {
 public:
  OtherBlocks(const Blocks& all, int own) : all_(all), own_(place_of(all, own)) {}
  int count() const noexcept override { return all_.count() - (own_ < all_.count() ? 1 : 0); }
  Block at(int i) const noexcept override { return all_.at(i < own_ ? i : i + 1); }

 private:
  static int place_of(const Blocks& all, int member) {
    int place = 0;
    while (place < all.count() && all.at(place).member != member) ++place;
    return place;
  }

  const Blocks& all_;
  int own_;  // its place; the number of all if it is not there
};

/// body(block) of each, beginning with place `first`, until that returns false.
template <class Body>
void for_each_from(const Blocks& blocks, int first, const Body& body) {
  const int count = blocks.count();
  for (int i = 0, next = first; i < count; ++i, next = next + 1 < count ? next + 1 : 0)
    if (!body(blocks.at(next))) return;
}

struct Movement {
  Mail mail;  // none in a team of one
  const Blocks* sends = nullptr;
  const Blocks* receives = nullptr;
  /// Where each side begins, so that no two members begin with the same one. 0 where members repeat.
  int first = 0;
  /// Each block that is received takes the place of one that is sent to the same member, and `sends` is
  /// `receives`.
  bool replaces = false;
  std::uint64_t block_bytes = 0;  // of every block, if all members know them to be equal; of neighbours: sent
  /// Of neighbours: how many such blocks each gives, as all others know. 0: they do not.
  std::size_t shown_blocks = 0;
};

}  // namespace foldlane::engine
