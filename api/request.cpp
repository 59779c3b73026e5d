// Requests: waiting and testing, one at a time; request_sets.cpp has those for several.
#include "api/request.hpp"

#include <fmt/format.h>

#include <utility>

#include "api/args.hpp"
#include "api/calls.hpp"
#include "api/status.hpp"

namespace foldlane::api {

HandleTable<MPI_Request, std::shared_ptr<Request>> requests;

MPI_Request new_request_handle(std::shared_ptr<Request> request) {
  const MPI_Request handle = requests.insert(std::move(request));
  if (handle == nullptr) fail(MPI_ERR_NO_MEM, "too many requests exist; complete some");
  return handle;
}

std::shared_ptr<Request> check_request(MPI_Request handle) {
  if (handle == MPI_REQUEST_NULL) return nullptr;
  if (const auto* found = requests.find(handle)) return *found;
  fail(MPI_ERR_REQUEST,
       fmt::format("the request {} does not exist; it may be complete already", fmt::ptr(handle)));
}

MPI_Status empty_status() noexcept {
  MPI_Status status{};
  status.MPI_SOURCE = MPI_ANY_SOURCE;
  status.MPI_TAG = MPI_ANY_TAG;
  status.MPI_ERROR = MPI_SUCCESS;
  return status;
}

namespace {

void put_status(MPI_Status* status) {
  if (status == MPI_STATUS_IGNORE) return;
  const int error = status->MPI_ERROR;  // belongs to the calls with several statuses
  *status = empty_status();
  status->MPI_ERROR = error;
}

MPI_Comm comm_of(const MPI_Request* request) {
  const auto* found = request == nullptr ? nullptr : requests.find(*request);
  return found == nullptr ? MPI_COMM_NULL : (*found)->comm();
}

// A request ends with its call, also with one that has failed.
void end(MPI_Request* handle) {
  requests.erase(*handle);
  *handle = MPI_REQUEST_NULL;
}

template <class Body>
auto ending(MPI_Request* handle, const Body& body) {
  try {
    return body();
  } catch (...) {
    end(handle);
    throw;
  }
}

}  // namespace

int wait(Call call, MPI_Request* request, MPI_Status* status) {
  return run(call, comm_of(request), [&] {
    check_active();
    const auto found = check_request(*check_output(request, "request"));
    if (found != nullptr) {
      ending(request, [&] { found->wait(); });
      end(request);
    }
    put_status(status);
  });
}

int test(Call call, MPI_Request* request, int* flag, MPI_Status* status) {
  return run(call, comm_of(request), [&] {
    check_active();
    const auto found = check_request(*check_output(request, "request"));
    check_output(flag, "flag");
    *flag = found == nullptr || ending(request, [&] { return found->test(); });
    if (*flag == 0) return;
    if (found != nullptr) end(request);
    put_status(status);
  });
}

int request_get_status(Call call, MPI_Request request, int* flag, MPI_Status* status) {
  return run(call, comm_of(&request), [&] {
    check_active();
    const auto found = check_request(request);
    *check_output(flag, "flag") = found == nullptr || found->test();
    if (*flag != 0) put_status(status);
  });
}

// Freeing the request of a collective is not allowed, and there are no others yet.
int request_free(Call call, MPI_Request* request) {
  return run(call, comm_of(request), [&] {
    check_active();
    if (check_request(*check_output(request, "request")) == nullptr)
      fail(MPI_ERR_REQUEST, "the request is MPI_REQUEST_NULL");
    fail(MPI_ERR_REQUEST, "the request of a collective call cannot be freed; wait for it");
  });
}

}  // namespace foldlane::api
