#include "engine/p2p/messenger.hpp"

#include <algorithm>
#include <utility>

namespace foldlane::engine {

Messenger::Messenger(Process& process, int rank, LaneMap map)
    : process_(process),
      map_(std::move(map)),
      outbox_(process, rank, map_),
      intake_(process, rank, map_, outbox_.flows()) {
  process_.progress().attach(this);
}

Messenger::~Messenger() { process_.progress().attach(nullptr); }

namespace {

constexpr unsigned kIdBits = 15, kEpochBits = 15;
constexpr unsigned kKindAt = kIdBits + kEpochBits;
/// In the place of a kind.
constexpr std::uint32_t kTeamOfOne = std::uint32_t{kKindsOfMessages} << kKindAt;
static_assert(kKindsOfMessages < 1U << (32 - kKindAt));

/// An id is used again once all members have left its team, and then begins with a later epoch.
std::uint32_t context_of(Team& team, Messages messages) noexcept {
  return static_cast<std::uint32_t>(team.membership().id()) |
         (static_cast<std::uint32_t>(team.membership().first_epoch()) & ((1U << kEpochBits) - 1)) << kIdBits |
         static_cast<std::uint32_t>(messages) << kKindAt;
}
bool is_collective(std::uint32_t context) noexcept {
  return context >> kKindAt == static_cast<std::uint32_t>(Messages::collective);
}
/// Teams of one have no others.
bool is_ordinary(std::uint32_t context) noexcept {
  return context >> kKindAt == 0 || context >> kKindAt == kKindsOfMessages;
}

}  // namespace

Channel& Messenger::open(Team& team, Messages messages) {
  const Lock lock(*this);
  Channel*& known = channels(messages)[&team];
  if (known != nullptr) return *known;
  // Teams of one have no id, and only this process sends to them.
  known = &intake_.channel(team.size() == 1 ? kTeamOfOne | teams_of_one_++ : context_of(team, messages));
  known->set_members(team.members(), team.rank());
  return *known;
}

void Messenger::close(Team& team) {
  const Lock lock(*this);
  while (take_in()) {
  }
  for (std::size_t kind = 0; kind < kKindsOfMessages; ++kind) close(team, static_cast<Messages>(kind));
}

void Messenger::tell_lost() {
  const Lock lock(*this);
  while (take_in()) {
  }
  intake_.for_each_channel([&](Channel& channel) {
    const std::vector<Envelope> lost = intake_.drop_unexpected(channel);
    if (!lost.empty() && lost_ && !is_collective(channel.context())) lost_(channel, lost);
  });
}

void Messenger::close(Team& team, Messages messages) {
  Channels& known_channels = channels(messages);
  const auto known = known_channels.find(&team);
  if (known == known_channels.end() && team.size() == 1) return;  // it has no id: that would find another's
  Channel* const channel =
      known != known_channels.end() ? known->second : intake_.find_channel(context_of(team, messages));
  if (known != known_channels.end()) known_channels.erase(known);
  if (channel == nullptr) return;
  const std::vector<Envelope> lost = intake_.drop_unexpected(*channel);
  const bool is_known = messages == Messages::collective && team.agreement().broken();
  if (!lost.empty() && lost_ && !is_known) lost_(*channel, lost);
  intake_.forget(*channel);
}

bool Messenger::send_among_threads(const Parcel& parcel) {
  const Lock lock(*this);
  return outbox_.send_at_once(parcel);
}

void Messenger::start_among_threads(Receive& receive) {
  const Lock lock(*this);
  note_use();
  intake_.start(receive);
}

void Messenger::start(Send& send) {
  const Lock lock(*this);
  note_use();
  outbox_.start(send);
}

void Messenger::start(Receive& receive, Unexpected& claimed) {
  const Lock lock(*this);
  note_use();
  intake_.start_claimed(receive, claimed);
}

bool Messenger::cancel(Receive& receive) {
  look();
  const Lock lock(*this);
  if (receive.waits == Waits::nowhere) return false;
  receive.channel->withdraw(receive);
  receive.end(Delivery::cancelled);
  return true;
}

void Messenger::abandon(Send& send) {
  const Lock lock(*this);
  if (!send.over()) outbox_.abandon(send);
}

void Messenger::abandon(Receive& receive) {
  const Lock lock(*this);
  if (receive.over()) return;
  if (receive.waits != Waits::nowhere) return receive.channel->withdraw(receive);
  intake_.abandon(receive);
}

bool Messenger::probe(const Channel& channel, int source, int tag, Envelope& envelope, Within within) {
  if (within == Within::call) look();
  const Lock lock(*this);
  if (within == Within::step && take_in()) process_.progress().count_move();
  const Unexpected* const message = channel.find(source, tag);
  if (message == nullptr) return false;
  envelope = message->envelope;
  return true;
}

Unexpected* Messenger::claim(Channel& channel, int source, int tag) {
  look();
  const Lock lock(*this);
  Unexpected* const message = channel.find(source, tag);
  if (message != nullptr) intake_.claim(channel, *message);
  return message;
}

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

std::vector<NearMiss> Messenger::near_misses(const Channel& channel, int source, int tag) {
  const int from = source == kAnySource ? kNoRank : channel.rank_in_job(source);
  const auto fits_source = [&](const Unexpected& each) { return from == kNoRank || each.from == from; };
  const auto fits_tag = [&](const Unexpected& each) { return tag == kAnyTag || each.envelope.tag == tag; };
  std::vector<NearMiss> found;
  const Lock lock(*this);
  intake_.for_each_channel([&](const Channel& other) {
    for (const Unexpected* each = other.first_unexpected(); each != nullptr; each = each->next) {
      if (!is_ordinary(other.context()) || (!fits_source(*each) && &other != &channel)) continue;
      if (fits_tag(*each) || (fits_source(*each) && &other == &channel))
        found.push_back({&other, each->from, each->envelope});
    }
  });
  std::stable_partition(found.begin(), found.end(),
                        [&](const NearMiss& each) { return each.channel == &channel; });
  return found;
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

bool Messenger::disown(Communication& communication, void (*at_end)(void*), void* what_stays) {
  const Lock lock(*this);
  if (communication.over()) return false;
  orphan(communication, at_end, what_stays);
  return true;
}

void Messenger::start_and_forget(Send& send, void (*at_end)(void*), void* what_stays) {
  const Lock lock(*this);
  orphan(send, at_end, what_stays);
  note_use();
  outbox_.start(send);
}

void Messenger::start_and_forget(Receive& receive, void (*at_end)(void*), void* what_stays) {
  const Lock lock(*this);
  orphan(receive, at_end, what_stays);
  note_use();
  intake_.start(receive);
}

void Messenger::orphan(Communication& communication, void (*at_end)(void*), void* what_stays) noexcept {
  communication.at_end = at_end;
  communication.what_stays = what_stays;
  communication.without_owner = &ended_;
}

bool Messenger::bury() {
  if (ended_.empty()) return false;
  Communication* next = nullptr;
  {
    const Lock lock(*this);
    next = ended_.take_all();
  }
  while (Communication* const each = next) {
    next = each->next_ended;
    each->at_end(each->what_stays);
  }
  return true;
}

MessageCounts Messenger::counts() {
  const Lock lock(*this);
  return {outbox_.counts(), intake_.counts()};
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
