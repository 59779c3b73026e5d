#include "engine/p2p/transfers/outflows.hpp"

#include <unistd.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "engine/choice/copy_time.hpp"
#include "engine/choice/pulls.hpp"
#include "shm/machine/process_memory.hpp"

namespace foldlane::engine {
namespace {

constexpr std::size_t kBoxesBytes = Chunks::kBoxes * Chunks::kBoxBytes;
/// A box begins as far into its line as the sender's buffer: whole lines are copied from whole lines, and by
/// a receiver, whose buffer mostly begins so, too, to whole lines. And half a page further: places that are
/// the same modulo 4 KiB are copied more slowly (kernels/copy.cpp). Packed data may lie anywhere.
std::size_t first_box_at(const UserBuffer& from) noexcept {
  if (!from.contiguous()) return 0;
  return (reinterpret_cast<std::uintptr_t>(from.address) + shm::kPageBytes / 2) % shm::kPageBytes;
}

/// Messages take no more boxes than that before they are matched: 16 MiB, what a receiver usually keeps.
/// Those that are matched can then have some, and give them back whatever else happens.
constexpr std::size_t kMostBeforeTheMatch = (16 << 20) / kBoxesBytes;
constexpr std::size_t kMostBoxesBytes = 64 << 20;
/// So much of what has gone into boxes waits for a receiver, as long as receivers come: more would push
/// the programs' data out of the caches, and be out of them itself when it is read. Near, 64 messages of
/// 64 KiB both ways take 9 us each instead of 18, of 512 KiB 72 instead of 99; 1 MiB slows streams of 32 KiB.
constexpr std::size_t kMostAheadBytes = 2 << 20;
constexpr std::size_t kNoLimit = ~std::size_t{0} / 2;

PieceClaims pieces_of(const Outflow& flow) noexcept {
  return {flow.transfer.lines()->pieces, Pieces(flow.chunks.message_bytes()).count()};
}

std::size_t bytes_in_boxes(const Outflow& flow) noexcept {
  return std::min(kBoxesBytes, static_cast<std::size_t>(flow.chunks.message_bytes()));
}

/// copy(), of which the receiver learns what it takes if it wants to.
template <class Copy>
void carry(Outflow& flow, const Copy& copy) {
  if (flow.sent.state == HandedBack::unsaid) [[likely]]
    return copy();
  flow.sent.nanoseconds += copy_time<shm::RealAtoms>(copy);
  flow.transfer.say(flow.sent);
}

}  // namespace

Outflows::Outflows(BasicProcess<shm::RealAtoms>& process, int rank, const LaneMap& map)
    : process_(process),
      rank_(rank),
      own_process_(static_cast<std::uint32_t>(::getpid())),
      map_(map),
      boxes_(map.allocate, Chunks::kBlockBytes, Chunks::kBlockBytes, kMostBoxesBytes),
      copies_(process.decisions()),
      partners_(map.lanes.size()),
      lines_(map.allocate, sizeof(TransferLines), shm::kPageBytes, kNoLimit) {}

Outflows::~Outflows() {
  for (Outflow* flow = flows_.first(); flow != nullptr;) delete std::exchange(flow, flow->next);
  for (Outflow* const flow : free_flows_) delete flow;
}

Outflow* Outflows::begin(Cell& cell, Send& send) {
  std::uint64_t direct = place_for(send);
  const bool is_direct = direct != kNoPlace;
  Outflow* const flow = is_direct || boxes_.exists() ? new_flow() : nullptr;
  if (flow == nullptr) return nullptr;
  flow->send = &send;
  flow->to = send.to;
  flow->chunks = Chunks(send.buffer.bytes);
  flow->is_direct = is_direct;
  flow->is_matched = false;
  choose_way(*flow, send);
  flow->is_in_pieces = false;
  if (flow->could_be_pulled) note_begin(*flow);
  (is_direct ? counts_.direct : counts_.boxes).add(send.buffer.bytes);
  cell.envelope.carriage = Carriage::transfer;
  if (flow->may_be_pulled) direct = reinterpret_cast<std::uint64_t>(send.buffer.address);
  if (flow->may_be_pulled || is_direct) pieces_of(*flow).begin();
  cell.set_place({process_.common().offset_of(flow->transfer.lines()),
                  flow->transfer.begin(is_direct ? 1 : flow->chunks.count()), direct, note_of(*flow).word(),
                  flow->may_be_pulled ? own_process_ : 0});
  flows_.append(*flow);
  return flow;
}

/// Of one that has begun.
TransferNote Outflows::note_of(const Outflow& flow) const noexcept {
  if (!flow.could_be_pulled) return {};
  return {flow.is_again, true, partners_[static_cast<std::size_t>(flow.to)].under_way() - 1};
}

void Outflows::note_begin(const Outflow& flow) noexcept {
  Partner& to = partner(flow.to);
  to.begin(flow, flow.way(), flow.is_again, flow.chunks.message_bytes(), !is_busy(to));
}

void Outflows::follow(Outflow& flow) {
  flow.is_held = is_held(flow);
  if (!flow.is_direct && !flow.is_held) fill(flow, Patience::none);
}

bool Outflows::step_all(Patience patience) {
  bool moved = false;
  for (Outflow* flow = flows_.first(); flow != nullptr;) {
    Outflow* const next = flow->next;
    if (patience == Patience::asks) moved |= withdraw(*flow);
    moved |= step(*flow, patience);
    flow = next;
  }
  return moved;
}

/// Where the receiver can read it in the sender's buffer. A message to this very process is read where it is,
/// and one without bytes anywhere: through boxes it would be at its end as soon as it is matched, while its
/// receiver still looks at the lines.
std::uint64_t Outflows::place_for(const Send& send) const noexcept {
  const CommonMemory& common = process_.common();
  const UserBuffer& buffer = send.buffer;
  if (buffer.bytes == 0) return 0;
  const bool is_reached = send.to == rank_ || common.holds(buffer.address, buffer.bytes);
  return buffer.contiguous() && is_reached ? common.offset_of(buffer.address) : kNoPlace;
}

/// As both have agreed, or as the receiver wants messages of this size.
void Outflows::choose_way(Outflow& flow, const Send& send) noexcept {
  flow.could_be_pulled = flow.may_be_pulled = flow.is_trial = flow.is_again = false;
  flow.sent = {};
  const Decisions::Entry& decision = process_.decisions().of(Decision::message_way);
  if (flow.is_direct || !send.buffer.contiguous() || send.buffer.bytes < decision.row->from_bytes) return;
  flow.could_be_pulled = true;
  const auto bytes = static_cast<std::size_t>(send.buffer.bytes);
  flow.is_again = sources_.find(send.buffer.address).has_value();
  sources_.note(send.buffer.address, bytes);
  const std::optional<Arm> agreed = partner(send.to).agreed(flow.is_again, bytes);
  if (agreed) counts_.agreed.add(bytes);
  const std::optional<Arm> way = decision.forced ? decision.forced : agreed;
  flow.may_be_pulled = way ? *way == Arm::second : pulls_as_receiver_wants(flow, bytes);
}

/// Notes whether that is what it wants to try.
bool Outflows::pulls_as_receiver_wants(Outflow& flow, std::size_t bytes) const noexcept {
  const Pulls::Wanted wanted = Pulls(map_.credit(rank_, flow.to).pulls(flow.is_again).peek()).of(bytes);
  flow.is_trial = wanted.tries_other && !is_trying(flow.to);
  return wanted.usual != flow.is_trial;
}

bool Outflows::is_trying(int to) const noexcept {
  return flows_.find([&](const Outflow& each) {
    return each.to == to && each.is_trial && !each.is_matched;
  }) != nullptr;
}

Outflow* Outflows::new_flow() {
  if (!free_flows_.empty()) {
    Outflow* const flow = free_flows_.back();
    free_flows_.pop_back();
    return flow;
  }
  std::byte* const lines = lines_.take();
  return lines == nullptr ? nullptr : new Outflow(reinterpret_cast<TransferLines*>(lines));
}

bool Outflows::step(Outflow& flow, Patience patience) {
  bool moved = !flow.is_matched && flow.transfer.is_matched();
  if (moved) see_match(flow);
  if (flow.is_held) flow.is_held = is_held(flow);
  if (flow.transfer.is_over()) {
    finish(flow);
    return true;
  }
  if (flow.is_in_pieces) moved |= push(flow);
  if (flow.send != nullptr && !flow.is_direct && !flow.is_held) moved |= fill(flow, patience);
  return moved;
}

/// After a while a send that could be over without its receiver does not wait for that any more.
bool Outflows::withdraw(Outflow& flow) {
  if (!flow.may_be_pulled || flow.is_matched || flow.send == nullptr) return false;
  if (flow.send->mode == SendMode::synchronous || flow.chunks.message_bytes() > kBoxesBytes) return false;
  if (!pieces_of(flow).withdraw()) return false;
  partner(flow.to).withdraw(flow);
  flow.may_be_pulled = false;
  return true;
}

void Outflows::see_match(Outflow& flow) {
  flow.is_matched = true;
  const std::uint64_t place = flow.transfer.place();
  flow.is_in_pieces = place == kInPieces;
  if (place < kInPieces && !flow.is_direct && flow.send != nullptr) write_straight(flow, place);
  if (flow.send != nullptr && flow.send->mode == SendMode::synchronous && !flow.is_direct &&
      flow.transfer.is_filled()) {
    std::exchange(flow.send, nullptr)->end(Delivery::done);
  }
}

/// A piece at a time: other messages are not to wait for all of it.
bool Outflows::push(Outflow& flow) {
  PieceClaims pieces = pieces_of(flow);
  const bool moved = pieces.push_one(
      [&](std::uint64_t piece) { return flow.send != nullptr && copy_piece(flow, pieces, piece); });
  if (moved) process_.tell(flow.to);
  return moved;
}

/// To where the receiver wants it. False: the system refuses.
bool Outflows::copy_piece(const Outflow& flow, const PieceClaims& pieces, std::uint64_t piece) const {
  const Pieces cut(flow.chunks.message_bytes());
  const std::uint64_t offset = cut.offset(piece);
  const std::byte* const from = flow.send->buffer.address + offset;
  if (pieces.process() != 0)
    return shm::write_to_process(pieces.process(), pieces.target() + offset, from, cut.bytes(piece));
  kernels::copy(process_.common().at(pieces.target() + offset), from, cut.bytes(piece));
  return true;
}

/// After a while, what stays is no reason for what could go to wait any more.
bool Outflows::take_boxes(Outflow& flow, Patience patience) {
  if (!flow.is_matched && boxes_.lent() >= kMostBeforeTheMatch) return false;
  if (partner(flow.to).bytes_ahead >= kMostAheadBytes && patience != Patience::asks) return false;
  const std::size_t first = first_box_at(flow.send->buffer);
  flow.boxes = boxes_.take(flow.chunks.bytes(0), first);
  if (flow.boxes == nullptr) return false;
  flow.first_box = flow.boxes + first;
  partner(flow.to).bytes_ahead += bytes_in_boxes(flow);
  flow.sent.state = states_.take(flow.boxes);
  flow.transfer.set_boxes(process_.common().offset_of(flow.first_box));
  return true;
}

/// As many boxes as are free. The send is over once all of it has been copied.
bool Outflows::fill(Outflow& flow, Patience patience) {
  if (!flow.transfer.is_filled() && flow.boxes == nullptr && !take_boxes(flow, patience)) return false;
  const auto tell = [&] { process_.tell(flow.to); };
  const bool moved = flow.transfer.fill([&](std::uint64_t chunk) { fill_box(flow, chunk); }, tell);
  if (!flow.transfer.is_filled()) return moved;
  if (!flow.is_matched && flow.send->mode == SendMode::synchronous) return moved;
  std::exchange(flow.send, nullptr)->end(Delivery::done);
  return true;
}

void Outflows::fill_box(Outflow& flow, std::uint64_t chunk) {
  std::byte* const box = flow.first_box + chunk % Chunks::kBoxes * Chunks::kBoxBytes;
  const std::size_t bytes = flow.chunks.bytes(chunk);
  carry(flow, [&] {
    copies_.perform(static_cast<std::size_t>(flow.chunks.message_bytes()), bytes, [&](kernels::CopyBy by) {
      flow.send->buffer.copy_to(box, flow.chunks.offset(chunk), bytes, by);
    });
  });
}

/// What is not in boxes yet, to where the receiver wants it.
void Outflows::write_straight(Outflow& flow, std::uint64_t place) {
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
void Outflows::finish(Outflow& flow) {
  if (flow.could_be_pulled) partner(flow.to).end(flow, flow.way());
  if (flow.may_be_pulled && !flow.transfer.is_filled()) {
    counts_.boxes.remove(flow.chunks.message_bytes());
    counts_.pulled.add(flow.chunks.message_bytes());
  }
  if (flow.send != nullptr) std::exchange(flow.send, nullptr)->end(Delivery::done);
  if (flow.boxes != nullptr) {
    states_.note(flow.boxes, flow.transfer.handed_back());
    boxes_.give_back(std::exchange(flow.boxes, nullptr));
    partner(flow.to).bytes_ahead -= bytes_in_boxes(flow);
  }
  flows_.remove(flow);
  free_flows_.push_back(&flow);
}

}  // namespace foldlane::engine
