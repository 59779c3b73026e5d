// How the data of a long message get from its sender to its receiver: chunk by chunk through a few boxes in
// the sender's heap, or straight from or into a buffer that both can reach.
//
// PROTOCOL T "transfer"          sender                                  receiver, once it has matched
//                                                                         place = where it wants the data
//                                                                         publish taken = first  [T1.rel]
//   await taken + boxes > c                [T3.acq]
//   copy chunk c into box c % boxes
//   publish filled = first + c + 1         [T2.rel]
//                                                                         await filled > first + c  [T2.acq]
//                                                                         copy chunk c out
//                                                                         publish taken = first + c + 1
//                                                                         [T3.rel]
// `first` lies above all that the words were for earlier messages, so nobody resets them. The sender fills
// the first boxes before the message is matched. The last `taken` ends the transfer: the lines and the boxes
// are the sender's again. Where the receiver reads the sender's buffer itself, that is one chunk, and nothing
// is filled. Where it has a place that the sender can reach, that one copies what is not yet in boxes there,
// once it has seen [T1]; `boxed` says from where on. WITHOUT [T2]: the receiver reads a box before it is
// filled. WITHOUT [T3]: the sender fills one that is still being read. MODEL: tests/model, "transfer".
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "engine/p2p/envelope.hpp"

namespace foldlane::engine {

template <class Atoms>
struct BasicTransferLines {
  using Word = typename Atoms::template Word<std::uint64_t>;
  struct alignas(64) Sender {
    Word filled;
    Word boxes;  // where they are; bytes from the first heap's start
    Word boxed;  // how many chunks come through them
  };
  struct alignas(64) Receiver {
    Word taken;
    Word place;  // kNoPlace: the sender cannot reach it
  };
  Sender sender;
  Receiver receiver;
};

/// How a message is cut; both sides compute it.
class Chunks {
 public:
  static constexpr std::uint64_t kBoxes = 4;
  static constexpr std::uint64_t kBoxBytes = 32 << 10;

  /// In four parts if it is short: the receiver copies one while the sender copies the next.
  explicit Chunks(std::uint64_t bytes) noexcept
      : bytes_(bytes),
        chunk_bytes_(std::clamp((bytes / kBoxes + 4095) & ~std::uint64_t{4095}, kLeast, kBoxBytes)) {}

  std::uint64_t count() const noexcept { return (bytes_ + chunk_bytes_ - 1) / chunk_bytes_; }
  std::uint64_t offset(std::uint64_t chunk) const noexcept { return chunk * chunk_bytes_; }
  std::size_t bytes(std::uint64_t chunk) const noexcept {
    return static_cast<std::size_t>(std::min(chunk_bytes_, bytes_ - offset(chunk)));
  }

 private:
  static constexpr std::uint64_t kLeast = 4 << 10;
  std::uint64_t bytes_;
  std::uint64_t chunk_bytes_;
};

}  // namespace foldlane::engine
