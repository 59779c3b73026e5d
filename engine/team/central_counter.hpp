// Where ranks share CPUs: whoever arrives last does for all what all wait for, and publishes one
// word. Everybody looks at that word alone, whenever it has its turn on a CPU, and sleeps once, if at all;
// where everybody looked at everybody, 1,000 ranks would read a million lines per call.
//
// PROTOCOL G "central counter"    every member m                        the last one, l
//   m:  count itself in arrived (epoch, count)          [G1] claim       finds that it is the last
//       show(e): its input beside the epoch             [H2.rel] of PROTOCOL H (team.hpp)
//   l:                                                                   await shown(e) of all   [H2.acq]
//                                                                        fold; write the result beside
//                                                                        `done`, a long one into its line
//                                                                        publish done(e)         [G2.rel]
//   m:  await done(e)                                   [G2.acq]
//       read the result there, or, of an exchange, what all have shown
// A member arrives in e+1 only after it has read the result of e: so done(e) proves that everybody has
// finished e-1, and `done`, `last` and a short result are read before they change; a long one stays until the
// line is used again, in e+2. WITHOUT [G2]: a member reads a stale result. WITHOUT the wait for all shown: l
// folds an input that is not there. MODEL: tests/model, "central".
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "engine/team/agreement.hpp"
#include "engine/team/membership.hpp"

namespace foldlane::engine {

/// Where members show what they give.
enum class Places : std::uint8_t { lines, slots };

template <class Atoms>
class BasicCentralCounter {
 public:
  using Bell = shm::LockedBell<Atoms>;
  using Lines = BasicTeamLines<Atoms>;

  BasicCentralCounter(const BasicMembership<Atoms>& membership, const BasicAgreement<Atoms>& agreement)
      : membership_(membership), agreement_(agreement) {}
  BasicCentralCounter(const BasicCentralCounter&) = delete;
  BasicCentralCounter& operator=(const BasicCentralCounter&) = delete;

  /// True for the last of the members.
  bool arrive(std::uint64_t epoch, Places places = Places::lines) noexcept {
    epoch_ = epoch;
    places_ = places;
    first_missing_ = 0;
    auto& words = central();
    for (;;) {
      const std::uint64_t seen = words.arrived.observe();
      const std::uint64_t count = (seen >> kCountBits == epoch ? seen & kCount : 0) + 1;
      if (!words.arrived.claim(seen, epoch << kCountBits | count)) continue;  // [G1]
      if (count < size()) return false;
      words.last.publish(static_cast<std::uint64_t>(membership_.rank()));
      return true;
    }
  }

  /// By the last one.
  void publish_done() noexcept {
    membership_.signals().publish(central().done, agreement_.mark(epoch_));  // [G2.rel]
    if (bell().is_awaited()) bell().ring();
  }
  /// Who that was. Needs done(epoch) awaited, or that nobody is missing.
  int last() const noexcept {
    // Whatever a program's stray store has made of the word, it becomes a member.
    return static_cast<int>(std::min(central().last.observe(), size() - 1));
  }

  /// Where the last one leaves a result of at most Lines::kCentralBytes for all: whoever has seen that it is
  /// done has its line.
  std::byte* result() const noexcept { return central().result; }

  // ---- for who waits for the latest epoch that this member has arrived in

  Bell& bell() const noexcept { return central().bell; }
  /// How many have not arrived. None: the last one is at work.
  std::uint32_t missing() const noexcept {
    const std::uint64_t seen = central().arrived.observe();
    return seen >> kCountBits == epoch_ ? static_cast<std::uint32_t>(size() - (seen & kCount)) : 0;
  }
  /// A member that has not shown its input to this call, be it that it is in another one; or the last one if
  /// all have. Looks at each member once.
  int find_missing() const noexcept {
    const std::uint64_t shown = agreement_.mark(epoch_);
    while (first_missing_ < membership_.size() && mark_of(membership_.lines(first_missing_)) == shown)
      ++first_missing_;
    return first_missing_ < membership_.size() ? first_missing_ : last();
  }

 private:
  // Epochs have 48 bits in marks too.
  static constexpr unsigned kCountBits = 16;
  static constexpr std::uint64_t kCount = (std::uint64_t{1} << kCountBits) - 1;

  std::uint64_t mark_of(const Lines& lines) const noexcept {
    if (places_ == Places::lines) return lines.inline_lines[epoch_ % Lines::kInlineLines].mark.observe();
    const auto slots = static_cast<std::uint64_t>(membership_.process().geometry().slots);
    return lines.steps.in_slot[epoch_ % slots].mark.observe();
  }
  auto& central() const noexcept { return membership_.lines(0).finished.central; }
  std::uint64_t size() const noexcept { return static_cast<std::uint64_t>(membership_.size()); }

  const BasicMembership<Atoms>& membership_;
  const BasicAgreement<Atoms>& agreement_;
  std::uint64_t epoch_ = 0;
  Places places_ = Places::lines;
  mutable int first_missing_ = 0;
};

}  // namespace foldlane::engine
