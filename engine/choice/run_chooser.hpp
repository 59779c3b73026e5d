// A chooser of what shows in runs of messages only: of several that are under way each waits for others, so
// one of them says nothing of its way.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "engine/choice/decision.hpp"
#include "engine/choice/late_chooser.hpp"

namespace foldlane::engine {

/// How soon one message comes after the other.
template <class Clock>
class BasicPace {
 public:
  static constexpr auto kNever = Clock::time_point::max();    // nobody has asked the clock
  static constexpr auto kLongAgo = Clock::time_point::min();  // what counts is the message before

  /// Of one that is over and has begun then: nanoseconds since the message before, or since it began.
  double elapsed(typename Clock::time_point begun) noexcept {
    const auto now = Clock::now();
    const auto since = std::max(begun, std::exchange(last_end_, now));
    return std::chrono::duration<double, std::nano>(now - since).count();
  }

 private:
  typename Clock::time_point last_end_{};
};
using Pace = BasicPace<std::chrono::steady_clock>;

/// Of messages of about one size.
class RunChooser {
 public:
  /// Of two windows each. A trial takes ten windows, of which half take up to three times as long: it is to
  /// be a tenth of what has been sent before.
  static constexpr int kLikelyRuns = 64;

  /// `likely_runs`: what begins as is likely goes on so for that long.
  explicit RunChooser(Decisions::Entry& entry, int likely_runs = kLikelyRuns) noexcept
      : way_(entry, kTrialsAreOneIn), likely_runs_(likely_runs) {}

  bool is_new() const noexcept { return way_.is_new(); }
  bool has_decided() const noexcept { return way_.has_decided(); }
  void begin_like(const RunChooser& decided) noexcept {
    way_.begin_like(decided.way_);
    likely_ = likely_runs_ * kBrokenOff;
  }
  /// Until some runs are over, which may be all that a program does.
  void begin_with(Arm likely) noexcept {
    way_.begin_with(likely);
    likely_ = likely_runs_ * kBrokenOff;
  }

  Arm wanted() const noexcept { return way_.wanted().arm; }
  Arm settled() const noexcept { return way_.settled(); }
  bool is_on_trial() const noexcept { return way_.is_on_trial(); }
  bool watches(Arm taken) const noexcept { return way_.watches(taken); }
  void watch(double per_byte) noexcept { way_.watch(per_byte); }

  /// One more has come after so many nanoseconds, while so many others were under way. `is_as_wanted`: so
  /// were they.
  void note(std::size_t bytes, std::uint32_t others, bool is_as_wanted, double nanoseconds) noexcept {
    run_ = is_as_wanted ? run_.with(bytes, nanoseconds) : Run{};
    others_ = std::max(others_, others);
    const bool has_come_round = run_.is_over(most_others());
    if (likely_ > 0) return go_as_likely(has_come_round);
    if (has_come_round && way_.wanted().timed) way_.report(run_.bytes, run_.nanoseconds);
    if (has_come_round) begin_run();
    if (is_as_wanted && !has_come_round) return way_.go_on();
    way_.pass(has_come_round);
  }

 private:
  /// What is timed: of several under way each waits for others, so one of them shows nothing. Twice as many
  /// as the others, with this one among them, are about two of a program's windows. What lies in whose caches
  /// changes with the way, and has settled after two of them (64 messages of 512 KiB, pulled: 125 us each,
  /// then 60 to 70).
  struct Run {
    std::uint32_t messages = 0;
    std::size_t bytes = 0;
    double nanoseconds = 0;

    Run with(std::size_t more_bytes, double more_nanoseconds) const noexcept {
      return {messages + 1, bytes + more_bytes, nanoseconds + more_nanoseconds};
    }
    bool is_over(std::uint32_t most_others) const noexcept {
      constexpr std::uint32_t kLong = 8, kLongest = 128;
      constexpr std::size_t kLongBytes = 1 << 20;
      return messages + 1 >= std::min(2 * most_others, kLongest) &&
             (messages >= kLong || bytes >= kLongBytes);
    }
  };
  /// In this run and those before: of two arms one may have more under way, and both are to be timed for as
  /// long. A program that sends smaller windows from now on is noticed between trials.
  std::uint32_t most_others() const noexcept { return std::max(others_, others_before_); }
  void begin_run() noexcept {
    run_ = {};
    others_before_ = way_.is_on_trial() ? most_others() : others_;
    others_ = 0;
  }

  /// Turns last for many messages, of which half are in the other arm.
  static constexpr unsigned kTrialsAreOneIn = 64;
  /// Runs that have been broken off count, too, so many as one: the likely way may be one in which none comes
  /// to its end.
  static constexpr int kBrokenOff = 16;

  void go_as_likely(bool run_is_over) noexcept {
    if (!run_is_over && run_.messages > 0) return;
    likely_ = std::max(likely_ - (run_is_over ? kBrokenOff : 1), 0);
    if (run_is_over) begin_run();
  }

  LateChooser way_;
  int likely_runs_;
  Run run_;
  int likely_ = 0;            // runs yet to come as is likely, times kBrokenOff
  std::uint32_t others_ = 0;  // most of them, since this run began
  std::uint32_t others_before_ = 0;
};

}  // namespace foldlane::engine
