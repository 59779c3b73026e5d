#include "engine/p2p/outbox.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace foldlane::engine {
namespace {

constexpr std::size_t kShortBlockBytes = 2 << 10;
/// From here on the copies of both sides overlap.
constexpr std::size_t kLongBlockBytes = 8 << 10;
constexpr std::size_t kBlockStepBytes = 128 << 10;

Envelope envelope_of(const Parcel& parcel, bool demotable = false) noexcept {
  return {.tag = parcel.tag,
          .context = parcel.channel->context(),
          .source = static_cast<std::uint32_t>(parcel.channel->own()),
          .type = parcel.buffer.type,
          .carriage = Carriage::cell,
          .manner = static_cast<std::uint8_t>((demotable ? kDemotable : 0) |
                                              (parcel.mode == SendMode::ready ? kReady : 0)),
          .bytes = parcel.buffer.bytes};
}

}  // namespace

Outbox::Outbox(BasicProcess<shm::RealAtoms>& process, int rank, const LaneMap& map)
    : process_(process),
      rank_(rank),
      map_(map),
      ways_(map.lanes.size()),
      short_blocks_(map.allocate, kShortBlockBytes, kBlockStepBytes, kMostBlockBytes),
      long_blocks_(map.allocate, kLongBlockBytes, kBlockStepBytes, kMostBlockBytes),
      flows_(process, rank, map) {}

inline void Outbox::tell(const Way& way, int to) {
  knock_unless_watched(way.lane->credits(), *map_.knocks[static_cast<std::size_t>(to)], rank_);
  process_.tell(to);
}

inline void Outbox::put(std::byte* room, const Parcel& parcel) {
  const auto bytes = static_cast<std::size_t>(parcel.buffer.bytes);
  parcel.buffer.copy_to(room, 0, bytes);
  counts_.cells.bytes += bytes;
}

/// Nobody needs to know when it is received, and its receiver has room for it.
inline bool Outbox::may_go_whole(const Way& way, const Parcel& parcel) const noexcept {
  return parcel.mode != SendMode::synchronous && way.lane->credits().full.peek() == 0;
}
inline bool Outbox::goes_short(const Way& way, const Parcel& parcel) const noexcept {
  return Cell::can_share(parcel.buffer.bytes) && may_go_whole(way, parcel);
}

/// It says the same of itself as the last one. Their source follows from their context.
inline bool Outbox::is_in_row(const Way& way, const Parcel& parcel) const noexcept {
  return way.row == row_ && way.last.bytes == parcel.buffer.bytes && way.last.tag == parcel.tag &&
         way.last.context == parcel.channel->context() && way.last.type == parcel.buffer.type &&
         way.mode == parcel.mode;
}

/// There is room behind the last one, whose envelope is its own.
inline bool Outbox::joins(const Way& way, const Parcel& parcel) const noexcept {
  return is_in_row(way, parcel) && way.lane->has_room(parcel.buffer.bytes);
}

inline void Outbox::join(Way& way, const Parcel& parcel) {
  put(way.lane->room(), parcel);
  way.lane->publish_more(parcel.buffer.bytes);
  tell(way, parcel.to);
}

/// From the third of a row of equal ones on they share cells: the second begins one that is open. All others
/// are alone, so that their receiver has one cell to look at.
inline bool Outbox::post_short(Way& way, const Parcel& parcel) {
  if (joins(way, parcel)) {
    join(way, parcel);
    return true;
  }
  Cell* const cell = way.lane->next();
  if (cell == nullptr) return false;
  cell->envelope = envelope_of(parcel);
  put(cell->head, parcel);
  if (is_in_row(way, parcel)) {
    way.lane->publish_open(parcel.buffer.bytes);
    tell(way, parcel.to);
  } else {
    way.lane->publish();
    tell(way, parcel.to);
    way.last = envelope_of(parcel);
    way.row = row_;
    way.mode = parcel.mode;
  }
  return true;
}

bool Outbox::send_at_once(const Parcel& parcel) {
  Way& way = ways_[static_cast<std::size_t>(parcel.to)];
  if (!way.lane || !has_caught_up(way, parcel.to)) return false;
  return goes_short(way, parcel) ? post_short(way, parcel) : post_whole(way, parcel);
}

void Outbox::start(Send& send) {
  Way& way = ways_[static_cast<std::size_t>(send.to)];
  if (!way.lane && !open(way, send.to)) return send.end(Delivery::no_memory);
  if (!has_caught_up(way, send.to) || !post(way, send)) stall(way, send);
}

/// What waits for room goes on with each message that comes behind it: the lane is to be full again before
/// its receiver has emptied it, and has to wait for each message.
bool Outbox::catch_up(Way& way, int to) {
  if (!go_on(way) || way.first_stalled != nullptr) return false;
  std::erase(stalled_, to);
  return true;
}

bool Outbox::step_all(Patience patience) {
  bool moved = false;
  for (const int to : stalled_) moved |= go_on(ways_[static_cast<std::size_t>(to)]);
  if (moved) {
    std::erase_if(stalled_,
                  [this](int to) { return ways_[static_cast<std::size_t>(to)].first_stalled == nullptr; });
  }
  moved |= flows_.step(patience);
  return moved;
}

bool Outbox::open(Way& way, int to) {
  if (!map_.open(rank_, to).ok()) return false;
  way.lane.emplace(map_.lane(rank_, to), map_.cells_per_lane, map_.credit(rank_, to));
  if (kernels::can_demote()) way.lines = std::make_unique<SentLines>(process_.decisions());
  return true;
}

/// True if it is on its way, or over.
bool Outbox::post(Way& way, Send& send) {
  if (!post_whole(way, send)) return post_with_flow(way, send);
  send.end(Delivery::done);
  return true;
}

/// What goes beside its envelope, or in a block: the sender is done with it.
bool Outbox::post_whole(Way& way, const Parcel& parcel) {
  if (goes_short(way, parcel)) return post_short(way, parcel);
  const UserBuffer& buffer = parcel.buffer;
  if (buffer.bytes > kLongBlockBytes || !may_go_whole(way, parcel)) return false;
  way.row = kNoRow;
  Cell* const cell = way.lane->next();
  if (cell == nullptr) return false;
  const bool demotable = is_demotable(way, buffer.bytes);
  if (buffer.bytes <= Cell::kPayloadBytes) {
    fill(way, *cell, parcel, demotable);
  } else {
    cell->envelope = envelope_of(parcel, demotable);
    if (!carry_in_block(way, *cell, buffer, demotable)) return false;
  }
  sent_in_ = row_;
  way.lane->publish();
  tell(way, parcel.to);
  return true;
}

/// The mark's line last and at once: its receiver looks at it all the time, and takes it away meanwhile.
inline void Outbox::fill(Way& way, Cell& cell, const Parcel& parcel, bool demotable) {
  const UserBuffer& buffer = parcel.buffer;
  const auto bytes = static_cast<std::size_t>(buffer.bytes);
  const std::size_t in_head = std::min(bytes, Cell::kHeadBytes);
  if (bytes > in_head) {
    last_with_tail_ = &*way.lane;
    buffer.copy_to(cell.tail, in_head, bytes - in_head);
    if (demotable && is_demoted(way, bytes)) kernels::demote(cell.tail, bytes - in_head);
  }
  cell.envelope = envelope_of(parcel, demotable);
  buffer.copy_to(cell.head, 0, in_head);
  counts_.cells.bytes += bytes;
}

static_assert(row_of(Decision::message_lines).from_bytes == Cell::kHeadBytes + 1,
              "what lies beside its mark is looked at all the time");

/// Not what goes in a row, to whomever, without a look for other messages in between: all that counts then is
/// what a message takes its sender (far, 1 KiB: 0.25 us, demoted 0.36).
inline bool Outbox::is_demotable(const Way& way, std::uint64_t bytes) const noexcept {
  return way.lines != nullptr && may_be_demoted(bytes) && sent_in_ != row_ && way.first_stalled == nullptr;
}
/// Of one that is.
inline bool Outbox::is_demoted(Way& way, std::uint64_t bytes) noexcept {
  return way.lines->are_demoted(bytes, WantedLines(way.lane->credits().demoted.peek()));
}

bool Outbox::post_with_flow(Way& way, Send& send) {
  way.row = kNoRow;
  Cell* const cell = way.lane->next();
  if (cell == nullptr) return false;
  cell->envelope = envelope_of(send);
  Outflow* const flow = flows_.begin(*cell, send);
  if (flow == nullptr) {
    send.end(Delivery::no_memory);
    return true;
  }
  // The receiver makes ready while the first box is filled.
  way.lane->publish();
  tell(way, send.to);
  flows_.follow(*flow);
  return true;
}

SentCounts Outbox::counts() const noexcept {
  SentCounts counts = counts_;
  flows_.add_to(counts);
  for (const Way& way : ways_)
    if (way.lane) counts.cells.messages += way.lane->messages();
  counts.cells.messages -= counts.blocks.messages + counts.boxes.messages + counts.direct.messages +
                           counts.straight.messages + counts.pulled.messages;
  return counts;
}

void Outbox::stall(Way& way, Send& send) {
  send.next = nullptr;
  if (way.first_stalled == nullptr) {
    way.first_stalled = &send;
    stalled_.push_back(send.to);
  } else {
    way.last_stalled->next = &send;
  }
  way.last_stalled = &send;
}

bool Outbox::go_on(Way& way) {
  bool moved = false;
  while (Send* const send = way.first_stalled) {
    Send* const next = send->next;  // it may be gone once it is posted
    if (!post(way, *send)) break;
    way.first_stalled = next;
    moved = true;
  }
  return moved;
}

// ---- blocks

bool Outbox::carry_in_block(Way& way, Cell& cell, const UserBuffer& buffer, bool demotable) {
  const auto bytes = static_cast<std::size_t>(buffer.bytes);
  const Lent lent = take_block(bytes);
  if (lent.block == nullptr) return false;
  if (way.lent.empty()) {
    way.lent.resize(map_.cells_per_lane);
    way.blocks =
        std::make_unique<BasicOneWay<shm::RealAtoms>>(process_.decisions(), Decision::message_blocks);
  }
  take_back_blocks(way);
  way.lent[way.lane->number() % map_.cells_per_lane] = lent;
  DataPlace place{process_.common().offset_of(lent.block), 0, kNoPlace, 0, 0};
  way.blocks->send(bytes, place.note, [&] {
    kernels::fetch_to_write(lent.block, bytes);  // far, 8 KiB: stream 1.44, exchange 0.86 x
    buffer.copy_to(lent.block, 0, bytes);
    if (demotable && is_demoted(way, bytes)) [[unlikely]]
      kernels::demote(lent.block, bytes);
  });
  counts_.blocks.add(bytes);
  cell.envelope.carriage = Carriage::block;
  cell.set_place(place);
  return true;
}

Outbox::Lent Outbox::take_block(std::size_t bytes) {
  BlockPool& pool = bytes <= kShortBlockBytes ? short_blocks_ : long_blocks_;
  if (std::byte* const block = pool.take(bytes)) return {block, &pool};
  for (Way& way : ways_) {
    if (!way.lent.empty()) take_back_blocks(way);
  }
  return {pool.take(bytes), &pool};
}

/// Of messages that have been read.
void Outbox::take_back_blocks(Way& way) {
  for (const std::uint64_t freed = way.lane->freed(); way.taken_back < freed;) {
    Lent& lent = way.lent[++way.taken_back % map_.cells_per_lane];
    if (lent.block != nullptr) lent.pool->give_back(lent.block);
    lent = {};
  }
}

}  // namespace foldlane::engine
