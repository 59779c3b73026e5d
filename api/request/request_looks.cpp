// MPI_Request_get_status and its forms for several requests: calls that see what a test would see, and
// complete nothing.
#include <algorithm>
#include <optional>

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

/// What `choose` takes of those that are complete; none if none is active. Replayed, what was taken in the
/// recorded run; then it is complete on return.
template <class Choose>
std::optional<Outcome> look_at(Call call, int count, const MPI_Request* requests, const Choose& choose) {
  bool active = false;
  const auto complete = [&] {
    Outcome found;
    for (int i = 0; i < count; ++i) {
      const State state = LookedRequest(requests[i], i).state();
      active = active || state != State::empty;
      if (state == State::complete) found.push_back(i);
    }
    return found;
  };
  Outcome found = complete();
  if (!active) return std::nullopt;
  if (std::optional<Outcome> told = replayed(call)) {
    wait_replayed([&] {
      found = complete();
      return std::includes(found.begin(), found.end(), told->begin(), told->end());
    });
    return told;
  }
  found = choose(found, count);
  if (is_recorded()) journal->note(call, found);
  return found;
}

/// Another one each time, so that none is always the last.
Outcome choose_one(const Outcome& complete, int count) {
  if (complete.empty()) return {};
  const auto next = std::lower_bound(complete.begin(), complete.end(), rotating_start(count));
  return {next == complete.end() ? complete.front() : *next};
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
    const std::optional<Outcome> found = look_at(call, count, requests, choose_one);
    *index = found && !found->empty() ? found->front() : MPI_UNDEFINED;
    *flag = *index != MPI_UNDEFINED || !found;
    if (*index != MPI_UNDEFINED) describe(LookedRequest(requests[*index], *index), status, comm);
    if (!found) put_status(status, empty_status());
  });
}

int request_get_status_some(Call call, int count, const MPI_Request* requests, int* outcount, int* indices,
                            MPI_Status* array) {
  return run_with_progress(call, [&](MPI_Comm& comm) {
    check_output(outcount, "outcount");
    check_request_array(count, requests);
    if (count > 0) check_output(indices, "array_of_indices");
    const std::optional<Outcome> found =
        look_at(call, count, requests, [](const Outcome& complete, int) { return complete; });
    if (!found) return static_cast<void>(*outcount = MPI_UNDEFINED);
    StatusArray statuses(array);
    *outcount = 0;
    for (const int i : *found) {
      const LookedRequest looked(requests[i], i);
      indices[*outcount] = i;
      statuses.put((*outcount)++, i, looked.comm(), [&](MPI_Status& status) { looked.describe(status); });
    }
    statuses.check(comm);
  });
}

}  // namespace foldlane::api
