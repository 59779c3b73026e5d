// How messages are looked for, and waited for.
#include "engine/p2p/messenger.hpp"

#include <vector>

namespace foldlane::engine {
namespace {

/// Between two steps, as often as they may; returns about how many steps that takes, each with a pause. What
/// comes is seen sooner. Without the lock: nobody else is inside.
std::uint32_t pause_while_quiet(const Outbox& outbox, const Intake& intake, std::uint32_t most) {
  constexpr std::uint32_t kPausesOfStep = 3;  // estimated; only the length of the polls hangs on it
  std::uint32_t pauses = 0;
  do {
    shm::pause();
    ++pauses;
  } while (pauses < most && outbox.is_idle() && intake.is_quiet());
  return (pauses + kPausesOfStep - 1) / kPausesOfStep;
}

}  // namespace

/// Who has nothing else under way polls for messages alone, which takes less than a round over everything.
/// Between its steps it looks at lanes only for what fits a cell: who sends more begins to write the mark's
/// line before it fills a block, and each look takes that away (2 KiB 1.03 x the time).
void Messenger::wait_until(const Condition& over, const WaitDescriber& describe, Expected expected) {
  BasicProgress<shm::RealAtoms>& progress = process_.progress();
  if (!progress.is_undisturbed()) return progress.wait_until(over, describe);
  const std::uint32_t most_pauses = expected == Expected::short_messages ? 16 : 1;
  const std::uint32_t polls = process_.signals().ladder().polls;
  for (std::uint32_t idle = 0;; idle += pause_while_quiet(outbox_, intake_, most_pauses)) {
    if (step(Patience::none)) idle = 0;
    if (over()) return static_cast<void>(bury());
    if (idle >= polls) return progress.wait_patiently(over, describe);
  }
}

bool Messenger::await(const Channel& channel, int source, int tag, Envelope& envelope,
                      const WaitDescriber& describe) {
  bool never = false;
  const auto is_over = [&] {
    if (probe(channel, source, tag, envelope)) return true;
    return never = can_never_come(channel, source) && !look();
  };
  process_.progress().wait_until(is_over, describe);
  return !never;
}

/// Not under any lock: what has come may be what another thread waits for.
bool Messenger::look() {
  bool moved = false;
  {
    const Lock lock(*this);
    moved = take_in() || intake_.room().lift_limit();
  }
  if (moved) process_.progress().count_move();
  if (moved && threads()) process_.progress().wake();
  return moved;
}

bool Messenger::can_never_come(const Channel& channel, int source) const noexcept {
  return can_never_come(channel, source, [this](int rank) { return is_lost(rank); });
}

/// A sender that has been looked at once knocks no more: from then on each wait looks at it.
bool Messenger::take_in() {
  const bool moved = intake_.step();
  if (moved) note_use();
  return moved;
}

bool Messenger::step(Patience patience) {
  const Lock lock(*this);
  const bool received = take_in();
  const bool sent = outbox_.step(patience);
  if (!received && !sent) outbox_.fetch_ahead();
  const bool lifted = !received && intake_.room().lift_limit();
  if (patience != Patience::asks) return received || sent || lifted;
  if (!received) intake_.room().note_sleep();
  const bool gave_up = look_for_deaths();
  return received || sent || gave_up || lifted;
}

/// Each time, for what has begun since the last time, too. True if something moved.
bool Messenger::look_for_deaths() {
  if (!process_.signals().failed() && process_.signals().deaths() == 0) return false;
  std::vector<bool> lost(map_.lanes.size());
  for (std::size_t rank = 0; rank < lost.size(); ++rank) lost[rank] = is_lost(static_cast<int>(rank));
  if (take_in()) return true;  // what they sent before comes first
  const auto is_lost = [&lost](int rank) { return lost[static_cast<std::size_t>(rank)]; };
  outbox_.give_up(is_lost);
  intake_.give_up([&](const Channel& channel,
                      const Receive& receive) { return can_never_come(channel, receive.source, is_lost); },
                  is_lost);
  return false;
}

}  // namespace foldlane::engine
