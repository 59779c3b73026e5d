// Waiting and testing for several requests.
#include "api/core/calls.hpp"
#include "api/request/completion.hpp"
#include "api/request/request_array.hpp"
#include "api/request/waiting.hpp"

namespace foldlane::api {
namespace {

/// MPI_Waitany and MPI_Testany, when one is complete or there is nothing to wait for.
void complete_one(RequestArray& all, int* index, MPI_Status* status, MPI_Comm& comm) {
  MPI_Status result = empty_status();
  *index = all.active() == 0 ? MPI_UNDEFINED : all.choose();
  if (*index != MPI_UNDEFINED) {
    comm = all.comm(*index);
    all.complete(*index, result);
  }
  put_status(status, result);
}

/// In a call that is over.
void complete_all(RequestArray& all, MPI_Status* array, MPI_Comm& comm) {
  StatusArray statuses(array);
  all.complete_all(statuses);
  statuses.check(comm);
}

/// MPI_Waitsome and MPI_Testsome, after their polls.
void complete_some(RequestArray& all, int* outcount, int* indices, MPI_Status* array, MPI_Comm& comm) {
  StatusArray statuses(array);
  *outcount = all.active() == 0 ? MPI_UNDEFINED : 0;
  for (int i = 0; i < all.count(); ++i) {
    if (!all.is_complete(i)) continue;
    indices[(*outcount)++] = i;
    all.complete(i, statuses, *outcount - 1);
  }
  statuses.check(comm);
}

/// A round. True if one is complete, or there is nothing to wait for.
bool poll_for_one(RequestArray& all) {
  all.poll();
  return all.complete() > 0 || all.active() == 0;
}

void check_some_outputs(int count, const int* outcount, const int* indices) {
  check_output(outcount, "outcount");
  if (count > 0) check_output(indices, "array_of_indices");
}

}  // namespace

int waitall(Call call, int count, MPI_Request* requests, MPI_Status* array) {
  return run_on_requests(call, [&](MPI_Comm& comm) {
    RequestArray all(count, requests);
    StatusArray statuses(array);
    wait_until([&] { return all.poll_and_complete(statuses); });
    all.complete_all(statuses);
    statuses.check(comm);
  });
}

int testall(Call call, int count, MPI_Request* requests, int* flag, MPI_Status* array) {
  return run_with_progress(call, [&](MPI_Comm& comm) {
    check_output(flag, "flag");
    RequestArray all(count, requests);
    all.poll();
    *flag = all.complete() == all.active();
    if (all.is_over()) complete_all(all, array, comm);
  });
}

int waitany(Call call, int count, MPI_Request* requests, int* index, MPI_Status* status) {
  return run_on_requests(call, [&](MPI_Comm& comm) {
    check_output(index, "index");
    RequestArray all(count, requests);
    wait_until([&] { return poll_for_one(all); });
    complete_one(all, index, status, comm);
  });
}

int testany(Call call, int count, MPI_Request* requests, int* index, int* flag, MPI_Status* status) {
  return run_with_progress(call, [&](MPI_Comm& comm) {
    check_output(index, "index");
    check_output(flag, "flag");
    RequestArray all(count, requests);
    *index = MPI_UNDEFINED;
    *flag = poll_for_one(all);
    if (*flag != 0) complete_one(all, index, status, comm);
  });
}

int waitsome(Call call, int count, MPI_Request* requests, int* outcount, int* indices, MPI_Status* array) {
  return run_on_requests(call, [&](MPI_Comm& comm) {
    check_some_outputs(count, outcount, indices);
    RequestArray all(count, requests);
    wait_until([&] { return poll_for_one(all); });
    complete_some(all, outcount, indices, array, comm);
  });
}

int testsome(Call call, int count, MPI_Request* requests, int* outcount, int* indices, MPI_Status* array) {
  return run_with_progress(call, [&](MPI_Comm& comm) {
    check_some_outputs(count, outcount, indices);
    RequestArray all(count, requests);
    all.poll();
    complete_some(all, outcount, indices, array, comm);
  });
}

}  // namespace foldlane::api
