// Data that flows one way in a team of two, through boxes or slots: the sender puts something into a place,
// the receiver takes it out and hands the place back, empty, for the sender to fill again. To dirty its lines
// first is cheap for far cores: it is lines with news that a core gets fast (64 KiB one way in 7.0 us,
// without that 34; by streaming stores 6.5). Near ones do without (3.4, 3.0 and 7.9). So the
// receiver decides by timing (decision "hand-back", for messages "message-blocks"). What it does shows in the
// sender's stores, too, the next time around: both hold their trials at the same uses, and the sender leaves
// its time beside its mark.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "engine/choice/by_size.hpp"
#include "engine/choice/chooser.hpp"
#include "engine/choice/copy_time.hpp"
#include "engine/choice/decision.hpp"
#include "engine/choice/trials.hpp"

namespace foldlane::engine {

template <class Atoms, class Clock = std::chrono::steady_clock>
class BasicOneWay {
 public:
  /// `decision`: what is decided, hand-back or the same of other places.
  explicit BasicOneWay(Decisions& decisions, Decision decision = Decision::hand_back)
      : from_bytes_(decisions.of(decision).row->from_bytes),
        sent_(Trials(decisions.of(decision).row->habits)),
        received_(Chooser(decisions.of(decision))) {}

  /// Does put(), which fills a place in a call of so many bytes. `took` will be published with the place.
  template <class Put>
  void send(std::size_t call_bytes, std::uint32_t& took, const Put& put) {
    if (call_bytes < from_bytes_ || !sent_.of(call_bytes).next().timed) [[likely]]
      return put();
    const double spent = copy_time<Atoms, Clock>(put);
    Atoms::writes(&took, sizeof took);
    took = static_cast<std::uint32_t>(std::min(spent, kMostNanoseconds));
  }

  /// Does take(), which empties a place of `bytes` bytes, and dirty(), if that is the way to hand it back.
  /// Needs the place awaited.
  template <class Take, class Dirty>
  void receive(std::size_t call_bytes, std::size_t bytes, const std::uint32_t& took, const Take& take,
               const Dirty& dirty) {
    if (call_bytes < from_bytes_) {
      take();
      return dirty();
    }
    Chooser::Use use(&received_.of(call_bytes));
    use.template perform<Clock>(bytes, [&](Arm arm) {
      take();
      if (arm == Arm::first) dirty();
      if (use.is_timed()) Atoms::drain_stores();
    });
    if (!use.is_timed()) [[likely]]
      return;
    Atoms::reads(&took, sizeof took);
    use.add(took);
  }

 private:
  static constexpr double kMostNanoseconds = std::numeric_limits<std::uint32_t>::max();

  std::size_t from_bytes_;
  BySize<Trials> sent_;
  BySize<Chooser> received_;
};

}  // namespace foldlane::engine
