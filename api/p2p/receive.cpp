// MPI_Recv, MPI_Irecv, MPI_Recv_init.
#include "api/core/calls.hpp"
#include "api/p2p/requests.hpp"
#include "api/p2p/wait_notes.hpp"
#include "api/replay/outcomes.hpp"
#include "api/request/completion.hpp"
#include "api/request/request_slots.hpp"

namespace foldlane::api {
namespace {

int request_receive(Lifetime lifetime, Call call, void* buf, MPI_Count count, MPI_Datatype datatype,
                    int source, int tag, MPI_Comm comm, MPI_Request* request) {
  return run(call, comm, [&] {
    *check_output(request, "request") = MPI_REQUEST_NULL;
    Communicator& communicator = check_communicator(comm);
    make_request<ReceiveRequest>(*request, comm, lifetime, communicator, buf, count, datatype, source, tag);
  });
}

}  // namespace

int recv(Call call, void* buf, MPI_Count count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
         MPI_Status* status) {
  return run(call, comm, [&] {
    Communicator& communicator = check_communicator(comm);
    engine::Receive receive;
    check_receive(receive, communicator, comm, buf, count, datatype, source, tag);
    if (source == MPI_PROC_NULL) return put_status(status, null_status());
    const int first = first_partner(communicator);
    OpenReceive open;
    open.begin(receive, first);
    messenger().start(receive);
    messenger().wait(receive, [&](engine::WaitNote& note) { note_receive(note, call.name, receive, comm); });
    open.end(receive, first);
    put_received(status, receive, first);
  });
}

int irecv(Call call, void* buf, MPI_Count count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
          MPI_Request* request) {
  return request_receive(Lifetime::once, call, buf, count, datatype, source, tag, comm, request);
}
int recv_init(Call call, void* buf, MPI_Count count, MPI_Datatype datatype, int source, int tag,
              MPI_Comm comm, MPI_Request* request) {
  return request_receive(Lifetime::persistent, call, buf, count, datatype, source, tag, comm, request);
}

}  // namespace foldlane::api
