#include "api/request/waited_requests.hpp"

#include <utility>

#include "api/request/wait_text.hpp"

namespace foldlane::api {
namespace {

/// There is nothing to ask nor to end.
bool is_at_once(MPI_Request handle) noexcept {
  return handle == MPI_REQUEST_NULL || is_complete_request(handle);
}

}  // namespace

void WaitedRequests::take(int count) {
  check_request_array(count, handles_);
  for (; taken_ < count; ++taken_) {
    TakenRequest request;
    take_request(request, handles_[taken_], taken_);
    request.leave();
  }
}

WaitedRequests::~WaitedRequests() {
  for (; next_ < taken_; ++next_) {
    if (!is_at_once(handles_[next_])) TakenRequest::left(*find_request_slot(handles_[next_]));
  }
}

bool WaitedRequests::complete_next(StatusArray& statuses) {
  const int before = next_;
  while (next_ < taken_ && settle(statuses)) ++next_;
  if (next_ == taken_ || statuses.has_failure()) return true;
  in_vain_ = next_ == before ? in_vain_ + 1 : 0;
  // Always once rounds are as rare as naps.
  const bool looks = in_vain_ % kRoundsPerLook == kRoundsPerLook - 1 || in_vain_ > kQuickRounds;
  return looks && has_failed_behind();
}

/// True if nothing is to be awaited of the next one any more.
bool WaitedRequests::settle(StatusArray& statuses) {
  MPI_Request& handle = handles_[next_];
  if (is_at_once(handle)) {
    handle = MPI_REQUEST_NULL;
    statuses.put_empty(next_);
    return true;
  }
  RequestSlot& slot = *find_request_slot(handle);
  if (const engine::Receive* const receive = received_plainly(*slot.request)) [[likely]] {
    statuses.put_received(next_, receive->envelope);
    end_request(slot);
    handle = MPI_REQUEST_NULL;
    return true;
  }
  if (slot.request->is_active() && !slot.request->is_over()) return false;
  complete_asked(slot, statuses);
  return true;
}

/// One that is complete, or inactive, and knows what that means.
void WaitedRequests::complete_asked(RequestSlot& slot, StatusArray& statuses) {
  TakenRequest request = TakenRequest::left(slot);
  if (!request->is_active()) return statuses.put_empty(next_);
  statuses.put(next_, next_, request->comm(),
               [&](MPI_Status& status) { complete(std::move(request), handles_[next_], status); });
}

template <class Use>
void WaitedRequests::for_each_left(const Use& use) const {
  for (int i = next_; i < taken_; ++i) {
    if (is_at_once(handles_[i])) continue;
    Request& request = *find_request_slot(handles_[i])->request;
    if (request.is_active()) use(request);
  }
}

bool WaitedRequests::has_failed_behind() const {
  bool has_failed = false;
  for_each_left([&](Request& request) { has_failed |= request.is_over() && request.has_failed(); });
  return has_failed;
}

void WaitedRequests::complete_rest(StatusArray& statuses) {
  for (; next_ < taken_; ++next_) {
    if (!settle(statuses)) {
      TakenRequest::left(*find_request_slot(handles_[next_]));
      statuses.put_pending(next_);
    }
  }
}

engine::Expected WaitedRequests::expected() const {
  if (next_ == taken_ || is_at_once(handles_[next_])) return engine::Expected::anything;
  return expected_by(*find_request_slot(handles_[next_])->request);
}

void WaitedRequests::note_wait(engine::WaitNote& note, Call call) const {
  WaitText text(note, call);
  for_each_left([&](Request& request) {
    // Looked at in order, those behind the one that is awaited may be over.
    if (text.is_enough() || request.poll()) return;
    engine::WaitNote waits = text.blank();
    request.note_wait(waits);
    text.needs(waits);
  });
  text.finish(taken_);
}

}  // namespace foldlane::api
