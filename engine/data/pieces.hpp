// How the two ends of a long message copy it together, straight from buffer to buffer: in the heaps of the
// segment, or in private memory with the kernel's help. The receiver pulls pieces from the front, the sender,
// if it is there, pushes pieces from the back, until they meet. Alone the receiver takes twice as long (1
// MiB, far, just written, private: 80 us, together 40). Two members fold what one of them offers in the same
// way (engine/algorithms/fold_offered.hpp).
//
// PROTOCOL P "pieces"        sender                             receiver, once it has matched
//   claims = 0, pushed = 0             before the envelope is published
//   may take that back: claims 0 -> all  [P1]                 claims 0 -> 1                   [P1]
//                                                             target = its buffer
//                                                             matched                     [T1.rel]
//                                                             copies piece 0
//   claims the next from the back        [P1]                 claims the next from the front  [P1]
//   copies it to the target                                   copies it
//   publishes pushed + 1             [P2.rel]
//                                                             none is left: awaits that pushed is
//                                                             as many as are claimed from the
//                                                             back                        [P2.acq]
//                                                             publishes taken = end       [T3.rel]
// WITHOUT [P1], a locked exchange of both numbers: both copy the same piece, and the sender is still writing
// into a buffer that the receive has given back; or the receiver reads a buffer that the send has given back.
// WITHOUT [P2]: as the former. MODEL: tests/model, "transfer".
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace foldlane::engine {

template <class Atoms>
struct alignas(64) BasicPieceLines {
  using Word = typename Atoms::template Word<std::uint64_t>;

  Word claims;   // from the front, and 2^32 for each from the back. Writers: both
  Word pushed;   // by the sender; kRefused: the system does not let it
  Word target;   // the receiver's buffer
  Word process;  // whose address that is; 0: bytes from the first heap's start
};

/// How a message is cut; both sides compute it.
class Pieces {
 public:
  Pieces() = default;
  explicit Pieces(std::uint64_t bytes) noexcept
      : Pieces(bytes, std::clamp((bytes / 2 + 4095) & ~std::uint64_t{4095}, kLeast, kMost)) {}
  Pieces(std::uint64_t bytes, std::uint64_t piece_bytes) noexcept
      : bytes_(bytes), piece_bytes_(piece_bytes) {}

  std::uint64_t count() const noexcept { return (bytes_ + piece_bytes_ - 1) / piece_bytes_; }
  std::uint64_t offset(std::uint64_t piece) const noexcept { return piece * piece_bytes_; }
  std::size_t bytes(std::uint64_t piece, std::uint64_t pieces = 1) const noexcept {
    return static_cast<std::size_t>(std::min(pieces * piece_bytes_, bytes_ - offset(piece)));
  }

 private:
  /// A call of the kernel costs as much as 4 KiB or more. Far, pulled in pieces of at least 32, 16, 8 KiB:
  /// half a round trip of 32 KiB 4.6, 3.5, 3.6 us, 16 KiB 3.2, 3.1, 3.0; 32 KiB in windows of
  /// 64 5.2, 3.4, 3.4.
  static constexpr std::uint64_t kLeast = 16 << 10;
  static constexpr std::uint64_t kMost = 256 << 10;
  std::uint64_t bytes_ = 0;
  std::uint64_t piece_bytes_ = kLeast;
};

/// What both ends do with the lines.
template <class Atoms>
class BasicPieceClaims {
 public:
  using Lines = BasicPieceLines<Atoms>;

  BasicPieceClaims() = default;
  BasicPieceClaims(Lines& lines, std::uint64_t count) noexcept : lines_(&lines), count_(count) {}

  // ---- the sender

  /// Before the envelope is published.
  void begin() noexcept {
    lines_->claims.publish(0);
    lines_->pushed.publish(0);
  }
  /// The receiver is not to begin any more. False: it has begun.
  bool withdraw() noexcept { return lines_->claims.claim(0, count_); }
  std::uint64_t target() const noexcept { return lines_->target.observe(); }
  int process() const noexcept { return static_cast<int>(lines_->process.observe()); }
  /// `push(piece)` copies it, or returns false if the system refuses; then the receiver copies it. False:
  /// there is none to copy.
  template <class Push>
  bool push_one(const Push& push) {
    const std::uint64_t done = lines_->pushed.peek();
    if ((done & kRefused) != 0) return false;
    const std::optional<std::uint64_t> claimed = claim(kFromBack);
    if (!claimed) return false;
    const bool could = push(count_ - 1 - (*claimed >> kBackBits));
    lines_->pushed.publish(could ? done + 1 : done | kRefused);  // [P2.rel]
    return true;
  }

  // ---- the receiver

  /// Before it begins: the sender has not withdrawn it.
  bool is_offered() const noexcept { return lines_->claims.observe() == 0; }
  /// Before it says that the message is matched: it copies so many pieces, at least one, by itself. False:
  /// the sender has withdrawn it.
  bool begin_pulling(std::uint64_t pieces, std::uint64_t target, int process) noexcept {
    lines_->target.publish(target);
    lines_->process.publish(static_cast<std::uint64_t>(process));
    return lines_->claims.claim(0, pieces);
  }
  /// `pull(piece)` copies it. False: there is none to copy now.
  template <class Pull>
  bool pull_one(const Pull& pull) {
    if (const std::optional<std::uint64_t> claimed = claim(1)) {
      pull(*claimed & (kFromBack - 1));
      return true;
    }
    const std::uint64_t pushed = lines_->pushed.observe();  // [P2.acq]
    if ((pushed & kRefused) == 0 || is_over_) return false;
    is_over_ = true;
    pull(count_ - 1 - (pushed & ~kRefused));
    return true;
  }
  /// How many the sender has claimed. Once there is none left to claim, that is how many it copies.
  std::uint64_t claimed_from_back() const noexcept { return lines_->claims.observe() >> kBackBits; }
  /// All are copied.
  bool is_over() noexcept {
    const std::uint64_t claims = lines_->claims.observe();
    const std::uint64_t back = claims >> kBackBits;
    if ((claims & (kFromBack - 1)) + back < count_) return false;
    is_over_ = is_over_ || lines_->pushed.observe() == back;  // [P2.acq]
    return is_over_;
  }

 private:
  static constexpr unsigned kBackBits = 32;
  static constexpr std::uint64_t kFromBack = std::uint64_t{1} << kBackBits;
  static constexpr std::uint64_t kRefused = std::uint64_t{1} << 63;

  /// The claims before; none if all pieces are claimed.
  std::optional<std::uint64_t> claim(std::uint64_t one) noexcept {
    for (;;) {
      const std::uint64_t seen = lines_->claims.observe();
      if ((seen & (kFromBack - 1)) + (seen >> kBackBits) == count_) return std::nullopt;
      if (lines_->claims.claim(seen, seen + one)) return seen;  // [P1]
    }
  }

  Lines* lines_ = nullptr;
  std::uint64_t count_ = 0;
  bool is_over_ = false;
};

}  // namespace foldlane::engine
