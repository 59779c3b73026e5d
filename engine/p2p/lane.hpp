// The way of messages from one rank to another: a ring of cells in the sender's partition. A short message
// lies wholly in its cell. In a row of equal ones several share a cell, since the way of a line from core to
// core would take longer than all the rest.
//
// PROTOCOL L "lane"              sender: rank s                          receiver: rank q
//   s:  n <= freed + cells ?  if not, await that          [L2.acq]
//       write cell n: payload, envelope                                  plain stores
//       publish mark(n) = n, used                         [L1.rel]
//       if it is open: write another payload to cell n                   plain stores
//       publish mark(n) = n, used                         [L1.rel]
//                                                                         await mark(n) == n  [L1.acq]
//                                                                         read its messages   plain loads
//                                                                         if it is open: await more there,
//                                                                           or mark(n+1) == n+1  [L1.acq],
//                                                                           and look once more [L3]
//                                                                         publish freed(n)    [L2.rel]
// Cells are numbered from 1. Nothing joins the messages of cell n once cell n+1 is begun. `freed` is
// published for half a ring at a time: a sender that finds the ring full has put so much into it that the
// receiver gets there. WITHOUT [L1]: q reads what is not there yet. WITHOUT [L2]: s overwrites what q still
// reads. WITHOUT [L3]: what has joined cell n between the two looks of q is lost. MODEL: tests/model, "lane".
//
// Nothing that goes back needs space: `freed` is a word of the receiver's.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "engine/p2p/envelope.hpp"

namespace foldlane::engine {

/// What the mark of a cell says.
struct CellMark {
  static constexpr unsigned kUsedBits = 8;
  /// In the place of `used`: there is one message, and nothing joins it.
  static constexpr std::uint64_t kClosed = (1U << kUsedBits) - 1;

  std::uint64_t number;  // of the cell
  std::uint64_t used;    // of its room: how many messages there are follows from their length

  explicit CellMark(std::uint64_t word) noexcept : number(word >> kUsedBits), used(word & kClosed) {}
  static std::uint64_t word(std::uint64_t number, std::uint64_t used) noexcept {
    return number << kUsedBits | used;
  }
};

/// Two lines. The payload begins in the mark's line, so that 32 bytes arrive with one handoff: with all of
/// the payload in the other line a half round trip of 64 bytes took 75 instead of 47 ns.
template <class Atoms>
struct alignas(128) BasicCell {
  static constexpr std::size_t kHeadBytes = 32;
  static constexpr std::size_t kTailBytes = 64;
  static constexpr std::size_t kPayloadBytes = kHeadBytes + kTailBytes;

  std::byte tail[kTailBytes];
  std::byte head[kHeadBytes];
  Envelope envelope;  // of each of its messages
  typename Atoms::template Word<std::uint64_t> mark;

  /// Where messages share a cell, they share its head.
  static bool can_share(std::uint64_t bytes) noexcept { return bytes <= kHeadBytes / 2; }
  static std::uint64_t use_of(std::uint64_t bytes) noexcept { return std::max<std::uint64_t>(bytes, 1); }
  static bool has_room(std::uint64_t used, std::uint64_t bytes) noexcept {
    return used + use_of(bytes) <= kHeadBytes;
  }

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
  /// Which long messages the receiver wants to pull (engine/choice/pulls.hpp): those from where their sender
  /// has sent a short while ago, and others.
  typename Atoms::template Word<std::uint64_t> pulls_again;
  typename Atoms::template Word<std::uint64_t> pulls_elsewhere;

  /// Which short messages the receiver wants demoted (engine/choice/demotion.hpp).
  typename Atoms::template Word<std::uint32_t> demoted;

  auto& pulls(bool again) noexcept { return again ? pulls_again : pulls_elsewhere; }
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

  /// The next cell, or null: the lane is full.
  Cell* next() noexcept {
    if (number_ > freed_ + count_) {
      freed_ = credits_.freed.observe();  // [L2.acq]
      if (number_ > freed_ + count_) return nullptr;
    }
    return &cell(number_);
  }
  /// Where the payload goes that has no room beside the next cell's mark. The cell need not be free.
  std::byte* next_tail() noexcept { return cell(number_).tail; }
  /// It is filled, and no message can join.
  void publish() noexcept { publish_cell(CellMark::kClosed); }
  /// It is filled with a message of so many bytes, and others that say the same of themselves may join.
  void publish_open(std::uint64_t bytes) noexcept { publish_cell(Cell::use_of(bytes)); }

  /// Whether a message like the last one can join it.
  bool has_room(std::uint64_t bytes) const noexcept { return Cell::has_room(used_, bytes); }
  /// The place of its payload.
  std::byte* room() noexcept { return cell(number_ - 1).head + used_; }
  /// It is filled.
  void publish_more(std::uint64_t bytes) noexcept {
    used_ += Cell::use_of(bytes);
    publish_last();
  }

  std::uint64_t number() const noexcept { return number_; }  // of the next cell
  std::uint64_t messages() const noexcept { return messages_; }
  std::uint64_t freed() noexcept { return freed_ = credits_.freed.observe(); }
  const Credits& credits() const noexcept { return credits_; }

 private:
  Cell& cell(std::uint64_t number) noexcept { return cells_[number & (count_ - 1)]; }
  void publish_cell(std::uint64_t used) noexcept {
    used_ = used;
    ++number_;
    publish_last();
  }
  void publish_last() noexcept {
    const std::uint64_t last = number_ - 1;
    cell(last).mark.publish(CellMark::word(last, used_));  // [L1.rel]
    ++messages_;
  }

  Cell* cells_;
  std::uint32_t count_;
  const Credits& credits_;
  std::uint64_t number_ = 1;
  std::uint64_t freed_ = 0;
  std::uint64_t messages_ = 0;
  std::uint64_t used_ = CellMark::kClosed;  // of the last cell
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
  const Cell* next() noexcept {
    if (seen_ <= taken_ && !look()) return nullptr;
    __builtin_prefetch(&cell(number_ + kAhead).mark);
    return &cell(number_);
  }
  /// Whether it has come.
  bool has_next() const noexcept {
    if (seen_ > taken_) return true;
    const CellMark mark(cell(number_).mark.observe());  // [L1.acq]
    return (mark.number == number_ && mark.used > taken_) || (taken_ != 0 && has_begun(number_ + 1));
  }
  /// Where its payload begins in the cell's head.
  std::uint64_t offset() const noexcept { return taken_; }
  /// A message of so many bytes has been read. True: another one that says the same of itself has come, and
  /// lies behind it in its cell.
  bool pass(std::uint64_t bytes) noexcept {
    if (seen_ != CellMark::kClosed) {
      taken_ += Cell::use_of(bytes);
      if (Cell::has_room(taken_, bytes)) return seen_ > taken_;
    }
    leave();
    return false;
  }
  /// After that. True if cells have been published as free: the sender may be waiting for them.
  bool release() noexcept {
    const std::uint64_t read = number_ - 1;
    if (read - freed_ < count_ / 2) return false;
    freed_ = read;
    credits_->freed.publish(read);  // [L2.rel]
    return true;
  }
  Credits& credits() const noexcept { return *credits_; }

 protected:
  std::uint64_t number() const noexcept { return number_; }
  const Cell& cell(std::uint64_t number) const noexcept { return cells_[number & (count_ - 1)]; }
  /// Whether there is a message in this cell that has not been taken.
  bool see() noexcept {
    const CellMark mark(cell(number_).mark.observe());  // [L1.acq]
    if (mark.number != number_) return false;
    seen_ = mark.used;
    return seen_ > taken_;
  }
  bool has_begun(std::uint64_t number) const noexcept {
    return CellMark(cell(number).mark.observe()).number == number;  // [L1.acq]
  }
  void leave() noexcept {
    ++number_;
    taken_ = 0;
    seen_ = 0;
  }

 private:
  bool look() noexcept {
    if (see()) return true;
    if (taken_ == 0 || !has_begun(number_ + 1)) return false;
    if (see()) return true;  // [L3]
    leave();
    return see();
  }

  /// Of a stream of messages the lines of so many are on their way while one is received. With 2 a message of
  /// 8 bytes took 64 ns, with 4 and 8 of them 54, far. Of a single message those ahead are still in this
  /// core's cache from the round before.
  static constexpr std::uint64_t kAhead = 4;

  const Cell* cells_;
  std::uint32_t count_;
  Credits* credits_;
  std::uint64_t number_ = 1;
  std::uint64_t seen_ = 0;   // of what is used in this cell
  std::uint64_t taken_ = 0;  // of that
  std::uint64_t freed_ = 0;
};

}  // namespace foldlane::engine
