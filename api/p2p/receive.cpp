// MPI_Recv, MPI_Irecv, MPI_Recv_init.
#include "api/core/calls.hpp"
#include "api/p2p/requests.hpp"
#include "api/p2p/wait_notes.hpp"
#include "api/replay/outcomes.hpp"
#include "api/request/completion.hpp"
#include "api/request/request_slots.hpp"

namespace foldlane::api {
namespace {

/// By itself, and from the beginning: the arguments of a plain receive are to stay in registers.
[[gnu::noinline]] void make_other(MPI_Request& request, Lifetime lifetime, Communicator& communicator,
                                  MPI_Comm comm, void* buf, MPI_Count count, MPI_Datatype datatype,
                                  int source, int tag) {
  make_request<ReceiveRequest>(request, comm, lifetime, communicator,
                               check_receive(communicator, comm, buf, count, datatype, source, tag));
}

}  // namespace

int recv(Call call, void* buf, MPI_Count count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
         MPI_Status* status) {
  return run(call, comm, [&] {
    Communicator& communicator = check_communicator(comm);
    const MessageArguments arguments = check_receive(communicator, comm, buf, count, datatype, source, tag);
    if (source == MPI_PROC_NULL) return put_status(status, null_status());
    const int first = arguments.line.first;
    engine::Receive receive;
    arguments.set_up(receive);
    OpenReceive open;
    open.begin(receive, first);
    messenger().start(receive);
    wait_for(messenger(), receive,
             [&](engine::WaitNote& note) { note_receive(note, call.name, receive, comm); });
    open.end(receive, first);
    put_received(status, receive, first);
  });
}

int irecv(Call call, void* buf, MPI_Count count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
          MPI_Request* request) {
  return run(call, comm, [&] {
    *check_output(request, "request") = MPI_REQUEST_NULL;
    Communicator& communicator = check_communicator(comm);
    const MessageArguments arguments = check_receive(communicator, comm, buf, count, datatype, source, tag);
    if (PlainReceive::can_be(communicator, arguments)) [[likely]]
      return make_request<PlainReceive>(*request, comm, communicator, arguments);
    make_other(*request, Lifetime::once, communicator, comm, buf, count, datatype, source, tag);
  });
}
int recv_init(Call call, void* buf, MPI_Count count, MPI_Datatype datatype, int source, int tag,
              MPI_Comm comm, MPI_Request* request) {
  return run(call, comm, [&] {
    *check_output(request, "request") = MPI_REQUEST_NULL;
    Communicator& communicator = check_communicator(comm);
    make_other(*request, Lifetime::persistent, communicator, comm, buf, count, datatype, source, tag);
  });
}

}  // namespace foldlane::api
