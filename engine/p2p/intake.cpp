#include "engine/p2p/intake.hpp"

#include <algorithm>
#include <utility>

#include "engine/team/transfer.hpp"
#include "kernels/copy.hpp"

namespace foldlane::engine {
namespace {

using Boxes = BasicTransfer<shm::RealAtoms>;
using Word = shm::RealAtoms::Word<std::uint32_t>;

bool is_demotable(const Cell& cell) noexcept { return (cell.envelope.manner & kDemotable) != 0; }

/// The payload of a cell lies in two pieces, or begins behind others in the first. Into what is behind it
/// there its sender may be writing the next one.
void copy_out(const Cell& cell, std::uint64_t offset, const UserBuffer& buffer) {
  const auto bytes = static_cast<std::size_t>(cell.envelope.bytes);
  const std::size_t in_head = std::min(bytes, Cell::kHeadBytes);
  buffer.copy_from(cell.head + offset, 0, in_head);
  if (bytes > in_head) buffer.copy_from(cell.tail, in_head, bytes - in_head);
}

}  // namespace

Intake::Intake(BasicProcess<shm::RealAtoms>& process, int rank, const LaneMap& map, Outflows& sends,
               std::uint64_t unexpected_limit)
    : process_(process),
      rank_(rank),
      map_(map),
      room_(process, rank, unexpected_limit),
      knocks_(*map.knocks[static_cast<std::size_t>(rank)]),
      ways_(map.lanes.size()),
      flows_(process, rank, map, sends),
      stores_(process.decisions()) {}

Intake::~Intake() {
  for (auto& [context, channel] : channels_) drop_unexpected(*channel);
  while (Unexpected* const message = claimed_.first()) {
    claimed_.remove(*message);
    drop(*message);
  }
}

Channel& Intake::find_or_make(std::uint32_t context) {
  auto& place = channels_[context];
  if (place == nullptr) place = std::make_unique<Channel>(context);
  return *place;
}

Channel* Intake::find_channel(std::uint32_t context) const noexcept {
  const auto found = channels_.find(context);
  return found == channels_.end() ? nullptr : found->second.get();
}

void Intake::forget(const Channel& channel) noexcept {
  if (last_channel_ == &channel) last_channel_ = nullptr;
  channels_.erase(channel.context());
}

bool Intake::start_with_unexpected(Receive& receive) {
  Unexpected* const message = receive.channel->find(receive.source, receive.tag);
  if (message == nullptr) return false;
  receive.channel->take_out(*message);
  start(receive, *message);
  return true;
}

void Intake::start(Receive& receive, Unexpected& message) {
  receive.envelope = message.envelope;
  if (message.envelope.carriage == Carriage::transfer) {
    const int from = message.from;
    const DataPlace place = message.place;
    drop(message);
    return flows_.begin(receive, from, place);
  }
  receive.buffer.copy_from(message.data(), 0, static_cast<std::size_t>(message.envelope.bytes));
  drop(message);
  receive.end(receive.outcome());
}

void Intake::claim(Channel& channel, Unexpected& message) noexcept {
  channel.take_out(message);
  claimed_.append(message);
}

void Intake::start_claimed(Receive& receive, Unexpected& message) {
  claimed_.remove(message);
  start(receive, message);
}

std::vector<Envelope> Intake::drop_unexpected(Channel& channel) {
  std::vector<Envelope> dropped;
  while (Unexpected* const message = channel.first_unexpected()) {
    dropped.push_back(message->envelope);
    channel.take_out(*message);
    drop(*message);
  }
  return dropped;
}

void Intake::drop(Unexpected& message) noexcept {
  room_.count_out(UnexpectedPool::cost_of(message));
  places_.give_back(&message);
}

void Intake::count_in(const Unexpected& message) {
  Way& way = ways_[static_cast<std::size_t>(message.from)];
  room_.count_in(UnexpectedPool::cost_of(message), message.from, way.lane->credits().full);
}

ReceivedCounts Intake::counts() const noexcept {
  ReceivedCounts counts = room_.counts();
  for (const auto& [context, channel] : channels_) {
    counts.posted += channel->waiting().now;
    counts.most_posted = std::max(counts.most_posted, channel->waiting().peak);
  }
  return counts;
}

bool Intake::step() {
  bool moved = false;
  for (const int from : watched_) moved |= drain(from, kInARow);
  if (knocks_.any()) moved |= answer_knocks();
  moved |= flows_.step();
  return moved;
}

/// Its payload begins at `offset` in the head of its cell.
inline bool Intake::accept(Channel& to, int from, const Cell& cell, const Envelope& envelope,
                           std::uint64_t offset) {
  Receive* const receive = to.match(envelope);
  if (receive == nullptr) [[unlikely]] {
    keep(to, from, cell, offset);
    return false;
  }
  receive->envelope = envelope;
  const UserBuffer& buffer = receive->buffer;
  if (envelope.carriage != Carriage::cell || envelope.bytes > Cell::kHeadBytes ||
      envelope.bytes > buffer.bytes || !buffer.contiguous()) [[unlikely]] {
    deliver(*receive, from, cell, offset);
    return true;
  }
  kernels::copy_short(buffer.address, cell.head + offset, envelope.bytes);
  receive->end(Delivery::done);
  return true;
}

/// Behind a message that was awaited, one that nobody awaits yet: as soon as this returns somebody may, and
/// what is kept is copied twice. Not one that was sent as awaited, which is noticed when it is kept.
inline bool Intake::is_better_left(const Envelope& envelope, const Channel& to) noexcept {
  return envelope.carriage == Carriage::block && (envelope.manner & kReady) == 0 && to.waiting().now == 0;
}

bool Intake::drain(int from, int most) {
  LaneReader& lane = *ways_[static_cast<std::size_t>(from)].lane;
  bool moved = false, was_awaited = false;
  for (int i = 0; i != most; ++i) {
    const Cell* const cell = lane.next();
    if (cell == nullptr) return moved;
    const Envelope envelope = cell->envelope;
    Channel& to = channel(envelope.context);
    if (was_awaited && most > 0 && is_better_left(envelope, to)) return true;
    do {
      was_awaited = accept(to, from, *cell, envelope, lane.offset());
    } while (lane.pass(envelope.bytes));
    if (lane.release()) process_.tell(from);
    moved = true;
  }
  return moved;
}

/// All that is there: their senders will not knock for it again.
bool Intake::answer_knocks() {
  bool moved = false;
  knocks_.answer([&](int from) {
    open(from);
    moved |= drain(from, -1);
  });
  return moved;
}

void Intake::open(int from) {
  Way& way = ways_[static_cast<std::size_t>(from)];
  if (way.lane) return;
  way.lane.emplace(map_.lane(from, rank_), map_.cells_per_lane, map_.credit(from, rank_));
  if (watched_.size() == kMostWatched) return;
  watched_.push_back(from);
  way.lane->credits().watched.publish(1);
}

template <class Read>
void Intake::read_demotable(int from, const Envelope& envelope, const Read& read) {
  Way& way = ways_[static_cast<std::size_t>(from)];
  if (way.lines == nullptr) way.lines = std::make_unique<ReceivedLines<>>(process_.decisions());
  way.lines->receive(envelope.bytes, way.lane->credits().demoted, read);
}

void Intake::empty_cell(int from, const Cell& cell, std::uint64_t offset, const UserBuffer& buffer) {
  if (!is_demotable(cell)) return copy_out(cell, offset, buffer);
  read_demotable(from, cell.envelope, [&] { copy_out(cell, offset, buffer); });
}

/// Those that may be demoted are too short for a choice of how they are handed back.
static_assert(kMostDemotedBytes < row_of(Decision::message_blocks).from_bytes);

template <class Take>
void Intake::empty_block(int from, const Cell& cell, const Take& take) {
  const DataPlace place = cell.place();
  const auto bytes = static_cast<std::size_t>(cell.envelope.bytes);
  std::byte* const block = process_.common().at(place.at);
  if (is_demotable(cell)) {
    read_demotable(from, cell.envelope, [&] { take(block); });
    return Boxes::dirty(block, bytes);
  }
  auto& blocks = ways_[static_cast<std::size_t>(from)].blocks;
  if (blocks == nullptr)
    blocks = std::make_unique<BasicOneWay<shm::RealAtoms>>(process_.decisions(), Decision::message_blocks);
  blocks->receive(
      bytes, bytes, place.note, [&] { take(block); }, [&] { Boxes::dirty(block, bytes); });
}

void Intake::store(const UserBuffer& to, const std::byte* block, std::size_t bytes) {
  if (!to.contiguous() || bytes > to.bytes || bytes <= kMostFetched) return to.copy_from(block, 0, bytes);
  stores_.perform(to.address, bytes, [&](kernels::CopyBy by) { to.copy_from(block, 0, bytes, by); });
}

/// However its data come, and wherever they go.
void Intake::deliver(Receive& receive, int from, const Cell& cell, std::uint64_t offset) {
  if (cell.envelope.carriage == Carriage::transfer) return flows_.begin(receive, from, cell.place());
  if (cell.envelope.carriage == Carriage::cell) {
    empty_cell(from, cell, offset, receive.buffer);
  } else {
    empty_block(from, cell, [&](const std::byte* block) {
      store(receive.buffer, block, static_cast<std::size_t>(cell.envelope.bytes));
    });
  }
  receive.end(receive.outcome());
}

void Intake::keep(Channel& channel, int from, const Cell& cell, std::uint64_t offset) {
  const bool follows = cell.envelope.carriage == Carriage::transfer;
  Unexpected* const message = places_.take(follows ? 0 : static_cast<std::size_t>(cell.envelope.bytes));
  message->envelope = cell.envelope;
  if ((cell.envelope.manner & kReady) != 0) message->envelope.type |= kCameTooEarly;
  message->from = from;
  const auto bytes = static_cast<std::size_t>(cell.envelope.bytes);
  switch (cell.envelope.carriage) {
    case Carriage::cell:
      empty_cell(from, cell, offset, {.address = message->payload, .bytes = bytes});
      break;
    case Carriage::block:
      empty_block(from, cell,
                  [&](const std::byte* block) { kernels::copy(message->long_payload.get(), block, bytes); });
      break;
    case Carriage::transfer:
      message->place = cell.place();
      break;
  }
  channel.keep(*message);
  count_in(*message);
}

}  // namespace foldlane::engine
