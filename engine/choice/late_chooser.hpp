// A chooser whose choice takes effect some messages later.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>

#include "engine/choice/chooser.hpp"
#include "engine/choice/watch.hpp"

namespace foldlane::engine {

/// Messages that are under way have left as was wanted before. So a turn of a trial lasts until one has come
/// as it wants.
class LateChooser {
 public:
  /// Of all messages no more than one in so many belongs to a trial, however long its turns last. But what
  /// one trial has changed another one looks at soon, and so does one after an alarm.
  static constexpr unsigned kTrialsAreOneIn = 16;

  /// Of a pair's first messages each finds something new: memory, places, what the system does at once.
  static constexpr unsigned kFirst = 2;

  /// The first trial does not come before so many messages: `before_first_trial`.
  explicit LateChooser(Decisions::Entry& entry, unsigned trials_are_one_in = kTrialsAreOneIn,
                       unsigned before_first_trial = kFirst) noexcept
      : chooser_(entry),
        trials_are_one_in_(trials_are_one_in),
        wanted_{chooser_.settled(), false},
        rest_(before_first_trial) {}

  /// As a chooser's, by the messages that have passed.
  bool is_new() const noexcept { return chooser_.is_new(); }
  bool has_decided() const noexcept { return chooser_.has_decided(); }
  void begin_like(const LateChooser& decided) noexcept {
    chooser_.begin_like(decided.chooser_);
    begin();
  }
  void begin_with(Arm likely) noexcept {
    chooser_.begin_with(likely);
    begin();
  }

  /// How a message should come next.
  const Chooser::Choice& wanted() const noexcept { return wanted_; }
  Arm settled() const noexcept { return chooser_.settled(); }
  bool is_on_trial() const noexcept { return wanted_.timed || chooser_.is_on_trial(); }
  void report(std::size_t bytes, double nanoseconds) noexcept { chooser_.report(bytes, nanoseconds); }
  /// Messages that come in this way are to be watched.
  bool watches(Arm taken) const noexcept { return !is_on_trial() && settled() == taken; }
  /// What a part of one took, per byte.
  void watch(double per_byte) noexcept {
    if (!watch_.is_on()) return learn(per_byte);
    if (!watch_.note(per_byte)) return;
    chooser_.try_soon();
    rest_ = 0;
  }
  /// A message is over, which came as was wanted, or did not.
  void pass(bool has_come_round) noexcept {
    if (is_on_trial()) return pass_in_trial(has_come_round);
    if (rest_ > 0) {
      --rest_;
    } else {
      wanted_ = chooser_.next();
    }
  }

  /// One came as was wanted, and the turn of the trial lasts for more of them.
  void go_on() noexcept {
    if (!is_on_trial()) return pass(true);
    ++took_;
    hold(1);
  }

 private:
  void begin() noexcept {
    wanted_ = {chooser_.settled(), false};
    settled_before_ = wanted_.arm;
  }

  /// So many messages a sender has boxes for. If none of them comes as it should, others take the boxes, or
  /// their sender cannot send them that way. Where a turn lasts for several, those that came as they should
  /// count an eighth: it may be broken off each time.
  static constexpr unsigned kHeld = 8;
  static constexpr unsigned kMostHeld = 512 * kHeld;

  /// What is usual after a trial. The longest one was disturbed, maybe.
  void learn(double per_byte) noexcept {
    constexpr unsigned kParts = 8;
    learnt_ += per_byte;
    longest_ = std::max(longest_, per_byte);
    if (++parts_ == kParts) watch_.expect((learnt_ - longest_) / (kParts - 1));
  }
  void forget() noexcept {
    watch_.expect(0);
    learnt_ = longest_ = 0;
    parts_ = 0;
  }

  void pass_in_trial(bool has_come_round) noexcept {
    ++took_;
    if (!has_come_round) return hold(kHeld);
    begin_turn();
  }
  void hold(unsigned weight) noexcept {
    held_ += weight;
    if (held_ < kMostHeld) return;
    chooser_.give_up_trial();
    begin_turn();
  }
  /// Or what comes after the trial.
  void begin_turn() noexcept {
    held_ = 0;
    wanted_ = chooser_.next();
    if (is_on_trial()) return;
    const bool has_changed = std::exchange(settled_before_, settled()) != settled();
    rest_ = std::exchange(took_, 0) * (has_changed ? 1 : trials_are_one_in_ - 1);
    if (has_changed) watch_.trust();
    forget();
  }

  Chooser chooser_;
  unsigned trials_are_one_in_;
  Chooser::Choice wanted_;
  Arm settled_before_ = wanted_.arm;  // the last trial
  unsigned held_ = 0;                 // by messages since the turn began
  unsigned took_ = 0;                 // messages since the trial began
  unsigned rest_;                     // messages before there may be another one
  /// Parts of messages differ more than whole uses; from near to far boxes take twice as long.
  Watch watch_{1.5};
  double learnt_ = 0;
  double longest_ = 0;
  unsigned parts_ = 0;
};

}  // namespace foldlane::engine
