#include "api/request/completion.hpp"

#include <fmt/format.h>

namespace foldlane::api {

void free_request(TakenRequest&& request, MPI_Request& handle) {
  const bool goes_on = request->free() == Request::Freed::later;
  handle = MPI_REQUEST_NULL;
  if (goes_on) return request.leave();
  const AtExit end([&] { request.end(); });
  request->dispose();
}

int rotating_start(int count) noexcept {
  thread_local std::uint32_t turn = 0;
  turn += 0x9e3779b9u;
  return static_cast<int>(std::uint64_t{turn} * static_cast<std::uint32_t>(count) >> 32);
}

void check_request_array(int count, const MPI_Request* handles) {
  if (count < 0) reject::negative_count(count);
  if (count > 0) check_output(handles, "array_of_requests");
}

LookedRequest::LookedRequest(MPI_Request handle, int index) {
  if (handle == MPI_REQUEST_NULL) return;
  const Taken taken = request_.take(handle, Taking::looked_at);
  if (taken == Taken::unknown) reject_unknown_request(handle, index);
  // Another thread completes it, or looks at it: that one knows more.
  if (taken == Taken::in_use) {
    state_ = State::incomplete;
  } else if (request_->is_active()) {
    state_ = request_->poll() ? State::complete : State::incomplete;
  }
}

void LookedRequest::describe(MPI_Status& status) const {
  if (state_ == State::complete) request_->describe(status);
}

/// Those that are put later get a code of their own.
void StatusArray::put_with_code(int place, const MPI_Status& status, int code) noexcept {
  if (!has_codes_) {
    for (int i = 0; i < end_; ++i) statuses_[i].MPI_ERROR = MPI_SUCCESS;
    has_codes_ = true;
  }
  put_status(&statuses_[place], status);
  statuses_[place].MPI_ERROR = code;
  end_ = std::max(end_, place + 1);
}

void StatusArray::put_failure(int place, int index, MPI_Comm comm, const Failure& failure) {
  put(place, empty_status(), failure.code);
  if (has_failure()) return;
  failed_comm_ = comm;
  message_ = fmt::format("request {} has failed: {}", index, failure.message);
}

void StatusArray::check(MPI_Comm& comm) const {
  if (!has_failure()) return;
  comm = failed_comm_;
  fail(MPI_ERR_IN_STATUS, message_);
}

}  // namespace foldlane::api
