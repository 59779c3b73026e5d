// How messages are looked for, and waited for.
#include <vector>

#include "engine/p2p/messenger.hpp"

namespace foldlane::engine {
namespace {

/// Between two steps, as often as they may; returns about how many steps that takes, each with a pause. What
/// comes is seen sooner. Nobody else is inside.
std::uint32_t pause_while_quiet(const Outbox& outbox, const Intake& intake, std::uint32_t most) {
  constexpr std::uint32_t kPausesOfStep = 3;  // estimated; only the length of the polls hangs on it
  std::uint32_t pauses = 0;
  do {
    shm::pause();
    ++pauses;
  } while (pauses < most && outbox.is_idle() && intake.is_quiet());
  return (pauses + kPausesOfStep - 1) / kPausesOfStep;
}

std::uint32_t most_pauses_for(Expected expected) noexcept {
  return expected == Expected::short_messages ? 16 : 1;
}

}  // namespace

/// Who has nothing else under way polls for messages alone, which takes less than a round over everything.
/// Between its steps it looks at lanes only for what fits a cell: who sends more begins to write the mark's
/// line before it fills a block, and each look takes that away (2 KiB 1.03 x the time).
void Messenger::wait_until(const Condition& over, const WaitDescriber& describe, Expected expected) {
  if (threads()) return wait_among_threads(over, describe, expected);
  BasicProgress<shm::RealAtoms>& progress = process_.progress();
  if (!progress.is_undisturbed()) return progress.wait_until(over, describe);
  const std::uint32_t most_pauses = most_pauses_for(expected);
  const std::uint32_t polls = process_.signals().ladder().polls;
  for (std::uint32_t idle = 0;; idle += pause_while_quiet(outbox_, intake_, most_pauses)) {
    if (step(Patience::none)) idle = 0;
    if (over()) return static_cast<void>(bury());
    if (idle >= polls) return progress.wait_patiently(over, describe);
  }
}

/// One of those that wait polls for all of them; the others look at nothing but what they wait for. Threads
/// that are more than CPUs do so in turn, each until its time is over: who stays inside without a CPU keeps
/// the others out, and to yield sooner costs more switches (4 threads on a CPU, windows of 64 messages of 8
/// B: after 10 us 0.6 x as many messages).
void Messenger::wait_among_threads(const Condition& over, const WaitDescriber& describe, Expected expected) {
  BasicProgress<shm::RealAtoms>& progress = process_.progress();
  const std::uint32_t polls = process_.signals().ladder().polls;
  Bystanders& bystanders = gate_.bystanders();
  Bystanders::One bystander(bystanders);
  for (std::uint32_t idle = 0; !over();) {
    if (!progress.is_idle() || bystanders.are_many()) {
      bystander.note();
      return progress.wait_until(over, describe);
    }
    if (idle >= polls) {
      bystander.note();
      return progress.wait_patiently(over, describe);
    }
    if (const auto in_vain = poll_for_all(most_pauses_for(expected))) {
      idle = *in_vain == 0 ? 0 : idle + *in_vain;
    } else {
      bystander.note();
      shm::pause();
      ++idle;
    }
  }
  if (bury()) tell_other_threads();
}

/// Until something moves, somebody wants to come in, or for a while: what is waited for may be another
/// thread's doing. Returns how many steps were in vain; 0: something has moved. Nothing: another thread is
/// inside, or stands before the gate.
std::optional<std::uint32_t> Messenger::poll_for_all(std::uint32_t most_pauses) {
  constexpr std::uint32_t kMostSteps = 32;
  std::uint32_t in_vain = 1;
  bool moved = false;
  if (gate_.is_wanted()) return std::nullopt;
  {
    const Lock lock(*this, Patience::none);
    if (!lock) return std::nullopt;
    moved = step_inside(Patience::none);
    while (!moved && in_vain < kMostSteps && !gate_.is_wanted()) {
      in_vain += pause_while_quiet(outbox_, intake_, most_pauses);
      moved = step_inside(Patience::none);
    }
  }
  if (moved) tell_other_threads();
  return moved ? 0 : in_vain;
}

/// What has moved may be what one of them sleeps for.
void Messenger::tell_other_threads() noexcept {
  process_.progress().count_move();
  if (threads()) process_.tell(rank_);
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

bool Messenger::look() {
  bool moved = false;
  {
    const Lock lock(*this);
    moved = take_in() || intake_.room().lift_limit();
  }
  if (moved) tell_other_threads();
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
  const Lock lock(*this, patience);
  return lock && step_inside(patience);
}

inline bool Messenger::step_inside(Patience patience) {
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
