#include "engine/p2p/transfers/inflows.hpp"

#include <unistd.h>

#include <algorithm>
#include <utility>

#include "engine/choice/first_look.hpp"
#include "engine/team/transfer.hpp"
#include "shm/machine/process_memory.hpp"

namespace foldlane::engine {

Inflows::Inflows(BasicProcess<shm::RealAtoms>& process, int rank, const LaneMap& map, Outflows& sends)
    : process_(process),
      rank_(rank),
      own_process_(::getpid()),
      shares_cpus_(process.geometry().shared_cpus > 0),
      map_(map),
      sends_(sends),
      choices_(map.lanes.size()),
      stores_(process.decisions()) {}

Inflows::~Inflows() {
  for (Inflow* flow = flows_.first(); flow != nullptr;) delete std::exchange(flow, flow->next);
  for (Inflow* const flow : free_flows_) delete flow;
}

bool Inflows::step_all() {
  bool moved = false;
  for (Inflow* flow = flows_.first(); flow != nullptr;) {
    Inflow* const next = flow->next;
    moved |= step(*flow);
    flow = next;
  }
  return moved;
}

Inflow& Inflows::new_flow() {
  if (free_flows_.empty()) return *new Inflow;
  Inflow* const flow = free_flows_.back();
  free_flows_.pop_back();
  return *flow = {};
}

void Inflows::begin(Receive& receive, int from, const DataPlace& place) {
  Inflow& flow = new_flow();
  const CommonMemory& common = process_.common();
  const UserBuffer& buffer = receive.buffer;
  flow.receive = &receive;
  flow.from = from;
  flow.direct = place.process == 0 ? place.direct : kNoPlace;
  flow.chunks = Chunks(receive.envelope.bytes);
  flow.transfer = TransferReceiver(reinterpret_cast<TransferLines*>(common.at(place.at)), place.first,
                                   flow.direct == kNoPlace ? flow.chunks.count() : 1);
  flows_.append(flow);
  if (place.process != 0 && pull(flow, place)) return;
  if (may_share(flow) && share(flow)) return;
  const bool is_straight = flow.direct == kNoPlace && buffer.contiguous() &&
                           receive.envelope.bytes <= buffer.bytes &&
                           common.holds(buffer.address, buffer.bytes);
  if (flow.direct == kNoPlace && !is_straight) {
    flow.choices = &choices_of(from);
    TransferNote note = TransferNote::of(place.note);
    note.could_be_pulled &= buffer.contiguous();
    flow.choices->begin_boxes(flow.use, static_cast<std::size_t>(receive.envelope.bytes), note);
    meet(flow);
  }
  flow.transfer.match(is_straight ? common.offset_of(buffer.address) : kNoPlace, flow.use.hands_back);
  process_.tell(from);
  step(flow);
}

/// Both buffers lie in heaps of the segment, and there is enough to share.
bool Inflows::may_share(const Inflow& flow) const {
  const UserBuffer& buffer = flow.receive->buffer;
  const std::uint64_t bytes = flow.receive->envelope.bytes;
  return flow.direct != kNoPlace && flow.from != rank_ && bytes >= kLeastShared && buffer.contiguous() &&
         bytes <= buffer.bytes && process_.common().holds(buffer.address, buffer.bytes);
}

/// False: the receiver copies all of it.
bool Inflows::share(Inflow& flow) {
  const UserBuffer& buffer = flow.receive->buffer;
  const std::uint64_t bytes = flow.receive->envelope.bytes;
  flow.choices = &choices_of(flow.from);
  if (!flow.choices->begin_copy(flow.use, static_cast<std::size_t>(bytes))) return false;
  flow.cut = Pieces(bytes);
  flow.is_in_pieces = true;
  flow.source = flow.direct;
  flow.process = 0;
  flow.claims = PieceClaims(flow.transfer.lines().pieces, flow.cut.count());
  flow.claims.begin_pulling(1, process_.common().offset_of(buffer.address), 0);
  flow.transfer.match(kInPieces);
  process_.tell(flow.from);
  copy_pieces(flow, 0, 1);
  step(flow);
  return true;
}

/// False: it is to come as others do, because the system does not let this process, which the first piece of
/// the first message tells, or because the sender has waited for long.
bool Inflows::pull(Inflow& flow, const DataPlace& place) {
  const Receive& receive = *flow.receive;
  TransferChoices& choices = choices_of(flow.from);
  if (!receive.buffer.contiguous() || choices.may_pull() == Permission::refused) return false;
  choices.begin_pull(flow.use, static_cast<std::size_t>(receive.envelope.bytes),
                     TransferNote::of(place.note));
  meet(flow);
  flow.is_in_pieces = true;
  flow.cut = Pieces(receive.envelope.bytes);
  flow.source = place.direct;
  flow.process = static_cast<int>(place.process);
  flow.claims = PieceClaims(flow.transfer.lines().pieces, flow.cut.count());
  if (choices.may_pull() == Permission::unknown) {
    // Of a message that its sender has withdrawn meanwhile the buffer may not be there any more.
    if (const bool could = copy_pieces(flow, 0, 1); could || flow.claims.is_offered()) choices.learn(could);
    for (const bool is_again : {false, true}) publish(flow.from, is_again, choices.pulls(is_again));
  }
  const std::uint64_t by_itself = pulls_alone(flow) ? flow.cut.count() : 1;
  if (choices.may_pull() == Permission::refused ||
      !flow.claims.begin_pulling(by_itself, reinterpret_cast<std::uint64_t>(receive.buffer.address),
                                 own_process_)) {
    TransferChoices::forget(flow.use);
    flow.is_in_pieces = false;
    return false;
  }
  flow.choices = &choices;
  flow.transfer.match(kInPieces);
  process_.tell(flow.from);
  pull_pieces(flow, 0, by_itself);
  step(flow);
  return true;
}

/// The sender does not know where the buffer ends. And it has enough to copy where both send, and where ranks
/// share CPUs does not run at the same time.
bool Inflows::pulls_alone(const Inflow& flow) const noexcept {
  const std::uint64_t bytes = flow.receive->envelope.bytes;
  const bool is_quicker = flow.use.meanwhile.any() || shares_cpus_;
  return bytes > flow.receive->buffer.bytes || (is_quicker && bytes <= kMostPulledAlone);
}

/// What is beyond the end of the buffer is dropped.
bool Inflows::copy_pieces(const Inflow& flow, std::uint64_t first, std::uint64_t pieces) {
  const UserBuffer& buffer = flow.receive->buffer;
  const std::uint64_t offset = flow.cut.offset(first);
  if (offset >= buffer.bytes) return true;
  const auto bytes =
      static_cast<std::size_t>(std::min<std::uint64_t>(flow.cut.bytes(first, pieces), buffer.bytes - offset));
  if (flow.process != 0)
    return shm::read_from_process(flow.process, flow.source + offset, buffer.address + offset, bytes);
  kernels::copy(buffer.address + offset, process_.common().at(flow.source + offset), bytes);
  return true;
}

void Inflows::pull_pieces(Inflow& flow, std::uint64_t first, std::uint64_t pieces) {
  carry(flow, flow.cut.bytes(first, pieces), true,
        [&] { flow.is_broken |= !copy_pieces(flow, first, pieces); });
}

/// A piece at a time: other messages are not to wait for all of it.
bool Inflows::go_on_in_pieces(Inflow& flow) {
  if (flow.claims.is_over()) {
    flow.transfer.take_rest();
    finish(flow);
    return true;
  }
  // Where that fails, the sender has died, or has given memory away that it is sending.
  return flow.claims.pull_one([&](std::uint64_t piece) { pull_pieces(flow, piece, 1); });
}

/// The buffer is about to be the program's again, and the sender may be copying a piece into it.
void Inflows::stop_pushing(Inflow& flow) noexcept {
  while (!flow.claims.is_over() && !process_.has_died(flow.from)) {
    if (!flow.claims.pull_one([](std::uint64_t) {})) shm::pause();
  }
}

TransferChoices& Inflows::choices_of(int from) {
  auto& choices = choices_[static_cast<std::size_t>(from)];
  if (choices == nullptr)
    choices = std::make_unique<TransferChoices>(process_.decisions(), rank_ < from, shares_cpus_);
  return *choices;
}

bool Inflows::step(Inflow& flow) {
  bool moved = false;
  if (flow.is_in_pieces) return go_on_in_pieces(flow);
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

void Inflows::abandon(const Receive& receive) noexcept {
  Inflow* const flow = flows_.find([&](const Inflow& each) { return each.receive == &receive; });
  if (flow == nullptr) return;
  if (flow->is_in_pieces) stop_pushing(*flow);
  TransferChoices::forget(flow->use);
  flows_.remove(*flow);
  free_flows_.push_back(flow);
}

bool Inflows::take(Inflow& flow) {
  const auto tell = [&] { process_.tell(flow.from); };
  return flow.transfer.take([&](std::uint64_t chunk) { empty_box(flow, chunk); }, tell);
}

/// Where the boxes are stands in a line that their sender writes for each of them: it is read once. The first
/// box is looked at before copying brings its lines here. Of what is watched the last whole chunk stands for
/// all: the first may be in new pages, and a remainder takes as long as reading the clock.
void Inflows::empty_box(Inflow& flow, std::uint64_t chunk) {
  if (chunk == 0) flow.boxes = process_.common().at(flow.transfer.boxes());
  std::byte* const box = flow.boxes + chunk % Chunks::kBoxes * Chunks::kBoxBytes;
  if (flow.use.looks && chunk == 0) [[unlikely]]
    flow.use.look = time_of_lines(box);
  carry(flow, flow.chunks.bytes(chunk), flow.chunks.is_last_whole(chunk), [&] {
    store(flow, box, flow.chunks.offset(chunk), flow.chunks.bytes(chunk));
    if (flow.use.dirties) BasicTransfer<shm::RealAtoms>::dirty(box, flow.chunks.bytes(chunk));
  });
  if (chunk + 1 == flow.chunks.count()) hear(flow);
}

void Inflows::store(const Inflow& flow, const std::byte* box, std::uint64_t offset, std::size_t bytes) {
  const UserBuffer& to = flow.receive->buffer;
  const auto store = [&](kernels::CopyBy by) { to.copy_from(box, offset, bytes, by); };
  to.contiguous() ? stores_.perform(to.address + offset, bytes, store) : store(kernels::CopyBy::vectors);
}

/// How `from` is to send what it has sent from there a short while ago, or other messages.
void Inflows::publish(int from, bool is_again, const Pulls& wanted) {
  auto& pulls = map_.credit(from, rank_).pulls(is_again);
  if (pulls.peek() != wanted.word()) pulls.publish(wanted.word());
}

/// What goes the other way when it is matched.
void Inflows::meet(Inflow& flow) {
  TransferChoices::Use& use = flow.use;
  use.meanwhile = sends_.met(flow.from, use.note.is_again, use.bytes);
}

void Inflows::end_choices(Inflow& flow) {
  TransferChoices::Use& use = flow.use;
  if (use.way != nullptr) {
    use.meanwhile = sends_.met_since(use.meanwhile, flow.from, use.note.is_again, use.bytes);
    if (use.meanwhile.any() && is_for_sender_to_decide(flow)) flow.choices->leave_way(use);
  }
  publish(flow.from, use.note.is_again, flow.choices->end(use));
  if (use.agreed) sends_.agree(flow.from, use.note.is_again, use.bytes, *use.agreed);
}

/// For both directions.
bool Inflows::is_for_sender_to_decide(const Inflow& flow) const {
  if (rank_ < flow.from) return false;
  const Pulls wanted(map_.credit(rank_, flow.from).pulls(flow.use.note.is_again).peek());
  return wanted.of(flow.use.bytes).for_both;
}

void Inflows::finish(Inflow& flow) {
  process_.tell(flow.from);
  Receive& receive = *flow.receive;
  if (flow.choices != nullptr) end_choices(flow);
  flows_.remove(flow);
  free_flows_.push_back(&flow);
  receive.end(flow.is_broken ? Delivery::peer_failed : receive.outcome());
}

}  // namespace foldlane::engine
