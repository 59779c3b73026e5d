// The rung of a wait on which it yields its CPU.
#pragma once

#include <sched.h>

#include <algorithm>
#include <chrono>
#include <cstdint>

#include "shm/sync/atoms.hpp"
#include "shm/sync/pause.hpp"

namespace foldlane::shm {

/// What a rank knows of the other programs on its CPU. Among ranks that wait for each other a yield takes
/// microseconds. Beside programs that compute it hands over the time slice of each of them, 3 ms and more,
/// while who sleeps runs as soon as it is woken. So where many yields are slow waits sleep at once, and try
/// yields again now and then. A slow one now and then costs less than to sleep in every wait. Any thread may
/// ask and tell.
class YieldMemory {
 public:
  using Clock = std::chrono::steady_clock;

  /// Yields were slow a short time ago.
  bool forbids() const noexcept { return is_wary() && Clock::now() < next_try(); }
  /// After slow yields: when one may be tried again.
  Clock::time_point next_try() const noexcept { return Clock::time_point(Clock::duration(next_try_.peek())); }

  /// Whether the next yield is to be timed: some are, and all where yields were slow. Two looks at the clock
  /// take 50 ns, a switch to another rank and back 500 ns and more.
  bool wants_time() noexcept {
    turn_.publish(turn_.peek() + 1);
    return turn_.peek() % kYieldsPerLook == 0 || is_wary();
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

 private:
  static constexpr std::uint32_t kYieldsPerLook = 5;
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

  RealAtoms::Word<std::uint32_t> turn_{};
  RealAtoms::Word<std::uint32_t> score_{};
  RealAtoms::Word<Clock::rep> next_try_{};
  RealAtoms::Word<Clock::rep> pause_{};
};

class YieldRung {
 public:
  /// `kept`: so many rounds before the yields keep the CPU. `ranks_here`: how many ranks share it. Each may
  /// have its turn during a yield.
  YieldRung(std::uint32_t kept, std::uint32_t yields, std::uint32_t ranks_here, YieldMemory& memory) noexcept
      : memory_(memory),
        kept_(kept),
        left_(memory.forbids() ? 0 : yields),
        slow_(kSlow + ranks_here * kTurn) {}

  bool is_over() const noexcept { return kept_ == 0 && left_ == 0; }

  /// A slow one ends the rung.
  void yield() noexcept {
    if (kept_ > 0) return keep();
    --left_;
    if (memory_.wants_time()) return yield_and_look();
    sched_yield();
  }

 private:
  using Clock = YieldMemory::Clock;
  /// A third of another program's slice.
  static constexpr Clock::duration kSlow = std::chrono::milliseconds(1);
  /// Of a rank among ranks: a switch, and what it does before it waits again, with all its lines to fetch.
  /// From about 100 ranks per CPU on, the bound passes a slice of 4 ms: another program is not noticed there.
  static constexpr Clock::duration kTurn = std::chrono::microseconds(30);

  void keep() noexcept {
    --kept_;
    pause();
  }
  void yield_and_look() noexcept {
    const Clock::time_point before = Clock::now();
    sched_yield();
    const Clock::time_point after = Clock::now();
    if (after - before <= slow_) return memory_.note_quick();
    memory_.note_slow(after);
    left_ = 0;
  }

  YieldMemory& memory_;
  std::uint32_t kept_;
  std::uint32_t left_;
  Clock::duration slow_;
};

}  // namespace foldlane::shm
