#include "engine/p2p/inflows.hpp"

#include <utility>

#include "engine/team/transfer.hpp"

namespace foldlane::engine {

Inflows::Inflows(BasicProcess<shm::RealAtoms>& process, std::size_t ranks)
    : process_(process), boxes_(ranks) {}

Inflows::~Inflows() {
  for (Inflow* flow = flows_.first(); flow != nullptr;) delete std::exchange(flow, flow->next);
  for (Inflow* const flow : free_flows_) delete flow;
}

bool Inflows::step() {
  bool moved = false;
  for (Inflow* flow = flows_.first(); flow != nullptr;) {
    Inflow* const next = flow->next;
    moved |= step(*flow);
    flow = next;
  }
  return moved;
}

void Inflows::begin(Receive& receive, int from, const DataPlace& place) {
  Inflow* flow = nullptr;
  if (free_flows_.empty()) {
    flow = new Inflow;
  } else {
    flow = free_flows_.back();
    free_flows_.pop_back();
  }
  const CommonMemory& common = process_.common();
  const UserBuffer& buffer = receive.buffer;
  flow->receive = &receive;
  flow->from = from;
  flow->direct = place.direct;
  flow->chunks = Chunks(receive.envelope.bytes);
  flow->transfer = TransferReceiver(reinterpret_cast<TransferLines*>(common.at(place.at)), place.first,
                                    place.direct == kNoPlace ? flow->chunks.count() : 1);
  const bool is_straight = place.direct == kNoPlace && buffer.contiguous() &&
                           receive.envelope.bytes <= buffer.bytes &&
                           common.holds(buffer.address, buffer.bytes);
  choose(*flow, is_straight);
  flow->transfer.match(is_straight ? common.offset_of(buffer.address) : kNoPlace);
  flows_.append(*flow);
  process_.tell(from);
  step(*flow);
}

/// Whether to dirty the boxes. Of a message that has been filled already the sender's part would be missing.
void Inflows::choose(Inflow& flow, bool is_straight) {
  flow.chooser = nullptr;
  flow.arm = Arm::first;
  if (flow.direct != kNoPlace || is_straight || flow.chunks.count() < 2) return;
  auto& boxes = boxes_[static_cast<std::size_t>(flow.from)];
  if (boxes == nullptr)
    boxes = std::make_unique<BySize<Chooser>>(Chooser(process_.decisions().of(Decision::message_boxes)));
  Chooser& chooser = boxes->of(flow.receive->envelope.bytes);
  const Chooser::Choice choice = chooser.next();
  flow.arm = choice.arm;
  if (!choice.timed || flow.transfer.has_begun()) return;
  flow.chooser = &chooser;
  flow.since = std::chrono::steady_clock::now();
}

bool Inflows::step(Inflow& flow) {
  bool moved = false;
  if (flow.direct == kNoPlace) {
    moved = take(flow);
  } else {
    flow.receive->buffer.copy_from(process_.common().at(flow.direct), 0,
                                   static_cast<std::size_t>(flow.receive->envelope.bytes));
    flow.transfer.take_rest();
  }
  if (!flow.transfer.is_over()) return moved;
  finish(flow);
  return true;
}

bool Inflows::take(Inflow& flow) {
  const auto copy = [&](std::uint64_t chunk) {
    std::byte* const boxes = process_.common().at(flow.transfer.boxes());
    std::byte* const box = boxes + chunk % Chunks::kBoxes * Chunks::kBoxBytes;
    flow.receive->buffer.copy_from(box, flow.chunks.offset(chunk), flow.chunks.bytes(chunk));
    if (flow.arm == Arm::second) BasicTransfer<shm::RealAtoms>::dirty(box, flow.chunks.bytes(chunk));
  };
  return flow.transfer.take(copy, [&] { process_.tell(flow.from); });
}

void Inflows::finish(Inflow& flow) {
  process_.tell(flow.from);
  Receive& receive = *flow.receive;
  if (flow.chooser != nullptr) {
    const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - flow.since;
    flow.chooser->report(receive.envelope.bytes, took.count());
  }
  flows_.remove(flow);
  free_flows_.push_back(&flow);
  receive.end(receive.outcome());
}

}  // namespace foldlane::engine
