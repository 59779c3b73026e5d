// MPI_Send, MPI_Ssend, MPI_Rsend, and their nonblocking and persistent forms.
#include "api/core/calls.hpp"
#include "api/core/checks.hpp"
#include "api/p2p/requests.hpp"
#include "api/p2p/wait_notes.hpp"
#include "api/request/request_slots.hpp"

namespace foldlane::api {
namespace {

using engine::SendMode;

/// By itself, so that a send that is over at once stays short.
[[gnu::noinline]] void send_and_wait(Call call, const engine::Parcel& parcel, MPI_Comm comm) {
  engine::Send send;
  static_cast<engine::Parcel&>(send) = parcel;
  messenger().start(send);
  wait_for(messenger(), send, [&](engine::WaitNote& note) { note_send(note, call.name, send, comm); });
  require_sent(send);
}

template <SendMode mode>
int send_as(Call call, const void* buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag,
            MPI_Comm comm) {
  return run(call, comm, [&] {
    Communicator& communicator = check_communicator(comm);
    const MessageArguments arguments = check_send(communicator, comm, buf, count, datatype, dest, tag);
    if (dest == MPI_PROC_NULL) return;
    engine::Parcel parcel;
    arguments.set_up(parcel);
    parcel.mode = mode;
    if (!messenger().send_at_once(parcel)) send_and_wait(call, parcel, comm);
  });
}

/// A request of its own has who wants to know which were not completed by the program.
[[gnu::always_inline]] inline bool is_sent_at_once(SendMode mode, const MessageArguments& arguments) {
  if (checks.has(Check::leaks)) [[unlikely]]
    return false;
  if (arguments.line.channel == nullptr) return true;
  engine::Parcel parcel;
  arguments.set_up(parcel);
  parcel.mode = mode;
  return messenger().send_at_once(parcel);
}

/// By itself, and from the beginning: the arguments of what is sent at once are to stay in registers.
[[gnu::noinline]] void make_other(MPI_Request& request, SendMode mode, Lifetime lifetime,
                                  Communicator& communicator, MPI_Comm comm, const void* buf, MPI_Count count,
                                  MPI_Datatype datatype, int dest, int tag) {
  make_request<SendRequest>(request, comm, lifetime, communicator, mode,
                            check_send(communicator, comm, buf, count, datatype, dest, tag));
}

template <SendMode mode, Lifetime lifetime>
int request_send(Call call, const void* buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag,
                 MPI_Comm comm, MPI_Request* request) {
  return run(call, comm, [&] {
    *check_output(request, "request") = MPI_REQUEST_NULL;
    Communicator& communicator = check_communicator(comm);
    const MessageArguments arguments = check_send(communicator, comm, buf, count, datatype, dest, tag);
    if (lifetime == Lifetime::once && is_sent_at_once(mode, arguments)) {
      *request = complete_request();
    } else {
      make_other(*request, mode, lifetime, communicator, comm, buf, count, datatype, dest, tag);
    }
  });
}

}  // namespace

int send(Call call, const void* buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag,
         MPI_Comm comm) {
  return send_as<SendMode::standard>(call, buf, count, datatype, dest, tag, comm);
}
int ssend(Call call, const void* buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag,
          MPI_Comm comm) {
  return send_as<SendMode::synchronous>(call, buf, count, datatype, dest, tag, comm);
}
int rsend(Call call, const void* buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag,
          MPI_Comm comm) {
  return send_as<SendMode::ready>(call, buf, count, datatype, dest, tag, comm);
}

int isend(Call call, const void* buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag,
          MPI_Comm comm, MPI_Request* request) {
  return request_send<SendMode::standard, Lifetime::once>(call, buf, count, datatype, dest, tag, comm,
                                                          request);
}
int issend(Call call, const void* buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag,
           MPI_Comm comm, MPI_Request* request) {
  return request_send<SendMode::synchronous, Lifetime::once>(call, buf, count, datatype, dest, tag, comm,
                                                             request);
}
int irsend(Call call, const void* buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag,
           MPI_Comm comm, MPI_Request* request) {
  return request_send<SendMode::ready, Lifetime::once>(call, buf, count, datatype, dest, tag, comm, request);
}

int send_init(Call call, const void* buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag,
              MPI_Comm comm, MPI_Request* request) {
  return request_send<SendMode::standard, Lifetime::persistent>(call, buf, count, datatype, dest, tag, comm,
                                                                request);
}
int ssend_init(Call call, const void* buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag,
               MPI_Comm comm, MPI_Request* request) {
  return request_send<SendMode::synchronous, Lifetime::persistent>(call, buf, count, datatype, dest, tag,
                                                                   comm, request);
}
int rsend_init(Call call, const void* buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag,
               MPI_Comm comm, MPI_Request* request) {
  return request_send<SendMode::ready, Lifetime::persistent>(call, buf, count, datatype, dest, tag, comm,
                                                             request);
}

}  // namespace foldlane::api
