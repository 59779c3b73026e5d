// MPI_Request_get_status and its forms for several requests: calls that see what a test would see, and
// complete nothing.
#include <optional>
#include <utility>

#include "api/core/calls.hpp"
#include "api/request/completion.hpp"
#include "api/request/replayed_look.hpp"

namespace foldlane::api {
namespace {

using State = LookedRequest::State;

/// The status of a complete one, or an empty one.
void describe(const LookedRequest& looked, MPI_Status* status, MPI_Comm& comm) {
  MPI_Status result = empty_status();
  comm = looked.comm();
  looked.describe(result);
  put_status(status, result);
}

}  // namespace

int request_get_status(Call call, MPI_Request request, int* flag, MPI_Status* status) {
  return run_with_progress(call, [&](MPI_Comm& comm) {
    check_output(flag, "flag");
    *flag = look(call, [&] { return LookedRequest(request).state() != State::incomplete; });
    if (*flag != 0) describe(LookedRequest(request), status, comm);
  });
}

int request_get_status_all(Call call, int count, const MPI_Request* requests, int* flag, MPI_Status* array) {
  return run_with_progress(call, [&](MPI_Comm& comm) {
    check_output(flag, "flag");
    check_request_array(count, requests);
    const bool all = look(call, [&] {
      bool any_incomplete = false;
      for (int i = 0; i < count; ++i)
        any_incomplete |= LookedRequest(requests[i], i).state() == State::incomplete;
      return !any_incomplete;
    });
    *flag = all;
    StatusArray statuses(array);
    for (int i = 0; all && i < count; ++i) {
      const LookedRequest looked(requests[i], i);
      statuses.put(i, i, looked.comm(), [&](MPI_Status& status) { looked.describe(status); });
    }
    statuses.check(comm);
  });
}

int request_get_status_any(Call call, int count, const MPI_Request* requests, int* index, int* flag,
                           MPI_Status* status) {
  return run_with_progress(call, [&](MPI_Comm& comm) {
    check_output(index, "index");
    check_output(flag, "flag");
    check_request_array(count, requests);
    bool active = false;
    std::optional<LookedRequest> found;
    for (int n = 0, i = rotating_start(count); n < count; ++n, i = (i + 1) % count) {
      LookedRequest looked(requests[i], i);
      active = active || looked.state() != State::empty;
      if (found || looked.state() != State::complete) continue;
      found.emplace(std::move(looked));
      *index = i;
    }
    if (!found) *index = MPI_UNDEFINED;
    *flag = found || !active;
    if (found) describe(*found, status, comm);
    if (!active) put_status(status, empty_status());
  });
}

int request_get_status_some(Call call, int count, const MPI_Request* requests, int* outcount, int* indices,
                            MPI_Status* array) {
  return run_with_progress(call, [&](MPI_Comm& comm) {
    check_output(outcount, "outcount");
    check_request_array(count, requests);
    if (count > 0) check_output(indices, "array_of_indices");
    bool active = false;
    int complete = 0;
    StatusArray statuses(array);
    for (int i = 0; i < count; ++i) {
      const LookedRequest looked(requests[i], i);
      active = active || looked.state() != State::empty;
      if (looked.state() != State::complete) continue;
      indices[complete] = i;
      statuses.put(complete++, i, looked.comm(), [&](MPI_Status& status) { looked.describe(status); });
    }
    *outcount = active ? complete : MPI_UNDEFINED;
    statuses.check(comm);
  });
}

}  // namespace foldlane::api
