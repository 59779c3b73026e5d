// MPI_Send, MPI_Ssend, MPI_Rsend, and their nonblocking and persistent forms.
#include "api/core/calls.hpp"
#include "api/core/checks.hpp"
#include "api/p2p/requests.hpp"
#include "api/p2p/wait_notes.hpp"
#include "api/request/request_slots.hpp"

namespace foldlane::api {
namespace {

using engine::SendMode;

int send_as(SendMode mode, Call call, const void* buf, MPI_Count count, MPI_Datatype datatype, int dest,
            int tag, MPI_Comm comm) {
  return run(call, comm, [&] {
    Communicator& communicator = check_communicator(comm);
    engine::Send send;
    send.mode = mode;
    check_send(send, communicator, comm, buf, count, datatype, dest, tag);
    if (dest == MPI_PROC_NULL || messenger().send_at_once(send)) return;
    messenger().start(send);
    messenger().wait(send, [&](engine::WaitNote& note) { note_send(note, call.name, send, comm); });
    require_sent(send);
  });
}

/// A request of its own has who wants to know which were not completed by the program.
bool is_sent_at_once(SendMode mode, Communicator& communicator, MPI_Comm comm, const void* buf,
                     MPI_Count count, MPI_Datatype datatype, int dest, int tag) {
  if (checks.has(Check::leaks)) [[unlikely]]
    return false;
  engine::Parcel parcel;
  parcel.mode = mode;
  check_send(parcel, communicator, comm, buf, count, datatype, dest, tag);
  return dest == MPI_PROC_NULL || messenger().send_at_once(parcel);
}

int request_send(SendMode mode, Lifetime lifetime, Call call, const void* buf, MPI_Count count,
                 MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Request* request) {
  return run(call, comm, [&] {
    *check_output(request, "request") = MPI_REQUEST_NULL;
    Communicator& communicator = check_communicator(comm);
    if (lifetime == Lifetime::once &&
        is_sent_at_once(mode, communicator, comm, buf, count, datatype, dest, tag)) {
      *request = complete_request();
    } else {
      make_request<SendRequest>(*request, comm, lifetime, communicator, mode, buf, count, datatype, dest,
                                tag);
    }
  });
}

}  // namespace

int send(Call call, const void* buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag,
         MPI_Comm comm) {
  return send_as(SendMode::standard, call, buf, count, datatype, dest, tag, comm);
}
int ssend(Call call, const void* buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag,
          MPI_Comm comm) {
  return send_as(SendMode::synchronous, call, buf, count, datatype, dest, tag, comm);
}
int rsend(Call call, const void* buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag,
          MPI_Comm comm) {
  return send_as(SendMode::ready, call, buf, count, datatype, dest, tag, comm);
}

int isend(Call call, const void* buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag,
          MPI_Comm comm, MPI_Request* request) {
  return request_send(SendMode::standard, Lifetime::once, call, buf, count, datatype, dest, tag, comm,
                      request);
}
int issend(Call call, const void* buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag,
           MPI_Comm comm, MPI_Request* request) {
  return request_send(SendMode::synchronous, Lifetime::once, call, buf, count, datatype, dest, tag, comm,
                      request);
}
int irsend(Call call, const void* buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag,
           MPI_Comm comm, MPI_Request* request) {
  return request_send(SendMode::ready, Lifetime::once, call, buf, count, datatype, dest, tag, comm, request);
}

int send_init(Call call, const void* buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag,
              MPI_Comm comm, MPI_Request* request) {
  return request_send(SendMode::standard, Lifetime::persistent, call, buf, count, datatype, dest, tag, comm,
                      request);
}
int ssend_init(Call call, const void* buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag,
               MPI_Comm comm, MPI_Request* request) {
  return request_send(SendMode::synchronous, Lifetime::persistent, call, buf, count, datatype, dest, tag,
                      comm, request);
}
int rsend_init(Call call, const void* buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag,
               MPI_Comm comm, MPI_Request* request) {
  return request_send(SendMode::ready, Lifetime::persistent, call, buf, count, datatype, dest, tag, comm,
                      request);
}

}  // namespace foldlane::api
