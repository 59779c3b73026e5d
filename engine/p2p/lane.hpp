// The way of messages from one rank to another: a ring of cells in the sender's partition. A short message
// lies wholly in its cell.
//
// PROTOCOL L "lane"              sender: rank s                          receiver: rank q
//   s:  n <= freed + cells ?  if not, await that          [L2.acq]
//       write cell n: payload, envelope                                  plain stores
//       publish mark(n) = n                               [L1.rel]
//                                                                         await mark(n) == n  [L1.acq]
//                                                                         read cell n         plain loads
//                                                                         publish freed(n)    [L2.rel]
// Messages are numbered from 1. `freed` is published for half a ring at a time: a sender that finds the ring
// full has put so much into it that the receiver gets there. WITHOUT [L1]: q reads what is not there yet.
// WITHOUT [L2]: s overwrites what q still reads. MODEL: tests/model, "lane".
//
// Nothing that goes back needs space: `freed` is a word of the receiver's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "engine/p2p/envelope.hpp"

namespace foldlane::engine {

/// Two lines. The payload begins in the mark's line, so that 32 bytes arrive with one handoff: with all of
/// the payload in the other line a half round trip of 64 bytes took 75 instead of 47 ns.
template <class Atoms>
struct alignas(128) BasicCell {
  static constexpr std::size_t kHeadBytes = 32;
  static constexpr std::size_t kTailBytes = 64;
  static constexpr std::size_t kPayloadBytes = kHeadBytes + kTailBytes;

  std::byte tail[kTailBytes];
  std::byte head[kHeadBytes];
  Envelope envelope;
  typename Atoms::template Word<std::uint64_t> mark;

  /// Where data are that lie somewhere else.
  DataPlace place() const noexcept {
    DataPlace place;
    Atoms::reads(head, sizeof place);
    std::memcpy(&place, head, sizeof place);
    return place;
  }
  void set_place(const DataPlace& place) noexcept {
    Atoms::writes(head, sizeof place);
    std::memcpy(head, &place, sizeof place);
  }
};

/// Of one lane. Writer: its receiver.
template <class Atoms>
struct alignas(64) BasicCredits {
  typename Atoms::template Word<std::uint64_t> freed;
  /// The receiver looks at the lane by itself; else its sender knocks (knocks.hpp).
  typename Atoms::template Word<std::uint32_t> watched;
  /// The receiver keeps so much that nobody has asked for yet that more is to stay with the sender.
  typename Atoms::template Word<std::uint32_t> full;
  /// By size (BySize): long messages that the receiver wants to pull out of the sender's memory.
  typename Atoms::template Word<std::uint32_t> pulls;
};

/// The sender's end.
template <class Atoms>
class BasicLaneWriter {
 public:
  using Cell = BasicCell<Atoms>;
  using Credits = BasicCredits<Atoms>;

  /// `count`: a power of two, because dividing by another number takes as long as all the rest.
  BasicLaneWriter(Cell* cells, std::uint32_t count, const Credits& credits) noexcept
      : cells_(cells), count_(count), credits_(credits) {}

  /// The cell of the next message, or null: the lane is full.
  Cell* next() noexcept {
    if (number_ > freed_ + count_) {
      freed_ = credits_.freed.observe();  // [L2.acq]
      if (number_ > freed_ + count_) return nullptr;
    }
    return &cell();
  }
  /// It is filled.
  void publish() noexcept {
    cell().mark.publish(number_);  // [L1.rel]
    ++number_;
  }

  std::uint64_t number() const noexcept { return number_; }  // of the next message
  std::uint64_t freed() noexcept { return freed_ = credits_.freed.observe(); }
  const Credits& credits() const noexcept { return credits_; }

 private:
  Cell& cell() noexcept { return cells_[number_ & (count_ - 1)]; }

  Cell* cells_;
  std::uint32_t count_;
  const Credits& credits_;
  std::uint64_t number_ = 1;
  std::uint64_t freed_ = 0;
};

/// The receiver's end.
template <class Atoms>
class BasicLaneReader {
 public:
  using Cell = BasicCell<Atoms>;
  using Credits = BasicCredits<Atoms>;

  /// `count` as above.
  BasicLaneReader(const Cell* cells, std::uint32_t count, Credits& credits) noexcept
      : cells_(cells), count_(count), credits_(&credits) {}

  /// The cell of the next message, or null: it has not come.
  const Cell* next() const noexcept {
    const Cell& cell = cells_[number_ & (count_ - 1)];
    if (cell.mark.observe() != number_) return nullptr;  // [L1.acq]
    __builtin_prefetch(&cells_[(number_ + kAhead) & (count_ - 1)].mark);
    return &cell;
  }
  /// It has been read. True if that was published: the sender may be waiting for it.
  bool release() noexcept {
    const std::uint64_t read = number_++;
    if (read - freed_ < count_ / 2) return false;
    freed_ = read;
    credits_->freed.publish(read);  // [L2.rel]
    return true;
  }
  Credits& credits() const noexcept { return *credits_; }

 private:
  /// Of a stream of messages the lines of so many are on their way while one is received. With 2 a message of
  /// 8 bytes took 64 ns, with 4 and 8 of them 54, far. Of a single message those ahead are still in this
  /// core's cache from the round before.
  static constexpr std::uint64_t kAhead = 4;

  const Cell* cells_;
  std::uint32_t count_;
  Credits* credits_;
  std::uint64_t number_ = 1;
  std::uint64_t freed_ = 0;
};

}  // namespace foldlane::engine
