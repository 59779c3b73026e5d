#include "api/request/request_array.hpp"

#include <utility>

#include "api/request/wait_text.hpp"

namespace foldlane::api {
namespace {

std::size_t checked_count(int count, const MPI_Request* handles) {
  check_request_array(count, handles);
  return static_cast<std::size_t>(count);
}

}  // namespace

RequestArray::RequestArray(int count, MPI_Request* handles)
    : handles_(handles), count_(count), entries_(&memory_) {
  entries_.reserve(checked_count(count, handles));
  for (int i = 0; i < count; ++i)
    active_ += entries_.emplace_back(handles[i], i).state == State::pending ? 1 : 0;
}

/// True if it has become complete.
bool RequestArray::look(Entry& entry) {
  if (entry.state != State::pending || !entry.request->is_over()) return false;
  entry.state = State::complete;
  ++complete_;
  return true;
}

void RequestArray::poll() {
  for (Entry& entry : entries_) {
    if (look(entry)) failed_ = failed_ || entry.request->has_failed();
  }
}

bool RequestArray::poll_and_complete(StatusArray& statuses) {
  const int before = first_pending_;
  while (first_pending_ < count() && settle(first_pending_, statuses)) ++first_pending_;
  in_vain_ = first_pending_ == before ? in_vain_ + 1 : 0;
  // Messages mostly come in the order in which they are awaited. The others are looked at now and then,
  // because one of them may have failed, and always once rounds are as rare as naps.
  if (in_vain_ % kRoundsPerLook == kRoundsPerLook - 1 || in_vain_ > kQuickRounds) {
    for (int i = first_pending_; i < count(); ++i) settle(i, statuses);
  }
  return complete_ == active_ || statuses.has_failure();
}

/// Completes it for the program if it is complete. True if nothing is to be awaited of it any more.
bool RequestArray::settle(int index, StatusArray& statuses) {
  Entry& entry = at(index);
  if (entry.state != State::pending) return true;
  if (is_complete_request(handles_[index])) {
    forget(index, statuses);
    return true;
  }
  if (!look(entry)) return false;
  complete(index, statuses, index);
  return true;
}

/// Of what was complete when its call returned: there is nothing to end.
void RequestArray::forget(int index, StatusArray& statuses) noexcept {
  at(index).state = State::gone;
  ++complete_;
  handles_[index] = MPI_REQUEST_NULL;
  statuses.put_empty(index);
}

template <class Use>
void RequestArray::for_each_incomplete(const Use& use) {
  for (const Entry& entry : entries_) {
    // Looked at in order, those behind the one that is awaited may be over.
    if (entry.state != State::pending || entry.request->poll()) continue;
    engine::WaitNote request;
    entry.request->note_wait(request);
    use(request);
  }
}

void RequestArray::note_wait_for_all(engine::WaitNote& note, Call call) {
  WaitText text(note, call);
  for_each_incomplete([&](const engine::WaitNote& request) { text.needs(request); });
  text.finish(count());
}

void RequestArray::note_wait_for_any(engine::WaitNote& note, Call call) {
  WaitText text(note, call);
  for_each_incomplete([&](const engine::WaitNote& request) { text.accepts(request); });
  text.finish(count());
}

int RequestArray::choose() const noexcept {
  int index = rotating_start(count());
  while (!is_complete(index)) index = (index + 1) % count();
  return index;
}

void RequestArray::complete(int index, MPI_Status& status) {
  at(index).state = State::gone;
  api::complete(std::move(at(index).request), handles_[index], status);
}

void RequestArray::complete(int index, StatusArray& statuses, int place) {
  statuses.put(place, index, comm(index), [&](MPI_Status& status) { complete(index, status); });
}

void RequestArray::complete_all(StatusArray& statuses) {
  if (first_pending_ == count_ && active_ == count_) return;  // all are gone
  for (int i = 0; i < count(); ++i) {
    switch (at(i).state) {
      case State::idle:
        statuses.put_empty(i);
        break;
      case State::pending:
        statuses.put_pending(i);
        break;
      case State::complete:
        complete(i, statuses, i);
        break;
      case State::gone:
        break;
    }
  }
}

}  // namespace foldlane::api
