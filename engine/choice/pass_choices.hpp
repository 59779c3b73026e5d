// What the taker in a team of two decides about data that the other member passes it (the decision
// "pass-way"): whether their giver puts them into boxes, or says where they are, and they are pulled with the
// kernel's help. Far, lines that are put and taken cross from core to core twice, and what its giver has not
// written since the last call still lies in the taker's cache.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>

#include "engine/choice/by_size.hpp"
#include "engine/choice/decision.hpp"
#include "engine/choice/late_chooser.hpp"

namespace foldlane::engine {

/// More is not pulled: who pulls does nothing else meanwhile, whatever operations and messages wait for that.
inline constexpr std::uint64_t kMostPulled = 1 << 20;

/// What is done with the data. `exchanged`: copied, while others go the other way.
enum class Passed : std::uint8_t { copied, folded, exchanged };

/// Others always go through boxes. Who exchange data wait for each other's pulling: far, boxes and pulled, 16
/// KiB 2.6 and 2.7 us, 32 KiB 5.1 and 3.8.
constexpr bool may_be_pulled(Passed passed, std::uint64_t bytes,
                             std::uint64_t from_bytes = row_of(Decision::pass_way).from_bytes) noexcept {
  const std::uint64_t least = passed == Passed::exchanged ? 2 * from_bytes : from_bytes;
  return bytes >= least && bytes <= kMostPulled;
}

/// What one choice is about. `is_again`: they come from where they came from a short while ago.
struct PassKind {
  Passed passed;
  std::size_t bytes;
  bool is_again;
};

template <class Clock>
class BasicPassChoices {
 public:
  class Use;

  explicit BasicPassChoices(Decisions& decisions)
      : BasicPassChoices(decisions.of(Decision::pass_way),
                         BySize<LateChooser>(LateChooser(decisions.of(Decision::pass_way)))) {}

  bool has_choice(Passed passed, std::uint64_t bytes) const noexcept {
    return may_be_pulled(passed, bytes, decision_.row->from_bytes);
  }

  /// Whether this process can pull what the other one has.
  void learn(bool granted) noexcept {
    is_granted_ = granted;
    wants_ = granted && decision_.forced == Arm::second ? ~std::uint64_t{0} : 0;
  }
  /// For the giver: a bit for each kind of data that this process wants to pull.
  std::uint64_t wants() const noexcept { return wants_; }
  static bool is_wanted(std::uint64_t wants, const PassKind& kind) noexcept {
    return (wants & bit_of(kind)) != 0;
  }

 private:
  static constexpr std::size_t kGroups = 6;

  BasicPassChoices(Decisions::Entry& decision, const BySize<LateChooser>& fresh)
      : decision_(decision), ways_{fresh, fresh, fresh, fresh, fresh, fresh} {}

  static std::size_t group_of(const PassKind& kind) noexcept {
    return 2 * static_cast<std::size_t>(kind.passed) + (kind.is_again ? 1U : 0U);
  }
  static std::uint64_t bit_of(const PassKind& kind) noexcept {
    constexpr std::size_t kFirst = size_class(row_of(Decision::pass_way).from_bytes);
    constexpr std::size_t kClasses = size_class(kMostPulled) + 1 - kFirst;
    static_assert(kGroups * kClasses <= 64);
    return std::uint64_t{1} << (group_of(kind) * kClasses + std::max(size_class(kind.bytes), kFirst) -
                                kFirst);
  }

  Decisions::Entry& decision_;
  std::array<BySize<LateChooser>, kGroups> ways_;
  bool is_granted_ = false;
  std::uint64_t wants_ = 0;
};

/// Of one call, from the first of its data to the last: waiting for what is not in boxes yet is a part of
/// that way.
template <class Clock>
class BasicPassChoices<Clock>::Use {
 public:
  /// They come in one of the ways.
  void begin(BasicPassChoices& choices, const PassKind& kind, Arm taken) noexcept {
    if (!choices.is_granted_) return;
    choices_ = &choices;
    way_ = &choices.ways_[group_of(kind)].informed(kind.bytes);
    bit_ = bit_of(kind);
    bytes_ = kind.bytes;
    has_come_round_ = way_->wanted().arm == taken;
    if (way_->wanted().timed && has_come_round_) since_ = Clock::now();
  }
  /// All are taken. False: nothing was begun.
  bool end() noexcept {
    if (way_ == nullptr) return false;
    if (way_->wanted().timed && has_come_round_) {
      const std::chrono::duration<double, std::nano> took = Clock::now() - since_;
      way_->report(bytes_, took.count());
    }
    way_->pass(has_come_round_);
    const bool pulls = way_->wanted().arm == Arm::second;
    choices_->wants_ = pulls ? choices_->wants_ | bit_ : choices_->wants_ & ~bit_;
    way_ = nullptr;
    return true;
  }

 private:
  BasicPassChoices* choices_ = nullptr;
  LateChooser* way_ = nullptr;
  std::uint64_t bit_ = 0;
  std::size_t bytes_ = 0;
  bool has_come_round_ = false;
  typename Clock::time_point since_{};
};

using PassChoices = BasicPassChoices<std::chrono::steady_clock>;

}  // namespace foldlane::engine
