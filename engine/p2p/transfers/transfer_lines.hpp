// How the data of a long message get from its sender to its receiver: chunk by chunk through a few boxes in
// the sender's heap, or straight from or into a buffer that both can reach.
//
// PROTOCOL T "transfer"          sender                                  receiver, once it has matched
//                                                                         place = where it wants the data
//                                                                         handed_back = in which state it
//                                                                           hands back the boxes
//                                                                         publish taken = first  [T1.rel]
//   await taken + boxes > c                [T3.acq]
//   copy chunk c into box c % boxes
//   state, took = how the boxes came back from
//     the message before, and the time
//   publish filled = first + c + 1         [T2.rel]
//                                                                         await filled > first + c  [T2.acq]
//                                                                         copy chunk c out
//                                                                         after the last one: read state
//                                                                           and took
//                                                                         publish taken = first + c + 1
//                                                                         [T3.rel]
// `first` lies above all that the words were for earlier messages, so nobody resets them. The sender fills
// the first boxes before the message is matched. The last `taken` ends the transfer: the lines and the boxes
// are the sender's again; it remembers `handed_back` with the boxes. Where the receiver reads the sender's
// buffer itself, that is one chunk, and nothing is filled. Where it has a place that the sender can reach,
// that one copies what is not yet in boxes there, once it has seen [T1]; `boxed` says from where on. WITHOUT
// [T2]: the receiver reads a box before it is filled. WITHOUT [T3]: the sender fills one that is still being
// read, and tells of another message. MODEL: tests/model, "transfer".
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "engine/choice/handed_back.hpp"
#include "engine/data/pieces.hpp"
#include "engine/p2p/envelope.hpp"
#include "shm/segment/layout.hpp"

namespace foldlane::engine {

template <class Atoms>
struct BasicTransferLines {
  using Word = typename Atoms::template Word<std::uint64_t>;
  struct alignas(64) Sender {
    Word filled;
    Word boxes;  // where they are; bytes from the first heap's start
    Word boxed;  // how many chunks come through them
    Word state;  // HandedBack: in which they came back
    Word took;   // nanoseconds
  };
  struct alignas(64) Receiver {
    Word taken;
    Word place;  // kNoPlace: the sender cannot reach it
    Word handed_back;
  };
  Sender sender;
  Receiver receiver;
  BasicPieceLines<Atoms> pieces;
};

/// How a message is cut; both sides compute it.
class Chunks {
 public:
  static constexpr std::uint64_t kBoxes = 4;
  static constexpr std::uint64_t kBoxBytes = 32 << 10;
  /// What they lie in: the first one begins anywhere in its first page.
  static constexpr std::uint64_t kBlockBytes = kBoxes * kBoxBytes + shm::kPageBytes;

  /// In four parts if it is short: the receiver copies one while the sender copies the next.
  explicit Chunks(std::uint64_t bytes) noexcept
      : bytes_(bytes),
        chunk_bytes_(std::clamp((bytes / kBoxes + 4095) & ~std::uint64_t{4095}, kLeast, kBoxBytes)) {}

  std::uint64_t message_bytes() const noexcept { return bytes_; }
  std::uint64_t count() const noexcept { return (bytes_ + chunk_bytes_ - 1) / chunk_bytes_; }
  std::uint64_t offset(std::uint64_t chunk) const noexcept { return chunk * chunk_bytes_; }
  std::size_t bytes(std::uint64_t chunk) const noexcept {
    return static_cast<std::size_t>(std::min(chunk_bytes_, bytes_ - offset(chunk)));
  }
  /// The last one that is no remainder.
  bool is_last_whole(std::uint64_t chunk) const noexcept {
    return chunk + 1 == std::max<std::uint64_t>(bytes_ / chunk_bytes_, 1);
  }

 private:
  static constexpr std::uint64_t kLeast = 4 << 10;
  std::uint64_t bytes_;
  std::uint64_t chunk_bytes_;
};

/// The sender's end: one message after the other goes through the same lines.
template <class Atoms>
class BasicTransferSender {
 public:
  using Lines = BasicTransferLines<Atoms>;

  explicit BasicTransferSender(Lines* lines) noexcept : lines_(lines) {}
  Lines* lines() const noexcept { return lines_; }

  /// The next message, of at least one chunk. What `taken` is to be once it is matched goes with its
  /// envelope.
  std::uint64_t begin(std::uint64_t chunks) noexcept {
    first_ = end_ + 1;
    end_ = first_ + chunks;
    filled_ = 0;
    lines_->sender.boxed.publish(chunks);
    say({});
    return first_;
  }
  bool is_matched() const noexcept { return lines_->receiver.taken.observe() >= first_; }  // [T1.acq]
  /// Of one that is matched.
  std::uint64_t place() const noexcept { return lines_->receiver.place.observe(); }
  HandedBack handed_back() const noexcept {
    return static_cast<HandedBack>(lines_->receiver.handed_back.observe());
  }
  bool is_filled() const noexcept { return first_ + filled_ == end_; }
  /// The receiver is done with it, and with lines and boxes.
  bool is_over() const noexcept { return lines_->receiver.taken.observe() >= end_; }  // [T3.acq]

  void set_boxes(std::uint64_t place) noexcept { lines_->sender.boxes.publish(place); }
  /// For the receiver, with the next box that is filled.
  void say(const Sent& sent) noexcept {
    lines_->sender.state.publish(static_cast<std::uint64_t>(sent.state));
    lines_->sender.took.publish(static_cast<std::uint64_t>(sent.nanoseconds));
  }
  /// `copy(chunk)` copies it into its box; after each, `tell()`. True if there was a free box.
  template <class Copy, class Tell>
  bool fill(const Copy& copy, const Tell& tell) {
    const std::uint64_t before = filled_;
    for (; !is_filled(); tell()) {
      const std::uint64_t taken = lines_->receiver.taken.observe();  // [T3.acq]
      const std::uint64_t emptied = taken >= first_ ? taken - first_ : 0;
      if (filled_ >= emptied + Chunks::kBoxes) break;
      copy(filled_);
      lines_->sender.filled.publish(first_ + ++filled_);  // [T2.rel]
    }
    return filled_ != before;
  }
  /// `copy(chunk)` copies all from there on to the receiver's place.
  template <class Copy>
  void write_straight(const Copy& copy) {
    copy(filled_);
    lines_->sender.boxed.publish(filled_);
    filled_ = end_ - first_;
    lines_->sender.filled.publish(end_);  // [T2.rel]
  }

 private:
  Lines* lines_;
  std::uint64_t first_ = 0;
  std::uint64_t end_ = 0;     // what `taken` is at the message's end
  std::uint64_t filled_ = 0;  // chunks
};

/// The receiver's end, of one message.
template <class Atoms>
class BasicTransferReceiver {
 public:
  using Lines = BasicTransferLines<Atoms>;

  BasicTransferReceiver() = default;
  BasicTransferReceiver(Lines* lines, std::uint64_t first, std::uint64_t chunks) noexcept
      : lines_(lines), first_(first), count_(chunks) {}

  /// `place`: where the sender may write the data, or kNoPlace.
  void match(std::uint64_t place, HandedBack state = HandedBack::unsaid) noexcept {
    is_straight_ = place < kInPieces;
    lines_->receiver.place.publish(place);
    lines_->receiver.handed_back.publish(static_cast<std::uint64_t>(state));
    lines_->receiver.taken.publish(first_);  // [T1.rel]
  }
  Lines& lines() const noexcept { return *lines_; }
  std::uint64_t boxes() const noexcept { return lines_->sender.boxes.observe(); }
  bool is_over() const noexcept { return taken_ == count_; }
  /// Known from the copy of the last chunk on, and gone when that is over.
  Sent said() const noexcept {
    return {static_cast<HandedBack>(lines_->sender.state.observe()),
            static_cast<double>(lines_->sender.took.observe())};
  }

  /// `copy(chunk)` copies it out of its box; after each, `tell()`. True if there was something.
  template <class Copy, class Tell>
  bool take(const Copy& copy, const Tell& tell) {
    const std::uint64_t before = taken_;
    const std::uint64_t filled = lines_->sender.filled.observe();  // [T2.acq]
    const std::uint64_t there = filled > first_ ? std::min(filled - first_, count_) : 0;
    const bool all = is_straight_ && there == count_;
    const std::uint64_t boxed = all ? std::clamp(lines_->sender.boxed.observe(), taken_, count_) : there;
    while (taken_ < boxed) {
      copy(taken_);
      lines_->receiver.taken.publish(first_ + ++taken_);  // [T3.rel]
      tell();
    }
    if (all && taken_ < count_) take_rest();
    return taken_ != before;
  }
  /// What is not in boxes has been read, or written, where it lies.
  void take_rest() noexcept {
    taken_ = count_;
    lines_->receiver.taken.publish(first_ + count_);  // [T3.rel]
  }

 private:
  Lines* lines_ = nullptr;
  std::uint64_t first_ = 0;
  std::uint64_t count_ = 0;  // chunks
  std::uint64_t taken_ = 0;
  bool is_straight_ = false;
};

}  // namespace foldlane::engine
