// How often in a row a program has looked for something in vain (MPI calls that test or probe): it may do
// nothing else. Then it waits as one does that naps. Others may wait for it, and it may wait for somebody who
// is held back.
#pragma once

#include <cstdint>

#include "engine/progress/long_wait.hpp"
#include "engine/progress/traffic.hpp"
#include "shm/sync/atoms.hpp"

namespace foldlane::engine {

/// Of a process: any of its threads may look. Two at once may count one look.
class LooksInVain {
 public:
  using Now = std::int64_t (*)() noexcept;  // ns of the steady clock

  /// Both must outlive it.
  LooksInVain(LongWaits& told, Traffic& traffic, Now now = steady_now) noexcept
      : told_(told), traffic_(traffic), now_(now) {}
  LooksInVain(const LooksInVain&) = delete;
  LooksInVain& operator=(const LooksInVain&) = delete;

  /// After each look. `moves`: of the process; nothing moves in a look in vain.
  void note(std::uint64_t moves) noexcept {
    if (moves != moves_.peek()) return begin(moves);
    const std::uint64_t count = in_a_row_.peek() + 1;
    in_a_row_.publish(count);
    if (count % kLooksPerTime == 0) weigh(count);
  }

 private:
  using Word = shm::RealAtoms::Word<std::uint64_t>;

  /// So the clock is looked at.
  static constexpr std::uint64_t kLooksPerTime = 16;
  /// From then on others take this rank as one that waits. Too early costs memory of theirs only.
  static constexpr std::int64_t kLong = 100'000'000;
  /// This rank's own memory is at stake: a loop that does nothing else is in it in milliseconds by its looks,
  /// one that sleeps in between by the time.
  static constexpr std::uint64_t kMany = 16'384;
  static constexpr std::int64_t kVeryLong = 2'000'000'000;

  void begin(std::uint64_t moves) noexcept {
    moves_.publish(moves);
    in_a_row_.publish(0);
    if (is_told_.peek() != 0) tell(false);
  }
  void weigh(std::uint64_t count) noexcept {
    const auto now = static_cast<std::uint64_t>(now_());
    if (count == kLooksPerTime) began_.publish(now);
    const auto time = static_cast<std::int64_t>(now - began_.peek());
    if (is_told_.peek() == 0 && (count >= kMany || time >= kLong)) tell(true);
    if ((count >= kMany || time >= kVeryLong) && traffic_.holds_back()) traffic_.let_go_on();
  }
  void tell(bool looks) noexcept {
    is_told_.publish(looks ? 1 : 0);
    told_.looks_in_vain(looks);
  }

  LongWaits& told_;
  Traffic& traffic_;
  Now now_;
  Word moves_{};
  Word in_a_row_{};
  Word began_{};
  Word is_told_{};
};

}  // namespace foldlane::engine
