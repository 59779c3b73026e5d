// How often a process has looked for something in a row, in vain, without a nap: a program may do nothing
// else. Then it waits as one does that naps. Others may wait for it, and it may wait for somebody who is held
// back.
#pragma once

#include <cstdint>

#include "engine/progress/long_wait.hpp"
#include "engine/progress/traffic.hpp"
#include "shm/sync/atoms.hpp"

namespace foldlane::engine {

/// Of a process: any of its threads may look.
class LooksInVain {
 public:
  /// Whether the next look is to ask whether what is awaited will ever come: a program that only looks never
  /// naps, and must learn that, too.
  bool is_to_ask() noexcept {
    if (in_a_row_.peek() - asked_at_.peek() < kLooksBeforeAsking) return false;
    asked_at_.publish(in_a_row_.peek());
    return true;
  }
  /// `told` and `traffic` may be null.
  void note(bool in_vain, LongWaits* told, Traffic* traffic) noexcept {
    const std::uint64_t before = in_a_row_.peek();
    if (!in_vain) return before == 0 ? void() : end(told);
    in_a_row_.publish(before + 1);
    if (before < kLooksOfAWait) return;
    if (before == kLooksOfAWait && told != nullptr) told->looks_in_vain(true);
    if (traffic != nullptr && traffic->holds_back()) traffic->let_go_on();
  }

 private:
  /// Asking costs a few lines of other members, 1 us if they are far: here one part in a hundred of the
  /// looks.
  static constexpr std::uint64_t kLooksBeforeAsking = 1'000;
  /// More than a blocking wait has before it naps. A loop that does nothing else gets here in milliseconds,
  /// one that sleeps or computes for 1 ms between its looks in 16 s.
  static constexpr std::uint64_t kLooksOfAWait = 16'384;

  void end(LongWaits* told) noexcept {
    if (in_a_row_.peek() > kLooksOfAWait && told != nullptr) told->looks_in_vain(false);
    in_a_row_.publish(0);
    asked_at_.publish(0);
  }

  shm::RealAtoms::Word<std::uint64_t> in_a_row_{};
  shm::RealAtoms::Word<std::uint64_t> asked_at_{};
};

}  // namespace foldlane::engine
