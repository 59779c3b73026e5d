// The calls that complete, start, free and cancel requests; request_sets.cpp has those that complete several.
#include "api/request/request.hpp"

#include <utility>
#include <vector>

#include "api/core/calls.hpp"
#include "api/request/completion.hpp"
#include "api/request/replayed_look.hpp"
#include "api/request/wait_text.hpp"
#include "api/request/waiting.hpp"

namespace foldlane::api {

void Request::cancel() {
  fail(MPI_ERR_REQUEST, "the request of a collective call cannot be cancelled; wait for it");
}

void Request::check_startable() const {
  if (!is_persistent()) fail(MPI_ERR_REQUEST, "the request is not persistent; only those can be started");
  if (is_active()) fail(MPI_ERR_REQUEST, "the request is active already; complete it before it starts again");
}

void Request::start() {
  check_startable();
  active_.publish(1);
  try {
    begin();
  } catch (...) {
    set_inactive();
    throw;
  }
}

Request::Freed Request::free() {
  if (!is_active()) return Freed::now;
  fail(MPI_ERR_REQUEST, "the request of a collective call cannot be freed while it is active; wait for it");
}

namespace {

/// One that is not MPI_REQUEST_NULL, to be completed, started or freed.
TakenRequest take_existing(MPI_Request handle, MPI_Comm& comm, int index = -1) {
  TakenRequest taken = take_request(handle, index);
  if (!taken) reject_unknown_request(handle, index);
  comm = taken->comm();
  return taken;
}

/// By itself, so that a wait that is over at once stays short.
[[gnu::noinline]] void wait_for(const TakenRequest& taken, Call call) {
  const auto describe = [&](engine::WaitNote& note) {
    WaitText text(note, call);
    engine::WaitNote request = text.blank();
    taken->note_wait(request);
    text.needs(request);
    text.finish(1);
  };
  wait_until([&] { return taken->is_over(); }, describe, expected_by(*taken));
}

/// Otherwise there is nothing to wait for.
bool is_active(const TakenRequest& taken) { return taken && taken->is_active(); }

}  // namespace

int wait(Call call, MPI_Request* request, MPI_Status* status) {
  return run_on_requests(call, [&](MPI_Comm& comm) {
    TakenRequest taken = take_request(*check_output(request, "request"));
    MPI_Status result = empty_status();
    if (is_active(taken)) {
      comm = taken->comm();
      if (!taken->advance()) wait_for(taken, call);
      complete(std::move(taken), *request, result);
    }
    put_status(status, result);
  });
}

int test(Call call, MPI_Request* request, int* flag, MPI_Status* status) {
  return run_with_progress(call, [&](MPI_Comm& comm) {
    check_output(flag, "flag");
    TakenRequest taken = take_request(*check_output(request, "request"));
    MPI_Status result = empty_status();
    *flag = 1;
    if (is_active(taken)) {
      comm = taken->comm();
      *flag = look(call, [&] { return taken->poll(); });
      if (*flag == 0) return;
      complete(std::move(taken), *request, result);
    }
    put_status(status, result);
  });
}

int request_free(Call call, MPI_Request* request) {
  return run_on_requests(call, [&](MPI_Comm& comm) {
    MPI_Request& handle = *check_output(request, "request");
    free_request(take_existing(handle, comm), handle);
  });
}

int start(Call call, MPI_Request* request) {
  return run_on_requests(
      call, [&](MPI_Comm& comm) { take_existing(*check_output(request, "request"), comm)->start(); });
}

// All are checked before any is started.
int startall(Call call, int count, MPI_Request* requests) {
  return run_on_requests(call, [&](MPI_Comm& comm) {
    check_request_array(count, requests);
    std::vector<TakenRequest> all;
    all.reserve(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) all.emplace_back(take_existing(requests[i], comm, i))->check_startable();
    for (const TakenRequest& request : all) {
      comm = request->comm();
      request->start();
    }
  });
}

int cancel(Call call, MPI_Request* request) {
  return run_on_requests(call, [&](MPI_Comm& comm) {
    const PinnedRequest pinned(*check_output(request, "request"));
    comm = pinned->comm();
    if (!pinned->is_active()) fail(MPI_ERR_REQUEST, "the request is not active; there is nothing to cancel");
    pinned->cancel();
  });
}

}  // namespace foldlane::api
