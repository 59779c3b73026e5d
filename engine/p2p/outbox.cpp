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
constexpr std::size_t kMostBlockBytes = 1 << 20;
constexpr std::size_t kBoxesBytes = Chunks::kBoxes * Chunks::kBoxBytes;
/// Messages take no more boxes than that before they are matched: 16 MiB, what a receiver keeps, too. Those
/// that are matched can then have some, and give them back whatever else happens.
constexpr std::size_t kMostBeforeTheMatch = (16 << 20) / kBoxesBytes;
constexpr std::size_t kMostBoxesBytes = 64 << 20;
constexpr std::size_t kNoLimit = ~std::size_t{0} / 2;

Envelope envelope_of(const Parcel& parcel) noexcept {
  return {.tag = parcel.tag,
          .context = parcel.channel->context(),
          .source = static_cast<std::uint32_t>(parcel.channel->own()),
          .type = parcel.buffer.type,
          .carriage = Carriage::cell,
          .ready = parcel.mode == SendMode::ready,
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
      boxes_(map.allocate, kBoxesBytes, kBoxesBytes, kMostBoxesBytes),
      lines_(map.allocate, sizeof(TransferLines), shm::kPageBytes, kNoLimit) {}

Outbox::~Outbox() {
  for (Outflow* flow = flows_.first(); flow != nullptr;) delete std::exchange(flow, flow->next);
  for (Outflow* const flow : free_flows_) delete flow;
}

bool Outbox::send_at_once(const Parcel& parcel) {
  Way& way = ways_[static_cast<std::size_t>(parcel.to)];
  return way.lane && way.first_stalled == nullptr && post_whole(way, parcel);
}

void Outbox::start(Send& send) {
  Way& way = ways_[static_cast<std::size_t>(send.to)];
  if (!way.lane && !open(way, send.to)) return send.end(Delivery::no_memory);
  if (way.first_stalled != nullptr || !post(way, send)) stall(way, send);
}

bool Outbox::step() {
  bool moved = false;
  for (const int to : stalled_) moved |= go_on(ways_[static_cast<std::size_t>(to)]);
  if (moved) {
    std::erase_if(stalled_,
                  [this](int to) { return ways_[static_cast<std::size_t>(to)].first_stalled == nullptr; });
  }
  for (Outflow* flow = flows_.first(); flow != nullptr;) {
    Outflow* const next = flow->next;
    moved |= step(*flow);
    flow = next;
  }
  return moved;
}

bool Outbox::open(Way& way, int to) {
  if (!map_.open(rank_, to).ok()) return false;
  way.lane.emplace(map_.lane(rank_, to), map_.cells_per_lane, map_.credit(rank_, to));
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
  const UserBuffer& buffer = parcel.buffer;
  if (buffer.bytes > kLongBlockBytes || parcel.mode == SendMode::synchronous || is_full(parcel.to))
    return false;
  Cell* const cell = way.lane->next();
  if (cell == nullptr) return false;
  cell->envelope = envelope_of(parcel);
  if (buffer.bytes <= Cell::kPayloadBytes) {
    const auto bytes = static_cast<std::size_t>(buffer.bytes);
    const std::size_t in_head = std::min(bytes, Cell::kHeadBytes);
    buffer.copy_to(cell->head, 0, in_head);
    counts_.cells.bytes += bytes;
    if (bytes > in_head) buffer.copy_to(cell->tail, in_head, bytes - in_head);
  } else if (!carry_in_block(way, *cell, buffer)) {
    return false;
  }
  publish(way, parcel.to);
  return true;
}

bool Outbox::post_with_flow(Way& way, Send& send) {
  Cell* const cell = way.lane->next();
  if (cell == nullptr) return false;
  cell->envelope = envelope_of(send);
  Outflow* const flow = begin_flow(*cell, send);
  if (flow == nullptr) {
    send.end(Delivery::no_memory);
    return true;
  }
  // The receiver makes ready while the first box is filled.
  publish(way, send.to);
  flow->is_held = is_full(send.to);
  if (!flow->is_direct && !flow->is_held) fill(*flow);
  return true;
}

void Outbox::publish(Way& way, int to) {
  publish_and_knock(*way.lane, *map_.knocks[static_cast<std::size_t>(to)], rank_);
  process_.tell(to);
}

SentCounts Outbox::counts() const noexcept {
  SentCounts counts = counts_;
  for (const Way& way : ways_)
    if (way.lane) counts.cells.messages += way.lane->number() - 1;
  counts.cells.messages -=
      counts.blocks.messages + counts.boxes.messages + counts.direct.messages + counts.straight.messages;
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

bool Outbox::carry_in_block(Way& way, Cell& cell, const UserBuffer& buffer) {
  const auto bytes = static_cast<std::size_t>(buffer.bytes);
  const Lent lent = take_block(bytes);
  if (lent.block == nullptr) return false;
  if (way.lent.empty()) {
    way.lent.resize(map_.cells_per_lane);
    way.blocks = std::make_unique<BasicOneWay<shm::RealAtoms>>(process_.decisions());
  }
  take_back_blocks(way);
  way.lent[way.lane->number() % map_.cells_per_lane] = lent;
  DataPlace place{process_.common().offset_of(lent.block), 0, kNoPlace, 0};
  way.blocks->send(bytes, place.took, [&] { buffer.copy_to(lent.block, 0, bytes); });
  counts_.blocks.add(bytes);
  cell.envelope.carriage = Carriage::block;
  cell.set_place(place);
  return true;
}

Outbox::Lent Outbox::take_block(std::size_t bytes) {
  BlockPool& pool = bytes <= kShortBlockBytes ? short_blocks_ : long_blocks_;
  if (std::byte* const block = pool.take()) return {block, &pool};
  for (Way& way : ways_) {
    if (!way.lent.empty()) take_back_blocks(way);
  }
  return {pool.take(), &pool};
}

/// Of messages that have been read.
void Outbox::take_back_blocks(Way& way) {
  for (const std::uint64_t freed = way.lane->freed(); way.taken_back < freed;) {
    Lent& lent = way.lent[++way.taken_back % map_.cells_per_lane];
    if (lent.block != nullptr) lent.pool->give_back(lent.block);
    lent = {};
  }
}

// ---- data that follow

/// Null: there is no memory.
Outflow* Outbox::begin_flow(Cell& cell, Send& send) {
  const std::uint64_t direct = place_for(send);
  const bool is_direct = direct != kNoPlace;
  Outflow* const flow = is_direct || boxes_.exists() ? new_flow() : nullptr;
  if (flow == nullptr) return nullptr;
  flow->send = &send;
  flow->to = send.to;
  flow->chunks = Chunks(send.buffer.bytes);
  flow->is_direct = is_direct;
  flow->is_matched = false;
  (is_direct ? counts_.direct : counts_.boxes).add(send.buffer.bytes);
  cell.envelope.carriage = Carriage::transfer;
  cell.set_place({process_.common().offset_of(flow->transfer.lines()),
                  flow->transfer.begin(is_direct ? 1 : flow->chunks.count()), direct, 0});
  flows_.append(*flow);
  return flow;
}

/// Where the receiver can read it in the sender's buffer. A message to this very process is read where it is,
/// and one without bytes anywhere: through boxes it would be at its end as soon as it is matched, while its
/// receiver still looks at the lines.
std::uint64_t Outbox::place_for(const Send& send) const noexcept {
  const CommonMemory& common = process_.common();
  const UserBuffer& buffer = send.buffer;
  if (buffer.bytes == 0) return 0;
  const bool is_reached = send.to == rank_ || common.holds(buffer.address, buffer.bytes);
  return buffer.contiguous() && is_reached ? common.offset_of(buffer.address) : kNoPlace;
}

Outflow* Outbox::new_flow() {
  if (!free_flows_.empty()) {
    Outflow* const flow = free_flows_.back();
    free_flows_.pop_back();
    return flow;
  }
  std::byte* const lines = lines_.take();
  return lines == nullptr ? nullptr : new Outflow(reinterpret_cast<TransferLines*>(lines));
}

bool Outbox::step(Outflow& flow) {
  bool moved = false;
  if (!flow.is_matched && flow.transfer.is_matched()) {
    flow.is_matched = moved = true;
    const std::uint64_t place = flow.transfer.place();
    if (place != kNoPlace && !flow.is_direct && flow.send != nullptr) write_straight(flow, place);
    if (flow.send != nullptr && flow.send->mode == SendMode::synchronous && !flow.is_direct &&
        flow.transfer.is_filled()) {
      std::exchange(flow.send, nullptr)->end(Delivery::done);
    }
  }
  if (flow.is_held) flow.is_held = !flow.is_matched && is_full(flow.to);
  if (flow.send != nullptr && !flow.is_direct && !flow.is_held) moved |= fill(flow);
  if (!flow.transfer.is_over()) return moved;
  finish(flow);
  return true;
}

/// As many boxes as are free. The send is over once all of it has been copied.
bool Outbox::fill(Outflow& flow) {
  if (!flow.transfer.is_filled() && flow.boxes == nullptr) {
    if (!flow.is_matched && boxes_.lent() >= kMostBeforeTheMatch) return false;
    flow.boxes = boxes_.take();
    if (flow.boxes == nullptr) return false;
    flow.transfer.set_boxes(process_.common().offset_of(flow.boxes));
  }
  const auto copy = [&flow](std::uint64_t chunk) {
    flow.send->buffer.copy_to(flow.boxes + chunk % Chunks::kBoxes * Chunks::kBoxBytes,
                              flow.chunks.offset(chunk), flow.chunks.bytes(chunk));
  };
  const bool moved = flow.transfer.fill(copy, [&] { process_.tell(flow.to); });
  if (!flow.transfer.is_filled()) return moved;
  if (!flow.is_matched && flow.send->mode == SendMode::synchronous) return moved;
  std::exchange(flow.send, nullptr)->end(Delivery::done);
  return true;
}

/// What is not in boxes yet, to where the receiver wants it.
void Outbox::write_straight(Outflow& flow, std::uint64_t place) {
  if (flow.transfer.is_filled()) return;
  counts_.boxes.remove(flow.send->buffer.bytes);
  counts_.straight.add(flow.send->buffer.bytes);
  flow.transfer.write_straight([&](std::uint64_t chunk) {
    const std::uint64_t offset = flow.chunks.offset(chunk);
    const UserBuffer& buffer = flow.send->buffer;
    buffer.copy_to(process_.common().at(place) + offset, offset,
                   static_cast<std::size_t>(buffer.bytes - offset));
  });
  process_.tell(flow.to);
}

/// The receiver is done with it.
void Outbox::finish(Outflow& flow) {
  if (flow.send != nullptr) std::exchange(flow.send, nullptr)->end(Delivery::done);
  if (flow.boxes != nullptr) boxes_.give_back(std::exchange(flow.boxes, nullptr));
  flows_.remove(flow);
  free_flows_.push_back(&flow);
}

}  // namespace foldlane::engine
