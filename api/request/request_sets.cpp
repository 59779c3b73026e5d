// Waiting and testing for several requests.
#include <algorithm>
#include <optional>

#include "api/core/calls.hpp"
#include "api/request/completion.hpp"
#include "api/request/replayed_look.hpp"
#include "api/request/request_array.hpp"
#include "api/request/waited_requests.hpp"
#include "api/request/waiting.hpp"

namespace foldlane::api {
namespace {

/// MPI_Waitany and MPI_Testany, when the one at `index` is complete, or it is MPI_UNDEFINED.
void complete_one(RequestArray& all, const int* index, MPI_Status* status, MPI_Comm& comm) {
  MPI_Status result = empty_status();
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

/// MPI_Waitsome and MPI_Testsome, when those are complete.
void complete_some(RequestArray& all, const Outcome& chosen, int* outcount, int* indices, MPI_Status* array,
                   MPI_Comm& comm) {
  StatusArray statuses(array);
  *outcount = 0;
  for (const int index : chosen) {
    indices[*outcount] = index;
    all.complete(index, statuses, (*outcount)++);
  }
  statuses.check(comm);
}

/// A round. True if one is complete, or there is nothing to wait for.
bool poll_for_one(RequestArray& all) {
  all.poll();
  return all.complete() > 0 || all.active() == 0;
}

void wait_for_one(RequestArray& all, Call call) {
  wait_until([&] { return poll_for_one(all); }, [&](engine::WaitNote& note) { all.note_wait(note, call); });
}

Outcome all_complete(const RequestArray& all) {
  Outcome complete;
  for (int i = 0; i < all.count(); ++i) {
    if (all.is_complete(i)) complete.push_back(i);
  }
  return complete;
}

/// Replayed: until those are complete that were in the recorded run.
void wait_for(RequestArray& all, const Outcome& told) {
  for (const int index : told) {
    if (!all.has(index)) fail(MPI_ERR_OTHER, "--replay: a request of the recorded run is not active here");
  }
  wait_replayed([&] {
    all.poll();
    return std::all_of(told.begin(), told.end(), [&](int index) { return all.is_complete(index); });
  });
}

/// What MPI_Waitsome or MPI_Testsome is to complete, after `look`, which waits or does not. All that have
/// become complete may be more than were in the recorded run.
template <class Look>
Outcome choose_some(Call call, RequestArray& all, const Look& look) {
  if (const std::optional<Outcome> told = replayed(call)) {
    wait_for(all, *told);
    return *told;
  }
  look();
  const Outcome chosen = all_complete(all);
  if (is_recorded()) journal->note(call, chosen);
  return chosen;
}

/// The same for MPI_Waitany and MPI_Testany: MPI_UNDEFINED if none is complete.
template <class Look>
int choose_one(Call call, RequestArray& all, const Look& look) {
  if (all.active() == 0) return MPI_UNDEFINED;
  if (const std::optional<Outcome> told = replayed(call)) {
    wait_for(all, *told);
    return told->empty() ? MPI_UNDEFINED : told->front();
  }
  look();
  const int chosen = all.complete() == 0 ? MPI_UNDEFINED : all.choose();
  if (is_recorded()) journal->note(call, chosen == MPI_UNDEFINED ? Outcome{} : Outcome{chosen});
  return chosen;
}

void check_some_outputs(int count, const int* outcount, const int* indices) {
  check_output(outcount, "outcount");
  if (count > 0) check_output(indices, "array_of_indices");
}

}  // namespace

int waitall(Call call, int count, MPI_Request* requests, MPI_Status* array) {
  return run_on_requests(call, [&](MPI_Comm& comm) {
    WaitedRequests all(requests);
    all.take(count);
    StatusArray statuses(array);
    wait_until([&] { return all.complete_next(statuses); },
               [&](engine::WaitNote& note) { all.note_wait(note, call); }, all.expected());
    all.complete_rest(statuses);
    statuses.check(comm);
  });
}

int testall(Call call, int count, MPI_Request* requests, int* flag, MPI_Status* array) {
  return run_with_progress(call, [&](MPI_Comm& comm) {
    check_output(flag, "flag");
    RequestArray all(count, requests);
    const bool is_over = look(call, [&] {
      all.poll();
      return all.is_over();
    });
    *flag = is_over && all.complete() == all.active();
    if (is_over) complete_all(all, array, comm);
  });
}

int waitany(Call call, int count, MPI_Request* requests, int* index, MPI_Status* status) {
  return run_on_requests(call, [&](MPI_Comm& comm) {
    check_output(index, "index");
    RequestArray all(count, requests);
    *index = choose_one(call, all, [&] { wait_for_one(all, call); });
    complete_one(all, index, status, comm);
  });
}

int testany(Call call, int count, MPI_Request* requests, int* index, int* flag, MPI_Status* status) {
  return run_with_progress(call, [&](MPI_Comm& comm) {
    check_output(index, "index");
    check_output(flag, "flag");
    RequestArray all(count, requests);
    *index = choose_one(call, all, [&] { all.poll(); });
    *flag = *index != MPI_UNDEFINED || all.active() == 0;
    if (*flag != 0) complete_one(all, index, status, comm);
  });
}

int waitsome(Call call, int count, MPI_Request* requests, int* outcount, int* indices, MPI_Status* array) {
  return run_on_requests(call, [&](MPI_Comm& comm) {
    check_some_outputs(count, outcount, indices);
    RequestArray all(count, requests);
    if (all.active() == 0) return static_cast<void>(*outcount = MPI_UNDEFINED);
    const Outcome chosen = choose_some(call, all, [&] { wait_for_one(all, call); });
    complete_some(all, chosen, outcount, indices, array, comm);
  });
}

int testsome(Call call, int count, MPI_Request* requests, int* outcount, int* indices, MPI_Status* array) {
  return run_with_progress(call, [&](MPI_Comm& comm) {
    check_some_outputs(count, outcount, indices);
    RequestArray all(count, requests);
    if (all.active() == 0) return static_cast<void>(*outcount = MPI_UNDEFINED);
    const Outcome chosen = choose_some(call, all, [&] { all.poll(); });
    complete_some(all, chosen, outcount, indices, array, comm);
  });
}

}  // namespace foldlane::api
