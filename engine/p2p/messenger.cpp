#include "engine/p2p/messenger.hpp"

#include <algorithm>
#include <utility>

namespace foldlane::engine {

Messenger::Messenger(Process& process, int rank, LaneMap map, std::uint64_t unexpected_limit)
    : process_(process),
      rank_(rank),
      map_(std::move(map)),
      outbox_(process, rank, map_),
      intake_(process, rank, map_, outbox_.flows(), unexpected_limit) {
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

}  // namespace foldlane::engine
