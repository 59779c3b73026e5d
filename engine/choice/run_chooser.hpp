// A chooser of what shows in runs of messages only: of several that are under way each waits for others, so
// one of them says nothing of its way.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "engine/choice/decision.hpp"
#include "engine/choice/late_chooser.hpp"

namespace foldlane::engine {

/// Of messages of about one size.
class RunChooser {
 public:
  explicit RunChooser(Decisions::Entry& entry) noexcept : way_(entry) {}

  bool is_new() const noexcept { return way_.is_new(); }
  bool has_decided() const noexcept { return way_.has_decided(); }
  void begin_like(const RunChooser& decided) noexcept { way_.begin_like(decided.way_); }
  /// Until some runs are over, which may be all that a program does.
  void begin_with(Arm likely) noexcept {
    way_.begin_with(likely);
    likely_runs_ = kLikelyRuns;
  }

  Arm wanted() const noexcept { return way_.wanted().arm; }
  bool is_on_trial() const noexcept { return way_.is_on_trial(); }

  /// One more has come after so many nanoseconds, while so many went the other way. `is_as_wanted`: so were
  /// they.
  void note(std::size_t bytes, std::uint32_t others, bool is_as_wanted, double nanoseconds) noexcept {
    run_ = is_as_wanted ? run_.with(bytes, others, nanoseconds) : Run{};
    const bool has_come_round = run_.is_over();
    if (likely_runs_ > 0) return go_as_likely(has_come_round);
    if (has_come_round && way_.wanted().timed) way_.report(run_.bytes, run_.nanoseconds);
    if (has_come_round) run_ = {};
    if (is_as_wanted && !has_come_round) return way_.go_on();
    way_.pass(has_come_round);
  }

 private:
  /// What is timed: of several under way each waits for others, so one of them shows nothing. Twice as many
  /// as went the other way, with this one among them, are about a program's window. What lies in whose caches
  /// changes with the way, and has settled after two of them (64 messages of 512 KiB, pulled: 125 us each,
  /// then 60 to 70).
  struct Run {
    std::uint32_t messages = 0;
    std::uint32_t most_others = 0;
    std::size_t bytes = 0;
    double nanoseconds = 0;

    Run with(std::size_t more_bytes, std::uint32_t others, double more_nanoseconds) const noexcept {
      return {messages + 1, std::max(most_others, others), bytes + more_bytes,
              nanoseconds + more_nanoseconds};
    }
    bool is_over() const noexcept {
      constexpr std::uint32_t kLong = 8, kLongest = 128;
      constexpr std::size_t kLongBytes = 1 << 20;
      return messages + 1 >= std::min(2 * most_others, kLongest) &&
             (messages >= kLong || bytes >= kLongBytes);
    }
  };

  /// Of two windows each. A trial takes twelve, and launches of the suites send up to six windows.
  static constexpr int kLikelyRuns = 8;

  /// A run that has been broken off counts, too: the likely way may be one in which none comes to its end.
  void go_as_likely(bool run_is_over) noexcept {
    if (!run_is_over && run_.messages > 0) return;
    --likely_runs_;
    run_ = {};
  }

  LateChooser way_;
  Run run_;
  int likely_runs_ = 0;
};

}  // namespace foldlane::engine
