// When two arms are tried: now and then, one after the other. It depends on nothing but the number of uses,
// so that two ranks that make the same uses hold their trials at the same time without telling each other.
// Who decides alone may begin with the other arm, end a trial early (end) and ask for the next one (rest).
#pragma once

#include <algorithm>

#include "engine/choice/decision.hpp"

namespace foldlane::engine {

class Trials {
 public:
  struct Turn {
    std::optional<Arm> arm;  // none: no trial, the settled arm is used
    bool timed = false;
    bool opens = false;  // a trial
  };

  explicit Trials(const Habits& habits) noexcept : habits_(&habits) {}

  /// The next use. A trial begins with `begins`, which stays the same in it.
  Turn next(Arm begins = Arm::first) noexcept {
    if (countdown_ > 0) [[likely]] {
      --countdown_;
      return {};
    }
    return in_trial(begins);
  }

  /// Between the first turn of a trial and its last.
  bool is_open() const noexcept { return step_ > 0; }
  void end() noexcept {
    step_ = 0;
    interval_ = std::min(2 * interval_, habits_->interval);
    countdown_ = interval_;
  }
  /// The trial that is over is to be repeated after so many uses.
  void rest(double uses) noexcept {
    countdown_ = static_cast<int>(std::clamp<double>(uses, 2 * habits_->sooner, habits_->interval));
  }
  /// There is no first trial for so many uses, and later ones do not come sooner after each other.
  void begin_late(double uses) noexcept {
    rest(uses);
    interval_ = countdown_;
  }

 private:
  Turn in_trial(Arm begins) noexcept {
    const int uses = habits_->warm_ups + habits_->timed;
    const Turn turn{step_ < uses ? begins : other_than(begins), step_ % uses >= habits_->warm_ups,
                    step_ == 0};
    if (++step_ == 2 * uses) end();
    return turn;
  }

  const Habits* habits_;
  int countdown_ = 0;
  int interval_ = habits_->sooner;
  int step_ = 0;
};

}  // namespace foldlane::engine
