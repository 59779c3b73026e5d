#include "api/p2p/partitioned.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "api/p2p/wait_notes.hpp"

namespace foldlane::api {
namespace {

Line partitioned_line(Communicator& communicator, MPI_Comm comm) {
  Line line = line_of(communicator, comm);
  engine::Channel& channel = messenger().open(*communicator.team, engine::Messages::partitioned);
  channel.set_name(describe(communicator, comm));
  line.channel = &channel;
  return line;
}

/// Tags that no partition of this process has; after 2^31 partitions those of the first ones again.
std::int32_t take_tags(int partitions) {
  static std::mutex mutex;
  static std::int64_t next = engine::kAnyTag - 1;
  const std::lock_guard lock(mutex);
  if (next - partitions < std::numeric_limits<std::int32_t>::min()) next = engine::kAnyTag - 1;
  return static_cast<std::int32_t>(std::exchange(next, next - partitions));
}

struct SentIntroduction {
  Introduction data;
  engine::Send send;
  OwnedTeam team;
};

void send_introduction(const Line& line, const PartitionedArguments& arguments,
                       const Introduction& introduction, OwnedTeam team) {
  auto sent = std::make_unique<SentIntroduction>();
  sent->data = introduction;
  sent->team = std::move(team);
  sent->send.buffer = {reinterpret_cast<std::byte*>(&sent->data), sizeof sent->data, nullptr, 0};
  set_up(sent->send, line, arguments.partner, arguments.tag);
  SentIntroduction* const raw = sent.release();
  messenger().start_and_forget(
      raw->send, [](void* over) { delete static_cast<SentIntroduction*>(over); }, raw);
}

struct AwaitedIntroduction {
  Introduction data;
  engine::Receive receive;
  OwnedTeam team;
  std::shared_ptr<PartitionedEnd> end;
};

void await_introduction(const Line& line, const PartitionedArguments& arguments, OwnedTeam team,
                        std::shared_ptr<PartitionedEnd> end) {
  auto awaited = std::make_unique<AwaitedIntroduction>();
  awaited->team = std::move(team);
  awaited->end = std::move(end);
  awaited->receive.buffer = {reinterpret_cast<std::byte*>(&awaited->data), sizeof awaited->data, nullptr, 0};
  set_up(awaited->receive, line, arguments.partner, arguments.tag);
  AwaitedIntroduction* const raw = awaited.release();
  const auto at_end = [](void* over) {
    const std::unique_ptr<AwaitedIntroduction> mine(static_cast<AwaitedIntroduction*>(over));
    mine->end->introduce(mine->receive.delivery(), mine->data);
  };
  messenger().start_and_forget(raw->receive, at_end, raw);
}

}  // namespace

std::string PartitionedRequest::title() const {
  const std::string partner = partner_ == MPI_PROC_NULL ? "MPI_PROC_NULL" : std::to_string(partner_);
  return fmt::format("MPI_{}_init({} {}, tag {}, {} partitions, {})", sends() ? "Psend" : "Precv",
                     sends() ? "dest" : "source", partner, given_tag_, partitions_, api::describe(comm()));
}

void PartitionedRequest::cancel() {
  fail(MPI_ERR_REQUEST, "a partitioned request cannot be cancelled; wait for it");
}

Request::Freed PartitionedRequest::free() {
  if (!is_active()) return Freed::now;
  fail(MPI_ERR_REQUEST, "a partitioned request cannot be freed while it is active; wait for it");
}

// ---- sending

PartitionedSend::PartitionedSend(MPI_Comm comm, Communicator& communicator,
                                 const PartitionedArguments& arguments)
    : PartitionedRequest(comm, arguments.partitions, arguments.partner, arguments.tag),
      tag_(arguments.tag),
      kept_(communicator.owned_team, arguments.memory.type_map) {
  if (arguments.partner == MPI_PROC_NULL) return;
  const Line line = partitioned_line(communicator, comm);
  const auto count = static_cast<std::size_t>(partitions());
  const std::uint64_t bytes = static_cast<std::uint64_t>(arguments.count * arguments.type.size);
  const Introduction introduction{take_tags(partitions()), partitions(), bytes};
  list_ = std::make_unique<Partition[]>(count);
  for (std::size_t i = 0; i < count; ++i) {
    engine::Send& send = list_[i].send;
    send.buffer = arguments.memory.buffer();
    send.buffer.address += static_cast<std::ptrdiff_t>(i) * arguments.count * arguments.type.extent;
    send.buffer.bytes = bytes;
    set_up(send, line, arguments.partner, introduction.first_tag - static_cast<std::int32_t>(i));
  }
  send_introduction(line, arguments, introduction, communicator.owned_team);
}

void PartitionedSend::begin() {
  for (int i = 0; list_ != nullptr && i < partitions(); ++i) {
    list_[static_cast<std::size_t>(i)].send.state.publish(
        static_cast<std::uint32_t>(engine::Delivery::under_way));
    list_[static_cast<std::size_t>(i)].is_ready.publish(0);
  }
}

void PartitionedSend::ready(int partition) {
  if (list_ == nullptr) return;
  Partition& mine = list_[static_cast<std::size_t>(partition)];
  if (!mine.is_ready.claim(0, 1))
    fail(MPI_ERR_ARG,
         fmt::format("partition {} was marked as ready before; each is once per start", partition));
  messenger().start(mine.send);
  world.job->wake_waiting();
}

bool PartitionedSend::poll() {
  if (list_ == nullptr) return true;
  return std::all_of(list_.get(), list_.get() + partitions(),
                     [](const Partition& each) { return each.send.over(); });
}

bool PartitionedSend::has_failed() const noexcept {
  if (list_ == nullptr) return false;
  return std::any_of(list_.get(), list_.get() + partitions(),
                     [](const Partition& each) { return each.send.delivery() != engine::Delivery::done; });
}

void PartitionedSend::finish(MPI_Status&) {
  for (int i = 0; list_ != nullptr && i < partitions(); ++i) {
    engine::Send& send = list_[static_cast<std::size_t>(i)].send;
    if (send.delivery() == engine::Delivery::done) continue;
    send.tag = tag_;  // that of the program
    fail_send(send);
  }
}

/// A partition that is not ready yet is this rank's own business.
void PartitionedSend::note_wait(engine::WaitNote& note) {
  for (int i = 0; i < partitions(); ++i) {
    const Partition& each = list_[static_cast<std::size_t>(i)];
    if (each.send.over()) continue;
    note_send(note, "MPI_Psend_init", each.send, comm());
    const bool is_ready = each.is_ready.observe() != 0;
    note.call = fmt::format("MPI_Psend_init(tag {}, {} partitions, {})", tag_, partitions(),
                            each.send.channel->name());
    if (is_ready) return;
    note.awaited = {world.job->rank()};
    note.hints = fmt::format("partition {} is not ready: MPI_Pready has not been called for it\n", i);
    return;
  }
}

// ---- receiving

PartitionedEnd::PartitionedEnd(const Line& line, const PartitionedArguments& arguments)
    : line_(line), buffer_(arguments.memory.buffer()), source_(arguments.partner), tag_(arguments.tag) {}

void PartitionedEnd::start() {
  const std::lock_guard lock(mutex_);
  wants_data_ = true;
  over_ = 0;
  if (introduced_ == engine::Delivery::done) post();
}

void PartitionedEnd::introduce(engine::Delivery delivery, const Introduction& introduction) {
  const std::lock_guard lock(mutex_);
  introduced_ = delivery;
  sender_ = introduction;
  if (delivery == engine::Delivery::done && wants_data_) post();
}

/// What does not fit is cut off by each of them.
void PartitionedEnd::post() {
  const auto count = static_cast<std::size_t>(sender_.partitions);
  wants_data_ = false;
  list_ = std::make_unique<engine::Receive[]>(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t start = std::min(buffer_.bytes, i * sender_.bytes);
    engine::UserBuffer& part = list_[i].buffer;
    part = buffer_;
    if (part.contiguous()) {
      part.address += start;
    } else {
      part.start = start;
    }
    part.bytes = std::min(sender_.bytes, buffer_.bytes - start);
    set_up(list_[i], line_, source_, tag_);
    list_[i].tag = sender_.first_tag - static_cast<std::int32_t>(i);
    messenger().start(list_[i]);
  }
}

bool PartitionedEnd::are_over(std::uint64_t first, std::uint64_t end) {
  return std::all_of(list_.get() + first, list_.get() + end,
                     [](const engine::Receive& each) { return each.over(); });
}

bool PartitionedEnd::is_over() {
  const std::lock_guard lock(mutex_);
  if (introduced_ != engine::Delivery::done) return introduced_ != engine::Delivery::under_way;
  const auto all = static_cast<std::uint64_t>(sender_.partitions);
  while (over_ < all && list_[over_].over()) ++over_;
  return over_ == all;
}

bool PartitionedEnd::has_failed() {
  const std::lock_guard lock(mutex_);
  return introduced_ != engine::Delivery::done ||
         std::any_of(list_.get(), list_.get() + sender_.partitions,
                     [](const engine::Receive& each) { return each.delivery() != engine::Delivery::done; });
}

/// All bytes of it that the sender has, in whatever partitions these are.
bool PartitionedEnd::has_arrived(int partition, int partitions) {
  const std::lock_guard lock(mutex_);
  if (introduced_ != engine::Delivery::done) return introduced_ != engine::Delivery::under_way;
  const auto all = static_cast<std::uint64_t>(sender_.partitions);
  if (sender_.bytes == 0) return are_over(0, all);
  const std::uint64_t each = buffer_.bytes / static_cast<std::uint64_t>(partitions);
  const std::uint64_t begin = each * static_cast<std::uint64_t>(partition), end = begin + each;
  const std::uint64_t first = std::min(all, begin / sender_.bytes);
  return are_over(first, std::min(all, (end + sender_.bytes - 1) / sender_.bytes));
}

void PartitionedEnd::fail_as(engine::Delivery delivery) {
  engine::Receive whole;
  whole.buffer = buffer_;
  set_up(whole, line_, source_, tag_);
  whole.end(delivery);
  fail_receive(whole, line_.first);
}

void PartitionedEnd::finish(MPI_Status& status) {
  const std::lock_guard lock(mutex_);
  status.MPI_SOURCE = source_;
  status.MPI_TAG = tag_;
  if (introduced_ != engine::Delivery::done) fail_as(introduced_);
  const std::uint64_t bytes = sender_.bytes * static_cast<std::uint64_t>(sender_.partitions);
  if (bytes > buffer_.bytes) {
    fail(MPI_ERR_TRUNCATE,
         fmt::format(
             "rank {} sends {} partitions of {} bytes with tag {} on {}, but there is room for {} bytes in "
             "all; the rest is lost",
             source_, sender_.partitions, sender_.bytes, tag_, line_.channel->name(), buffer_.bytes));
  }
  for (int i = 0; i < sender_.partitions; ++i) {
    const engine::Delivery delivery = list_[static_cast<std::size_t>(i)].delivery();
    if (delivery != engine::Delivery::done) fail_as(delivery);
  }
  set_received_bytes(status, static_cast<std::int64_t>(bytes));
}

void PartitionedEnd::note_wait(engine::WaitNote& note) const {
  note.call = fmt::format("MPI_Precv_init(source {}, tag {}, {} bytes, {})", source_, tag_, buffer_.bytes,
                          line_.channel->name());
  note.awaited.push_back(line_.rank_in_job(source_));
}

PartitionedReceive::PartitionedReceive(MPI_Comm comm, Communicator& communicator,
                                       const PartitionedArguments& arguments)
    : PartitionedRequest(comm, arguments.partitions, arguments.partner, arguments.tag),
      kept_(communicator.owned_team, arguments.memory.type_map) {
  if (arguments.partner == MPI_PROC_NULL) return;
  const Line line = partitioned_line(communicator, comm);
  end_ = std::make_shared<PartitionedEnd>(line, arguments);
  await_introduction(line, arguments, communicator.owned_team, end_);
}

void PartitionedReceive::begin() {
  if (end_ != nullptr) end_->start();
}

void PartitionedReceive::finish(MPI_Status& status) {
  if (end_ == nullptr) {
    status = null_status();
  } else {
    end_->finish(status);
  }
}

}  // namespace foldlane::api
