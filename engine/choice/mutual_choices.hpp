// What the lower one of two ranks that send each other long messages at the same time decides for both
// directions (the decision "message-way"). A trial of one direction would show nothing: both ends copy for
// both, and what one way saves them the other one takes. So all go one way for a while, and then the other
// one, and what counts is how soon one message comes after the other. The lower rank says so in the word in
// which receivers say what they want (Pulls::Wanted::for_both), and sends so itself; the higher one sends as
// that word says, and does not decide meanwhile.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "engine/choice/by_size.hpp"
#include "engine/choice/decision.hpp"
#include "engine/choice/late_chooser.hpp"

namespace foldlane::engine {

/// What a rank was sending to another one while a message came from there: messages of about its size that
/// could be pulled.
struct SentMeanwhile {
  using Clock = std::chrono::steady_clock;
  static constexpr Clock::time_point kNever = Clock::time_point::max();  // nobody has asked the clock

  bool in_boxes = false;
  bool pulled = false;
  Clock::time_point since = kNever;  // when the first of them began
  std::uint32_t begun = 0;           // how many had ever begun when the message was matched

  bool any() const noexcept { return in_boxes || pulled; }
  bool is_all(Arm way) const noexcept {
    return way == Arm::second ? pulled && !in_boxes : in_boxes && !pulled;
  }
  void add(const SentMeanwhile& later) noexcept {
    in_boxes |= later.in_boxes;
    pulled |= later.pulled;
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

/// Of messages of about one size.
class MutualWay {
 public:
  explicit MutualWay(Decisions::Entry& entry) noexcept : way_(entry) {}

  bool is_new() const noexcept { return way_.is_new(); }
  bool has_decided() const noexcept { return way_.has_decided(); }
  void begin_like(const MutualWay& decided) noexcept { way_.begin_like(decided.way_); }

  Arm wanted() const noexcept { return way_.wanted().arm; }
  bool is_on_trial() const noexcept { return way_.is_on_trial(); }

  /// One more has come after so many nanoseconds. `is_as_wanted`: so were those that went the other way.
  void note(std::size_t bytes, bool is_as_wanted, double nanoseconds) noexcept {
    run_ = is_as_wanted ? Run{run_.messages + 1, run_.bytes + bytes, run_.nanoseconds + nanoseconds} : Run{};
    const bool has_come_round = run_.messages == kLongestRun || run_.bytes >= kRunBytes;
    if (has_come_round && way_.wanted().timed) way_.report(run_.bytes, run_.nanoseconds);
    if (has_come_round) run_ = {};
    way_.pass(has_come_round);
  }

 private:
  /// What is timed: of several under way each waits for others, so one of them shows nothing.
  static constexpr int kLongestRun = 8;
  static constexpr std::size_t kRunBytes = 1 << 20;
  struct Run {
    int messages = 0;
    std::size_t bytes = 0;
    double nanoseconds = 0;
  };

  LateChooser way_;
  Run run_;
};

class MutualChoices {
 public:
  using Clock = SentMeanwhile::Clock;
  /// How messages of a size are to go both ways from now on.
  struct Agreed {
    Arm way;
    bool is_timed;
  };

  /// `decides`: this rank is the lower one.
  MutualChoices(Decisions& decisions, bool decides) {
    const BySize<MutualWay> fresh(MutualWay(decisions.of(Decision::message_way)));
    if (decides) ways_ = std::make_unique<Ways>(Ways{fresh, fresh});
  }

  /// The last message has met others that went the other way, and this rank has decided for both.
  bool are_usual() const noexcept { return are_usual_; }
  /// When a message is matched.
  Clock::time_point begin() const noexcept { return is_timed_ ? Clock::now() : SentMeanwhile::kNever; }
  /// It is over. Nothing if it has met no other one, or if this is not for its receiver to decide.
  std::optional<Agreed> end(std::size_t bytes, bool is_again, Arm taken, Clock::time_point begun,
                            const SentMeanwhile& meanwhile) noexcept {
    are_usual_ = ways_ != nullptr && meanwhile.any();
    if (!are_usual_) {
      is_timed_ = false;
      return std::nullopt;
    }
    MutualWay& way = (*ways_)[is_again ? 1 : 0].informed(bytes);
    const bool is_timed = !way.is_on_trial() || begun != SentMeanwhile::kNever;
    const bool is_as_wanted = is_timed && taken == way.wanted() && meanwhile.is_all(taken);
    way.note(bytes, is_as_wanted, way.is_on_trial() ? elapsed(std::min(begun, meanwhile.since)) : 0);
    is_timed_ = way.is_on_trial();
    return Agreed{way.wanted(), is_timed_};
  }

 private:
  using Ways = std::array<BySize<MutualWay>, 2>;

  /// Since the message before, or since this one, or what met it, began.
  double elapsed(Clock::time_point begun) noexcept {
    const Clock::time_point now = Clock::now();
    const auto since = std::max(begun, std::exchange(last_end_, now));
    return std::chrono::duration<double, std::nano>(now - since).count();
  }

  bool are_usual_ = false;
  bool is_timed_ = false;
  std::unique_ptr<Ways> ways_;  // of what comes from elsewhere, and from where its sender has sent before
  Clock::time_point last_end_{};
};

}  // namespace foldlane::engine
