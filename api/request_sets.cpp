// Waiting and testing for several requests.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "api/args.hpp"
#include "api/calls.hpp"
#include "api/request.hpp"
#include "engine/job.hpp"

namespace foldlane::api {
namespace {

using Requests = std::vector<std::shared_ptr<Request>>;

Requests check_requests(int count, const MPI_Request* handles) {
  if (count < 0) reject::negative_count(count);
  if (count > 0) check_output(handles, "array_of_requests");
  Requests found;
  for (int i = 0; i < count; ++i) found.push_back(check_request(handles[i]));
  return found;
}

bool is_null(const std::shared_ptr<Request>& request) { return request == nullptr; }

void end(MPI_Request& handle) {
  if (handle != MPI_REQUEST_NULL) requests.erase(handle);
  handle = MPI_REQUEST_NULL;
}

void put_status(MPI_Status* statuses, int index) {
  if (statuses != MPI_STATUSES_IGNORE) statuses[index] = empty_status();
}

// The statuses tell which request has failed.
[[noreturn]] void fail_in_status(MPI_Status* statuses, int index, const Failure& failure) {
  if (statuses != MPI_STATUSES_IGNORE) statuses[index].MPI_ERROR = failure.code;
  fail(MPI_ERR_IN_STATUS, fmt::format("request {} has failed: {}", index, failure.message));
}

bool test_one(const std::shared_ptr<Request>& request, MPI_Request* handles, MPI_Status* statuses,
              int index) {
  try {
    return request->test();
  } catch (const Failure& failure) {
    if (handles != nullptr) end(handles[index]);
    fail_in_status(statuses, index, failure);
  }
}

bool test_all(const Requests& all, MPI_Request* handles, MPI_Status* statuses) {
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i] != nullptr && !test_one(all[i], handles, statuses, static_cast<int>(i))) return false;
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (handles != nullptr) end(handles[i]);
    put_status(statuses, static_cast<int>(i));
  }
  return true;
}

/// The index of a complete one; MPI_UNDEFINED if there is nothing to wait for; -1 if none is complete yet.
int test_any(const Requests& all, MPI_Request* handles, MPI_Status* status) {
  int result = MPI_UNDEFINED;
  for (std::size_t i = 0; i < all.size() && result < 0; ++i) {
    if (all[i] == nullptr) continue;
    result = test_one(all[i], handles, MPI_STATUSES_IGNORE, static_cast<int>(i)) ? static_cast<int>(i) : -1;
  }
  if (result == -1) return -1;
  if (handles != nullptr && result >= 0) end(handles[result]);
  put_status(status, 0);
  return result;
}

/// The number of complete ones, MPI_UNDEFINED if there is nothing to wait for.
int test_some(const Requests& all, MPI_Request* handles, int* indices, MPI_Status* statuses) {
  if (std::all_of(all.begin(), all.end(), is_null)) return MPI_UNDEFINED;
  int complete = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i] == nullptr || !test_one(all[i], handles, MPI_STATUSES_IGNORE, static_cast<int>(i))) continue;
    if (handles != nullptr) end(handles[i]);
    put_status(statuses, complete);
    indices[complete++] = static_cast<int>(i);
  }
  return complete;
}

/// Calls `attempt` until it is true; between attempts others may run.
template <class Attempt>
void repeat_until(const Attempt& attempt) {
  while (!attempt()) engine::yield();
}

}  // namespace

int waitall(Call call, int count, MPI_Request* handles, MPI_Status* statuses) {
  return run(call, [&] {
    check_active();
    const Requests all = check_requests(count, handles);
    repeat_until([&] { return test_all(all, handles, statuses); });
  });
}

int testall(Call call, int count, MPI_Request* handles, int* flag, MPI_Status* statuses) {
  return run(call, [&] {
    check_active();
    const Requests all = check_requests(count, handles);
    *check_output(flag, "flag") = test_all(all, handles, statuses);
  });
}

int waitany(Call call, int count, MPI_Request* handles, int* index, MPI_Status* status) {
  return run(call, [&] {
    check_active();
    const Requests all = check_requests(count, handles);
    check_output(index, "index");
    repeat_until([&] { return (*index = test_any(all, handles, status)) != -1; });
  });
}

int testany(Call call, int count, MPI_Request* handles, int* index, int* flag, MPI_Status* status) {
  return run(call, [&] {
    check_active();
    const Requests all = check_requests(count, handles);
    check_output(flag, "flag");
    const int found = test_any(all, handles, status);
    *flag = found != -1;
    *check_output(index, "index") = found == -1 ? MPI_UNDEFINED : found;
  });
}

int waitsome(Call call, int count, MPI_Request* handles, int* complete, int* indices, MPI_Status* statuses) {
  return run(call, [&] {
    check_active();
    const Requests all = check_requests(count, handles);
    check_output(complete, "outcount");
    if (count > 0) check_output(indices, "array_of_indices");
    repeat_until([&] { return (*complete = test_some(all, handles, indices, statuses)) != 0; });
  });
}

int testsome(Call call, int count, MPI_Request* handles, int* complete, int* indices, MPI_Status* statuses) {
  return run(call, [&] {
    check_active();
    const Requests all = check_requests(count, handles);
    if (count > 0) check_output(indices, "array_of_indices");
    *check_output(complete, "outcount") = test_some(all, handles, indices, statuses);
  });
}

int request_get_status_all(Call call, int count, const MPI_Request* handles, int* flag,
                           MPI_Status* statuses) {
  return run(call, [&] {
    check_active();
    *check_output(flag, "flag") = test_all(check_requests(count, handles), nullptr, statuses);
  });
}

int request_get_status_any(Call call, int count, const MPI_Request* handles, int* index, int* flag,
                           MPI_Status* status) {
  return run(call, [&] {
    check_active();
    check_output(flag, "flag");
    const int found = test_any(check_requests(count, handles), nullptr, status);
    *flag = found != -1;
    *check_output(index, "index") = found == -1 ? MPI_UNDEFINED : found;
  });
}

int request_get_status_some(Call call, int count, const MPI_Request* handles, int* complete, int* indices,
                            MPI_Status* statuses) {
  return run(call, [&] {
    check_active();
    const Requests all = check_requests(count, handles);
    if (count > 0) check_output(indices, "array_of_indices");
    *check_output(complete, "outcount") = test_some(all, nullptr, indices, statuses);
  });
}

}  // namespace foldlane::api
