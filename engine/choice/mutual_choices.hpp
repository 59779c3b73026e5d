// What the lower one of two ranks that send each other long messages, at the same time or by turns, decides
// for both directions (the decision "message-way"). A trial of one direction would show nothing: both ends
// copy for both, and what one way saves them the other one takes. So all go one way for a while, and then the
// other one, and what counts is how soon one message comes after the other. The lower rank says so in the
// word in which receivers say what they want (Pulls::Wanted::for_both), and sends so itself; the higher one
// sends as that word says, and does not decide meanwhile.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "engine/choice/by_size.hpp"
#include "engine/choice/decision.hpp"
#include "engine/choice/run_chooser.hpp"

namespace foldlane::engine {

/// What a rank was sending to another one while a message came from there, or has since the last ones that
/// did: messages of about its size that could be pulled.
struct SentMeanwhile {
  using Clock = std::chrono::steady_clock;
  static constexpr Clock::time_point kNever = Pace::kNever;

  std::uint32_t in_boxes = 0;
  std::uint32_t pulled = 0;
  Clock::time_point since = kNever;  // when the first of them began
  std::uint32_t begun = 0;           // how many had ever begun when the message was matched

  std::uint32_t messages() const noexcept { return in_boxes + pulled; }
  bool any() const noexcept { return messages() > 0; }
  bool is_all(Arm way) const noexcept { return any() && (way == Arm::second ? in_boxes : pulled) == 0; }
  void add(const SentMeanwhile& later) noexcept {
    in_boxes += later.in_boxes;
    pulled += later.pulled;
    since = std::min(since, later.since);
  }
};

/// The way that has been decided, by size.
class AgreedWays {
 public:
  void set(std::size_t bytes, Arm way) noexcept {
    known_ |= bit(bytes);
    pulled_ = way == Arm::second ? pulled_ | bit(bytes) : pulled_ & ~bit(bytes);
  }
  std::optional<Arm> of(std::size_t bytes) const noexcept {
    if ((known_ & bit(bytes)) == 0) return std::nullopt;
    return (pulled_ & bit(bytes)) != 0 ? Arm::second : Arm::first;
  }

 private:
  static_assert(kSizeClasses <= 32);
  static constexpr std::uint32_t bit(std::size_t bytes) noexcept { return 1U << size_class(bytes); }

  std::uint32_t known_ = 0;
  std::uint32_t pulled_ = 0;
};

template <class Clock>
class BasicMutualChoices {
 public:
  /// `decides`: this rank is the lower one. `likely_runs`: as RunChooser's.
  BasicMutualChoices(Decisions& decisions, bool decides, int likely_runs = RunChooser::kLikelyRuns) {
    const BySize<RunChooser> fresh(RunChooser(decisions.of(Decision::message_way), likely_runs));
    if (decides) ways_ = std::make_unique<Ways>(Ways{fresh, fresh});
  }

  /// The last message has met others that went the other way, and this rank has decided for both.
  bool are_usual() const noexcept { return are_usual_; }
  /// It is to be known when one like that begins.
  bool times(std::size_t bytes, bool is_again) const noexcept {
    return are_usual_ && (*ways_)[is_again ? 1 : 0].of(bytes).is_on_trial();
  }
  /// It is over. How messages of its size are to go both ways from now on: at first as is `likely`; nothing
  /// if it has met no other one, or if this is not for its receiver to decide.
  std::optional<Arm> end(std::size_t bytes, bool is_again, Arm taken, typename Clock::time_point begun,
                         const SentMeanwhile& meanwhile, Arm likely) noexcept {
    are_usual_ = ways_ != nullptr && meanwhile.any();
    if (!are_usual_) return std::nullopt;
    RunChooser& way = (*ways_)[is_again ? 1 : 0].informed(bytes, likely);
    const auto first = std::min(begun, meanwhile.since);
    const bool is_known = !way.is_on_trial() || first != SentMeanwhile::kNever;
    const bool is_as_wanted = taken == way.wanted() && meanwhile.is_all(taken) && is_known;
    const double took = way.is_on_trial() && is_known ? pace_.elapsed(first) : 0;
    way.note(bytes, meanwhile.messages(), is_as_wanted, took);
    return way.wanted();
  }

 private:
  using Ways = std::array<BySize<RunChooser>, 2>;

  bool are_usual_ = false;
  std::unique_ptr<Ways> ways_;  // of what comes from elsewhere, and from where its sender has sent before
  BasicPace<Clock> pace_;
};
using MutualChoices = BasicMutualChoices<std::chrono::steady_clock>;

}  // namespace foldlane::engine
