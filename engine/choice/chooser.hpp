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
    const Trials::Turn turn = trials_.next();
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
    costs_[static_cast<std::size_t>(on_trial_)].add(per_byte);
    if (!trials_.is_open()) conclude();
  }

  /// The trial that is under way leads to nothing: there will be another one.
  void give_up_trial() noexcept {
    trials_.end();
    on_trial_ = Arm::second;  // the next one begins with the first, without what has been timed
  }

  /// What was timed says nothing any more: the next trial is soon, and decides alone.
  void try_soon() noexcept {
    score_ = settled_ == Arm::first ? 0 : 1;
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
    trials_.rest(kUsesAlike);
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
    bool is_known() const noexcept { return uses_ > 0; }
    double per_byte() const noexcept { return uses_ == 1 ? sum_ : (sum_ - dearest_) / (uses_ - 1); }

   private:
    int uses_ = 0;
    double sum_ = 0;
    double dearest_ = 0;
  };

  static constexpr int kMostVotes = 2;  // so that one disturbed trial does not change a settled choice
  /// A trial of uses as long as those that are still new, the largest, may cost as much as twenty of them.
  static constexpr double kUsesAlike = 64;

  Choice in_trial(const Trials::Turn& turn) noexcept {
    if (entry_->forced) {
      settled_ = *entry_->forced;  // maybe since this was constructed
      return {settled_, false};
    }
    if (*turn.arm == Arm::first && on_trial_ == Arm::second) costs_ = {};
    on_trial_ = *turn.arm;
    return {on_trial_, turn.timed, true};
  }

  /// Without a time of each arm there is nothing to compare.
  void conclude() noexcept {
    const auto& [first, second] = costs_;
    if (!first.is_known() || !second.is_known()) return;
    has_decided_ = true;
    const bool for_second = first.per_byte() > entry_->row->habits.dearer * second.per_byte();
    score_ = std::clamp(score_ + (for_second ? 1 : -1), 1 - kMostVotes, kMostVotes);
    const Arm before = std::exchange(settled_, score_ > 0 ? Arm::second : Arm::first);
    entry_->kept[static_cast<std::size_t>(settled_)].add(1);
    const bool is_confirmed = settled_ == before && for_second == (settled_ == Arm::second);
    const Habits& habits = entry_->row->habits;
    if (habits.decides_alone) trials_.rest(is_confirmed ? uses_that_pay() : 0);
    if (settled_ != before) watch_.trust();
    if (habits.watches) watch_.expect(costs_[static_cast<std::size_t>(settled_)].per_byte());
  }
  /// Until what the other arm took longer in the trial is this share of all.
  double uses_that_pay() const noexcept {
    constexpr double kShare = 0.005;
    const double own = costs_[static_cast<std::size_t>(settled_)].per_byte();
    const double other = costs_[settled_ == Arm::first ? 1 : 0].per_byte();
    const Habits& habits = entry_->row->habits;
    return own > 0 ? (habits.warm_ups + habits.timed) * (other / own - 1) / kShare : 0;
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
  /// stores.
  template <class Clock = std::chrono::steady_clock, class Work>
  void perform(std::size_t bytes, const Work& work) {
    if (!choice_.timed) return work(choice_.arm);
    const auto start = Clock::now();
    work(choice_.arm);
    const std::chrono::duration<double, std::nano> took = Clock::now() - start;
    add(took.count());
    bytes_ += bytes;
  }

 private:
  Chooser* chooser_;
  Choice choice_;
  float nanoseconds_ = 0;  // no longer than that: requests of nonblocking calls hold this
  std::size_t bytes_ = 0;  // of timed parts
};

}  // namespace foldlane::engine
