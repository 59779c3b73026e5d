// The rung of a wait on which it yields its CPU.
#pragma once

#include <time.h>

#include <algorithm>
#include <chrono>
#include <cstdint>

#include "shm/sync/atoms.hpp"
#include "shm/sync/pause.hpp"
#include "shm/sync/ticks.hpp"
#include "shm/sync/yield.hpp"

namespace foldlane::shm {

/// What a rank knows of the other programs on its CPU. Among ranks that wait for each other a yield takes
/// microseconds. Beside programs that compute it hands over the time slice of each of them, 3 ms and more,
/// while who sleeps runs as soon as it is woken. So where many yields are slow waits sleep at once, and try
/// yields again now and then. A slow one now and then costs less than to sleep in every wait. Any thread may
/// ask and tell.
class YieldMemory {
 public:
  using Clock = Ticks::Clock;

  explicit YieldMemory(const Ticks& ticks = {}) noexcept : ticks_(ticks) {}

  /// By which yields are timed.
  const Ticks& ticks() const noexcept { return ticks_; }

  /// Yields were slow a short time ago.
  bool forbids() const noexcept { return is_wary() && Clock::now() < next_try(); }
  /// After slow yields: when one may be tried again.
  Clock::time_point next_try() const noexcept { return Clock::time_point(Clock::duration(next_try_.peek())); }

  /// Whether the next yield is to be timed: some are, and all where yields were slow. Two looks at a clock
  /// take 20 to 50 ns, a switch to another rank and back 500 ns and more.
  bool wants_time() noexcept {
    turn_.publish(turn_.peek() + 1);
    return turn_.peek() % kYieldsPerLook == 0 || is_wary();
  }
  /// A wait comes to its yields.
  void note_wait() noexcept { waits_.publish(waits_.peek() + 1); }
  /// One that is to look around at once. Who never waits for longer than one yield has to see now and then
  /// that the job has failed.
  bool looks_around() const noexcept { return waits_.peek() % kWaitsPerLook == 0; }
  /// How long another rank's turn during a yield may be: three times what this one computes from wait to
  /// wait, since they do about the same, but not at the same time. `computed`: by this thread, since it
  /// began.
  Clock::duration turn_of_ranks(Clock::duration computed) noexcept {
    const std::uint32_t waits = waits_.peek() - judged_waits_.peek();
    const Clock::duration since(computed.count() - judged_.peek());
    judged_waits_.publish(waits_.peek());
    judged_.publish(computed.count());
    return std::clamp(3 * since / std::max(waits, 1U), kShortestTurn, kLongestTurn);
  }
  void note_quick() noexcept {
    const std::uint32_t score = score_.peek();  // once: another thread may write it meanwhile
    if (score > 0) score_.publish(score - 1);
  }
  void note_slow(Clock::time_point now) noexcept {
    const Clock::rep pause = is_wary() ? 2 * pause_.peek() : kShortest.count();
    score_.publish(std::min(score_.peek() + kScoreOfSlow, kMostScore));
    pause_.publish(std::min(pause, kLongest.count()));
    next_try_.publish(now.time_since_epoch().count() + pause_.peek());
  }

  /// A switch, and what a rank does before it waits again, with all its lines to fetch. From about 100 ranks
  /// per CPU on that many pass a slice of 4 ms: another program is not noticed there.
  static constexpr Clock::duration kShortestTurn = std::chrono::microseconds(30);
  /// Parts of large vectors that are folded. More is as if another program computed.
  static constexpr Clock::duration kLongestTurn = std::chrono::microseconds(300);

 private:
  static constexpr std::uint32_t kYieldsPerLook = 5;
  static constexpr std::uint32_t kWaitsPerLook = 64;
  // The score grows where more than one in nine of the timed ones is slow: beside a program that computes all
  // the time every second or third is, beside one of a lower priority one in thirty. At one in nine a yield
  // takes 0.4 ms on average, as a sleep and a wake-up do there.
  static constexpr std::uint32_t kScoreOfSlow = 8;
  static constexpr std::uint32_t kWaryFrom = 3 * kScoreOfSlow;
  static constexpr std::uint32_t kMostScore = 4 * kScoreOfSlow;
  // A try costs a rank a slice of 4 ms: beside a program that goes on computing one part in 250 of its time.
  static constexpr Clock::duration kShortest = std::chrono::milliseconds(30);
  static constexpr Clock::duration kLongest = std::chrono::seconds(1);

  bool is_wary() const noexcept { return score_.peek() >= kWaryFrom; }

  Ticks ticks_;
  RealAtoms::Word<std::uint32_t> turn_{};
  RealAtoms::Word<std::uint32_t> score_{};
  RealAtoms::Word<Clock::rep> next_try_{};
  RealAtoms::Word<Clock::rep> pause_{};
  RealAtoms::Word<std::uint32_t> waits_{};
  RealAtoms::Word<std::uint32_t> judged_waits_{};  // when turn_of_ranks() was asked last
  RealAtoms::Word<Clock::rep> judged_{};
};

class YieldRung {
 public:
  /// `kept`: so many rounds before the yields keep the CPU. `ranks_here`: how many ranks share it. Each may
  /// have its turn during a yield.
  YieldRung(std::uint32_t kept, std::uint32_t yields, std::uint32_t ranks_here, YieldMemory& memory) noexcept
      : memory_(memory), kept_(kept), left_(memory.forbids() ? 0 : yields), ranks_here_(ranks_here) {
    memory.note_wait();
  }

  bool is_over() const noexcept { return kept_ == 0 && left_ == 0; }
  /// Before its first yield, too (YieldMemory::looks_around).
  bool looks_around() const noexcept { return memory_.looks_around(); }

  /// A slow one ends the rung.
  void yield() noexcept {
    if (kept_ > 0) return keep();
    --left_;
    if (memory_.wants_time()) return yield_and_look();
    yield_cpu();
  }

 private:
  using Clock = YieldMemory::Clock;
  /// A third of another program's slice.
  static constexpr Clock::duration kSlow = std::chrono::milliseconds(1);
  void keep() noexcept {
    --kept_;
    pause();
  }
  void yield_and_look() noexcept {
    const std::uint64_t before = memory_.ticks().now();
    yield_cpu();
    const Clock::duration took = memory_.ticks().lasting(before, memory_.ticks().now());
    if (!is_slow(took)) return memory_.note_quick();
    memory_.note_slow(Clock::now());
    left_ = 0;
  }

  bool is_slow(Clock::duration took) const noexcept {
    if (took <= kSlow + ranks_here_ * YieldMemory::kShortestTurn) return false;
    return took > kSlow + ranks_here_ * memory_.turn_of_ranks(computed_by_this_thread());
  }
  static Clock::duration computed_by_this_thread() noexcept {
    timespec time{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
  }

  YieldMemory& memory_;
  std::uint32_t kept_;
  std::uint32_t left_;
  std::uint32_t ranks_here_;
};

}  // namespace foldlane::shm
