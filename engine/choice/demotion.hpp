// Whether the sender of a short message leaves what it has written in its own cache, or pushes it into the
// one that all cores share (the decision "message-lines", kernels::demote). The receiver times how long
// reading such a message takes it, and says which it wants in a line that the sender looks at anyhow. Both
// hold their trials at the same messages, because a lane brings all of them in order: with a message goes
// only whether it is one of them (kDemotable).
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <cstddef>
#include <cstdint>

#include "engine/choice/chooser.hpp"
#include "engine/choice/decision.hpp"
#include "engine/choice/trials.hpp"

namespace foldlane::engine {

/// Longer messages are not demoted: their reader's core fetches their lines ahead.
inline constexpr std::size_t kMostDemotedBytes = 1 << 10;

inline bool may_be_demoted(std::size_t bytes) noexcept {
  return bytes >= row_of(Decision::message_lines).from_bytes && bytes <= kMostDemotedBytes;
}

/// By size: up to 127 bytes, which lie in a cell or nearly would, up to 255, up to 511, and the others.
inline constexpr std::size_t kShortSizeClasses = 4;
inline constexpr std::size_t short_size_class(std::size_t bytes) noexcept {
  constexpr std::size_t kBitsOfFirst = 7;
  const auto bits = static_cast<std::size_t>(std::bit_width(bytes));
  return std::clamp(bits, kBitsOfFirst, kBitsOfFirst + kShortSizeClasses - 1) - kBitsOfFirst;
}

/// One of each for messages of about the same size.
template <class T>
class ByShortSize {
 public:
  explicit ByShortSize(const T& each) : items_{each, each, each, each} {}
  T& of(std::size_t bytes) noexcept { return items_[short_size_class(bytes)]; }

 private:
  std::array<T, kShortSizeClasses> items_;
};

/// The receiver's word: by class a bit for what is to be demoted.
class WantedLines {
 public:
  explicit WantedLines(std::uint32_t word) noexcept : word_(word) {}
  std::uint32_t word() const noexcept { return word_; }

  bool are_demoted(std::size_t bytes) const noexcept { return (word_ & bit_of(bytes)) != 0; }
  void set(std::size_t bytes, bool demoted) noexcept {
    word_ = demoted ? word_ | bit_of(bytes) : word_ & ~bit_of(bytes);
  }

 private:
  static std::uint32_t bit_of(std::size_t bytes) noexcept {
    return std::uint32_t{1} << short_size_class(bytes);
  }

  std::uint32_t word_;
};

/// The sender's end. Asked once for each message that may be demoted.
class SentLines {
 public:
  explicit SentLines(Decisions& decisions)
      : entry_(decisions.of(Decision::message_lines)), trials_(Trials(entry_.row->habits)) {}

  bool are_demoted(std::size_t bytes, WantedLines wanted) noexcept {
    const Trials::Turn turn = trials_.of(bytes).next();
    if (entry_.forced) [[unlikely]]
      return *entry_.forced == Arm::second;
    if (turn.arm) [[unlikely]]
      return *turn.arm == Arm::second;
    return wanted.are_demoted(bytes);
  }

 private:
  Decisions::Entry& entry_;
  ByShortSize<Trials> trials_;
};

/// The receiver's end.
template <class Clock = std::chrono::steady_clock>
class ReceivedLines {
 public:
  explicit ReceivedLines(Decisions& decisions) : choosers_(Chooser(decisions.of(Decision::message_lines))) {}

  /// Does read(), which is the first to read a message that may be demoted; then `word`, its own, says what
  /// is wanted from now on. Out of line: most messages do not come here.
  template <class Word, class Read>
  [[gnu::noinline]] void receive(std::size_t bytes, Word& word, const Read& read) {
    Chooser& chooser = choosers_.of(bytes);
    Chooser::Use use(&chooser);
    use.template perform<Clock>(bytes, [&](Arm) { read(); });
    if (!use.is_timed()) [[likely]]
      return;
    use.end();
    WantedLines wanted(word.peek());
    wanted.set(bytes, chooser.settled() == Arm::second);
    if (wanted.word() != word.peek()) word.publish(wanted.word());
  }

 private:
  ByShortSize<Chooser> choosers_;
};

}  // namespace foldlane::engine
