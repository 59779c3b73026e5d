// Uses the arm of a decision that this rank finds cheaper while it works.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>

#include "engine/choice/decision.hpp"
#include "engine/choice/trials.hpp"
#include "engine/choice/watch.hpp"

namespace foldlane::engine {

class Chooser {
 public:
  class Use;

  struct Choice {
    Arm arm;
    bool timed;  // report() wants to know how long this use takes
    bool is_trial = false;
  };

  explicit Chooser(Decisions::Entry& entry) noexcept
      : entry_(&entry), trials_(entry.row->habits), settled_(entry.forced.value_or(Arm::first)) {}

  /// How to do it the next time.
  Choice next() noexcept {
    has_begun_ = true;
    const Trials::Turn turn = trials_.next(begins());
    is_trying_ = turn.arm.has_value();
    if (!is_trying_) [[likely]]
      return {settled_, watch_.is_on()};
    return in_trial(turn);
  }

  /// What the last use took, if it was timed.
  void report(std::size_t bytes, double nanoseconds) noexcept {
    const double per_byte = nanoseconds / static_cast<double>(bytes);
    if (!is_trying_ && watch_.is_on()) {
      if (watch_.note(per_byte)) try_soon();
      return;
    }
    cost_of(on_trial_).add(per_byte);
    if (is_hopeless()) trials_.end();
    if (!trials_.is_open()) conclude();
  }

  /// The trial that is under way leads to nothing: there will be another one.
  void give_up_trial() noexcept {
    trials_.end();
    if (has_decided_ || on_trial_ == Arm::first || settled_ == Arm::first) return;
    settled_ = Arm::first;  // the second was only likely, and never comes
    score_ = votes_of(settled_);
  }

  /// What was timed says nothing any more: the next trial is soon, and decides alone.
  void try_soon() noexcept {
    score_ = votes_of(settled_);
    trials_.rest(0);
  }

  /// Nothing has been used or decided.
  bool is_new() const noexcept { return !has_begun_; }
  /// A trial has ended, here or where this one began from.
  bool has_decided() const noexcept { return has_decided_; }
  /// Of a new one: it begins with what the other one has settled, and has its first trial later.
  void begin_like(const Chooser& decided) noexcept {
    has_begun_ = true;
    if (entry_->forced) return;
    has_decided_ = true;
    settled_ = decided.settled_;
    try_soon();
    trials_.begin_late(kUsesAlike);
  }

  /// Of a new one: it begins with this arm, and has its first trial when some uses have gone so.
  void begin_with(Arm likely) noexcept {
    has_begun_ = true;
    if (entry_->forced) return;
    settled_ = likely;
    score_ = votes_of(likely);
    trials_.begin_late(kUsesLikely);
  }

  /// A trial is under way.
  bool is_on_trial() const noexcept { return trials_.is_open(); }
  /// The arm that is used between trials.
  Arm settled() const noexcept { return settled_; }

 private:
  /// What an arm costs in a trial. Of several uses the dearest does not count: its core was taken away, as
  /// happens on shared machines, and that would decide the trial.
  class Cost {
   public:
    void add(double per_byte) noexcept {
      ++uses_;
      sum_ += per_byte;
      dearest_ = std::max(dearest_, per_byte);
    }
    int uses() const noexcept { return uses_; }
    double per_byte() const noexcept { return uses_ == 1 ? sum_ : (sum_ - dearest_) / (uses_ - 1); }

   private:
    int uses_ = 0;
    double sum_ = 0;
    double dearest_ = 0;
  };

  static constexpr int kMostVotes = 2;  // so that one disturbed trial does not change a settled choice
  /// The least that settles it.
  static constexpr int votes_of(Arm arm) noexcept { return arm == Arm::first ? 0 : 1; }
  /// A trial of uses as long as those that are still new, the largest, may cost as much as twenty of them.
  static constexpr double kUsesAlike = 64;
  /// What ends after about as many uses as a trial takes, ten or twelve, is better off without one.
  static constexpr double kUsesLikely = 16;
  /// What is so many times as dear is so, even if some uses were disturbed.
  static constexpr double kClearly = 2;

  Choice in_trial(const Trials::Turn& turn) noexcept {
    if (entry_->forced) {
      settled_ = *entry_->forced;  // maybe since this was constructed
      trials_.end();
      is_trying_ = false;
      return {settled_, false};
    }
    if (turn.opens) costs_ = {};
    on_trial_ = *turn.arm;
    return {on_trial_, turn.timed, true};
  }

  /// With which arm a trial begins: the one in use, which is in its state already; but with the first where
  /// several ranks, whatever each has settled, are to use the same one.
  Arm begins() const noexcept { return entry_->row->habits.decides_alone ? settled_ : Arm::first; }
  Cost& cost_of(Arm arm) noexcept { return costs_[static_cast<std::size_t>(arm)]; }
  const Cost& cost_of(Arm arm) const noexcept { return costs_[static_cast<std::size_t>(arm)]; }
  /// The arm that is not in use turns out to be the wrong one before its turn is over.
  bool is_hopeless() const noexcept {
    constexpr int kEnough = 2;  // of which the dearer one does not count
    const Cost& tried = cost_of(on_trial_);
    const Cost& own = cost_of(settled_);
    return entry_->row->habits.decides_alone && on_trial_ != settled_ && tried.uses() >= kEnough &&
           own.uses() > 0 && tried.per_byte() > kClearly * own.per_byte();
  }

  /// Without a time of each arm there is nothing to compare.
  void conclude() noexcept {
    const auto& [first, second] = costs_;
    if (first.uses() == 0 || second.uses() == 0) return;
    has_decided_ = true;
    const bool for_second = first.per_byte() > entry_->row->habits.dearer * second.per_byte();
    score_ = std::clamp(score_ + (for_second ? 1 : -1), 1 - kMostVotes, kMostVotes);
    const Arm before = std::exchange(settled_, score_ > 0 ? Arm::second : Arm::first);
    entry_->kept[static_cast<std::size_t>(settled_)].add(1);
    const bool is_confirmed = settled_ == before && for_second == (settled_ == Arm::second);
    const Habits& habits = entry_->row->habits;
    const bool is_clear_change = settled_ != before && is_clear();
    if (habits.decides_alone) trials_.rest(is_confirmed ? uses_that_pay() : is_clear_change ? kUsesAlike : 0);
    if (settled_ != before) watch_.trust();
    if (habits.watches) watch_.expect(cost_of(settled_).per_byte());
  }
  bool is_clear() const noexcept {
    const auto [less, more] = std::minmax({cost_of(Arm::first).per_byte(), cost_of(Arm::second).per_byte()});
    return more > kClearly * less;
  }
  /// Until what the other arm took longer in the trial is this share of all.
  double uses_that_pay() const noexcept {
    constexpr double kShare = 0.005;
    const double own = cost_of(settled_).per_byte();
    const Cost& other = cost_of(other_than(settled_));
    const int uses = entry_->row->habits.warm_ups + other.uses();
    return own > 0 ? uses * (other.per_byte() / own - 1) / kShare : 0;
  }

  Decisions::Entry* entry_;
  Trials trials_;
  Arm settled_;
  Arm on_trial_ = Arm::second;
  bool is_trying_ = false;
  bool has_begun_ = false;
  bool has_decided_ = false;
  int score_ = 0;
  /// Of what the settled arm took in the last trial, per byte. Moves of cores change 1.3 to 5 times.
  Watch watch_{1.2};
  std::array<Cost, 2> costs_{};
};

/// One use, in one or more parts.
class Chooser::Use {
 public:
  enum class Since : bool { its_start, part_before };

  /// Without a chooser by the first arm.
  explicit Use(Chooser* chooser) noexcept
      : chooser_(chooser), choice_(chooser != nullptr ? chooser->next() : Choice{Arm::first, false}) {}
  Use(const Use&) = delete;
  Use& operator=(const Use&) = delete;
  ~Use() { end(); }

  /// Tells the chooser what it took. Operations are destroyed when other threads may be using that, so they
  /// end their uses before.
  void end() noexcept {
    if (const std::size_t bytes = std::exchange(bytes_, 0); bytes > 0) chooser_->report(bytes, nanoseconds_);
  }

  bool is_timed() const noexcept { return choice_.timed; }
  /// What somebody else spent on it.
  void add(double nanoseconds) noexcept { nanoseconds_ += static_cast<float>(nanoseconds); }

  /// work(arm), which handles so many bytes and ends with what the arm needs, as the fence of streaming
  /// stores. `since`: whether what has passed since the part before belongs to it. Stores slow down what
  /// comes after them: near, 32 KiB out of boxes are taken in 0.48 us by streaming stores and in 0.55 by
  /// plain ones, but the whole broadcast takes 1.6 and 1.05.
  template <class Clock = std::chrono::steady_clock, class Work>
  void perform(std::size_t bytes, const Work& work, Since since = Since::its_start) {
    if (!choice_.timed) return work(choice_.arm);
    const auto start = now<Clock>();
    work(choice_.arm);
    const auto end = now<Clock>();
    add(static_cast<double>(end - (since == Since::part_before && bytes_ > 0 ? ended_ : start)));
    ended_ = end;
    bytes_ += bytes;
  }

 private:
  template <class Clock>
  static std::int64_t now() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now().time_since_epoch()).count();
  }

  Chooser* chooser_;
  Choice choice_;
  float nanoseconds_ = 0;   // no longer than that: requests of nonblocking calls hold this
  std::size_t bytes_ = 0;   // of timed parts
  std::int64_t ended_ = 0;  // when the last one of them has, by the clock
};

}  // namespace foldlane::engine
