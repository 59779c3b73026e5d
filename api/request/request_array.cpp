#include "api/request/request_array.hpp"

#include <utility>

namespace foldlane::api {
RequestArray::RequestArray(int count, MPI_Request* handles) : handles_(handles) {
  check_request_array(count, handles);
  entries_.reserve(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) {
    Entry& entry = entries_.emplace_back(Entry{take_request(handles[i], i)});
    entry.active = entry.request && entry.request->is_active();
    if (!entry.active) continue;
    entry.comm = entry.request->comm();
    ++active_;
  }
}

void RequestArray::poll() {
  for (Entry& entry : entries_) {
    if (!entry.active || entry.complete || !entry.request->poll()) continue;
    entry.complete = true;
    failed_ = failed_ || entry.request->has_failed();
    ++complete_;
  }
}

int RequestArray::choose() const noexcept {
  int index = rotating_start(count());
  while (!is_complete(index)) index = (index + 1) % count();
  return index;
}

void RequestArray::complete(int index, MPI_Status& status) {
  api::complete(std::move(at(index).request), handles_[index], status);
}

void RequestArray::complete(int index, StatusArray& statuses) {
  statuses.put(index, comm(index), [&](MPI_Status& status) { complete(index, status); });
}

void RequestArray::complete_all(StatusArray& statuses) {
  for (int i = 0; i < count(); ++i) {
    if (at(i).active && !at(i).complete) {
      statuses.put_pending();
    } else if (at(i).complete) {
      complete(i, statuses);
    } else {
      statuses.put_empty();
    }
  }
}

}  // namespace foldlane::api
