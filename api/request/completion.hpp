// What the calls that complete requests have in common.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <new>
#include <string>

#include "api/errors/args.hpp"
#include "api/errors/raise.hpp"
#include "api/request/status.hpp"
#include "api/request/taken_request.hpp"
#include "api/statistics/recorded_call.hpp"

namespace foldlane::api {

/// The boundary of calls about requests: `body` gets a variable for the communicator whose error handler is
/// due, once it knows it.
template <class Body>
[[gnu::always_inline]] inline int run_on_requests(Call call, const Body& body) {
  MPI_Comm comm = MPI_COMM_NULL;
  try {
    check_active();
    if (recorder != nullptr) [[unlikely]]
      begin_completing();
    body(comm);
    return MPI_SUCCESS;
  } catch (const Failure& failure) {
    return raise(call, comm, failure);
  } catch (const std::bad_alloc&) {
    return raise(call, comm, {MPI_ERR_NO_MEM, "out of memory"});
  }
}

/// The same for calls that look and do not wait: once, all that is under way in this process goes on.
template <class Body>
int run_with_progress(Call call, const Body& body) {
  return run_on_requests(call, [&](MPI_Comm& comm) {
    world.job->drive();
    body(comm);
  });
}

/// The status of the caller, but for its field MPI_ERROR, which only calls with several statuses touch.
inline void put_status(MPI_Status* to, const MPI_Status& from) noexcept {
  if (to == MPI_STATUS_IGNORE) return;
  const int error = to->MPI_ERROR;
  *to = from;
  to->MPI_ERROR = error;
}

template <class Action>
class AtExit {
 public:
  explicit AtExit(Action action) noexcept : action_(action) {}
  AtExit(const AtExit&) = delete;
  AtExit& operator=(const AtExit&) = delete;
  ~AtExit() { action_(); }

 private:
  Action action_;
};

/// Completes a request whose poll() was true, for the program: its call ends also if it has failed, which
/// throws. Persistent requests become inactive, others go, and the program's handle with them.
inline void complete(TakenRequest&& request, MPI_Request& handle, MPI_Status& status) {
  if (const engine::Receive* const receive = received_plainly(*request)) [[likely]] {
    describe_message(status, receive->envelope, 0);
    request.end();
    handle = MPI_REQUEST_NULL;
    return;
  }
  const AtExit end([&] {
    if (request->is_persistent()) return request->set_inactive();
    request.end();
    handle = MPI_REQUEST_NULL;
  });
  request->finish(status);
}

/// MPI_Request_free: the handle goes, also if the function of the program that is called last has failed.
void free_request(TakenRequest&& request, MPI_Request& handle);

void check_request_array(int count, const MPI_Request* handles);

/// Where to begin to look for one that is complete among `count` of them. Consecutive values, and those of
/// every n-th call, are spread evenly (multiples of the golden ratio), so that no place waits for ever.
int rotating_start(int count) noexcept;

/// What a call that completes nothing sees of a request.
class LookedRequest {
 public:
  enum class State : std::uint8_t { empty, incomplete, complete };  // empty: MPI_REQUEST_NULL or inactive

  /// Throws MPI_ERR_REQUEST if there is no such request; `index` is its place in the program's array.
  explicit LookedRequest(MPI_Request handle, int index = -1);

  State state() const noexcept { return state_; }
  /// Unless it is incomplete: what completing it would tell. Throws the Failure that it would end with.
  void describe(MPI_Status& status) const;
  MPI_Comm comm() const noexcept { return request_ ? request_->comm() : MPI_COMM_NULL; }

 private:
  TakenRequest request_;
  State state_ = State::empty;
};

/// The statuses of a call on several requests. Once a request has failed, or is pending because of that, the
/// field MPI_ERROR of all of them is set.
class StatusArray {
 public:
  /// `statuses` may be MPI_STATUSES_IGNORE.
  explicit StatusArray(MPI_Status* statuses) noexcept : statuses_(statuses) {}

  /// Calls `fill`, which fills the status at `place` or throws. `index` is the request's in the program's
  /// array.
  template <class Fill>
  void put(int place, int index, MPI_Comm comm, const Fill& fill) {
    MPI_Status status = empty_status();
    try {
      fill(status);
      put(place, status, MPI_SUCCESS);
    } catch (const Failure& failure) {
      put_failure(place, index, comm, failure);
    } catch (const std::bad_alloc&) {
      put_failure(place, index, comm, {MPI_ERR_NO_MEM, "out of memory"});
    }
  }
  void put_empty(int place) noexcept { put(place, empty_status(), MPI_SUCCESS); }
  void put_received(int place, const engine::Envelope& envelope) noexcept {
    if (statuses_ == MPI_STATUSES_IGNORE) return;
    MPI_Status status = empty_status();
    describe_message(status, envelope, 0);
    put(place, status, MPI_SUCCESS);
  }
  void put_pending(int place) noexcept { put(place, empty_status(), MPI_ERR_PENDING); }

  bool has_failure() const noexcept { return !message_.empty(); }
  /// Throws MPI_ERR_IN_STATUS if one has failed; `comm` becomes that of the first.
  void check(MPI_Comm& comm) const;

 private:
  void put(int place, const MPI_Status& status, int code) noexcept {
    if (statuses_ == MPI_STATUSES_IGNORE) return;
    if (code != MPI_SUCCESS || has_codes_) [[unlikely]]
      return put_with_code(place, status, code);
    put_status(&statuses_[place], status);
    end_ = std::max(end_, place + 1);
  }
  void put_with_code(int place, const MPI_Status& status, int code) noexcept;
  void put_failure(int place, int index, MPI_Comm comm, const Failure& failure);

  MPI_Status* statuses_;
  int end_ = 0;  // of those that have been put
  bool has_codes_ = false;
  MPI_Comm failed_comm_ = MPI_COMM_NULL;
  std::string message_;
};

}  // namespace foldlane::api
