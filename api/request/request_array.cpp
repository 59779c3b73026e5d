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

void RequestArray::note_wait(engine::WaitNote& note, Call call) {
  WaitText text(note, call);
  for (const Entry& entry : entries_) {
    if (entry.state != State::pending || entry.request->poll()) continue;
    engine::WaitNote request = text.blank();
    entry.request->note_wait(request);
    text.accepts(request);
  }
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
