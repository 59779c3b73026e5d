#include "api/replay/outcomes.hpp"

#include <fmt/format.h>
#include <mpi.h>

#include <cstdlib>

#include "api/core/failure.hpp"
#include "api/core/world.hpp"
#include "shm/job/job.hpp"

namespace foldlane::api {

Journal* journal = nullptr;  // never destroyed, as the job: a session may return to it

namespace {

/// No message has it.
constexpr int kNoTag = -2;

}  // namespace

void open_journal(bool has_threads) {
  const char* const to = std::getenv(shm::kRecordVariable);
  const char* const from = std::getenv(shm::kReplayVariable);
  if (to == nullptr && from == nullptr) return;
  if (to != nullptr && from != nullptr)
    fail(MPI_ERR_OTHER, fmt::format("a run is recorded or replayed ({}, {}), not both", shm::kRecordVariable,
                                    shm::kReplayVariable));
  if (has_threads) {
    fail(MPI_ERR_OTHER,
         "a run cannot be recorded nor replayed with MPI_THREAD_MULTIPLE: the order of its threads' calls is "
         "not told; ask for MPI_THREAD_SERIALIZED");
  }
  if (journal != nullptr) return;
  const auto mode = to != nullptr ? Journal::Mode::records : Journal::Mode::replays;
  journal = new Journal(mode, to != nullptr ? to : from, world.job->rank(), world.job->size());
}

void flush_journal() {
  if (journal != nullptr) journal->flush();
}

int number(const Outcome& told, std::size_t index) {
  if (index >= told.size()) fail(MPI_ERR_OTHER, "--replay: the record of this call has too few numbers");
  return told[index];
}

void OpenReceive::settle(engine::Receive& receive, int first) {
  if (receive.source != engine::kAnySource && receive.tag != engine::kAnyTag) return;
  number_ = journal->next_receive();
  source_ = receive.source;
  tag_ = receive.tag;
  if (!journal->replays() || !journal->knows(number_)) return;
  const auto match = journal->recall(number_);
  if (match) receive.source = first + match->source;
  receive.tag = match ? match->tag : kNoTag;
}

void OpenReceive::record_match(engine::Receive& receive, int first) {
  const engine::Delivery delivery = receive.delivery();
  const bool has_come = delivery == engine::Delivery::done || delivery == engine::Delivery::truncated;
  if (has_come && is_recorded())
    journal->note(number_, {static_cast<int>(receive.envelope.source) - first, receive.envelope.tag});
  receive.source = source_;
  receive.tag = tag_;
  number_ = 0;
}

void CancellableReceive::settle(engine::Receive& receive) {
  number_ = journal->next_nonblocking();
  tag_ = receive.tag;
  if (journal->replays() && journal->recall_cancel(number_).value_or(false)) receive.tag = kNoTag;
}

bool CancellableReceive::may_be_cancelled() const {
  return number_ == 0 || !journal->replays() || journal->recall_cancel(number_).value_or(true);
}

void CancellableReceive::release(engine::Receive& receive) {
  receive.tag = tag_;
  number_ = 0;
}

}  // namespace foldlane::api
