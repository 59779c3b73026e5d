// MPI_Neighbor_alltoall, MPI_Neighbor_alltoallv and MPI_Neighbor_alltoallw, with their nonblocking and
// persistent forms.
#include "api/collective/neighbours.hpp"
#include "api/core/calls.hpp"

namespace foldlane::api {
namespace {

struct NeighborAlltoall {
  engine::Call kind;

  template <class Form>
  void operator()(const Form& form, const Side& send, const Side& recv, MPI_Comm comm) const {
    NeighbourCall call(kind, comm);
    if (move_short_blocks(form, call, send, recv)) return;
    call.receives = check_blocks(recv, kReceives, partners_of(call.neighbourhood.sources), false);
    call.sends = check_blocks(send, kSends, partners_of(call.neighbourhood.destinations), false);
    move(form, call, comm);
  }
};

constexpr NeighborAlltoall kNeighborAlltoall{engine::Call::neighbor_alltoall},
    kNeighborAlltoallv{engine::Call::neighbor_alltoallv},
    kNeighborAlltoallw{engine::Call::neighbor_alltoallw};

}  // namespace

int neighbor_alltoall(Call call, const void* send, MPI_Count send_count, MPI_Datatype send_type, void* recv,
                      MPI_Count recv_count, MPI_Datatype recv_type, MPI_Comm comm) {
  return blocking_move(call, kNeighborAlltoall, {send, send_count, send_type}, {recv, recv_count, recv_type},
                       comm);
}

int ineighbor_alltoall(Call call, const void* send, MPI_Count send_count, MPI_Datatype send_type, void* recv,
                       MPI_Count recv_count, MPI_Datatype recv_type, MPI_Comm comm, MPI_Request* request) {
  return nonblocking_move(call, kNeighborAlltoall, {send, send_count, send_type},
                          {recv, recv_count, recv_type}, comm, request);
}

int neighbor_alltoall_init(Call call, const void* send, MPI_Count send_count, MPI_Datatype send_type,
                           void* recv, MPI_Count recv_count, MPI_Datatype recv_type, MPI_Comm comm,
                           MPI_Info info, MPI_Request* request) {
  return persistent_move(call, kNeighborAlltoall, {send, send_count, send_type},
                         {recv, recv_count, recv_type}, comm, info, request);
}

int neighbor_alltoallv(Call call, const void* send, const Numbers& send_counts, const Numbers& send_places,
                       MPI_Datatype send_type, void* recv, const Numbers& recv_counts,
                       const Numbers& recv_places, MPI_Datatype recv_type, MPI_Comm comm) {
  return blocking_move(call, kNeighborAlltoallv, {send, send_counts, send_places, send_type},
                       {recv, recv_counts, recv_places, recv_type}, comm);
}

int ineighbor_alltoallv(Call call, const void* send, const Numbers& send_counts, const Numbers& send_places,
                        MPI_Datatype send_type, void* recv, const Numbers& recv_counts,
                        const Numbers& recv_places, MPI_Datatype recv_type, MPI_Comm comm,
                        MPI_Request* request) {
  return nonblocking_move(call, kNeighborAlltoallv, {send, send_counts, send_places, send_type},
                          {recv, recv_counts, recv_places, recv_type}, comm, request);
}

int neighbor_alltoallv_init(Call call, const void* send, const Numbers& send_counts,
                            const Numbers& send_places, MPI_Datatype send_type, void* recv,
                            const Numbers& recv_counts, const Numbers& recv_places, MPI_Datatype recv_type,
                            MPI_Comm comm, MPI_Info info, MPI_Request* request) {
  return persistent_move(call, kNeighborAlltoallv, {send, send_counts, send_places, send_type},
                         {recv, recv_counts, recv_places, recv_type}, comm, info, request);
}

int neighbor_alltoallw(Call call, const void* send, const Numbers& send_counts, const Numbers& send_places,
                       const MPI_Datatype* send_types, void* recv, const Numbers& recv_counts,
                       const Numbers& recv_places, const MPI_Datatype* recv_types, MPI_Comm comm) {
  return blocking_move(call, kNeighborAlltoallw, {send, send_counts, send_places, send_types},
                       {recv, recv_counts, recv_places, recv_types}, comm);
}

int ineighbor_alltoallw(Call call, const void* send, const Numbers& send_counts, const Numbers& send_places,
                        const MPI_Datatype* send_types, void* recv, const Numbers& recv_counts,
                        const Numbers& recv_places, const MPI_Datatype* recv_types, MPI_Comm comm,
                        MPI_Request* request) {
  return nonblocking_move(call, kNeighborAlltoallw, {send, send_counts, send_places, send_types},
                          {recv, recv_counts, recv_places, recv_types}, comm, request);
}

int neighbor_alltoallw_init(Call call, const void* send, const Numbers& send_counts,
                            const Numbers& send_places, const MPI_Datatype* send_types, void* recv,
                            const Numbers& recv_counts, const Numbers& recv_places,
                            const MPI_Datatype* recv_types, MPI_Comm comm, MPI_Info info,
                            MPI_Request* request) {
  return persistent_move(call, kNeighborAlltoallw, {send, send_counts, send_places, send_types},
                         {recv, recv_counts, recv_places, recv_types}, comm, info, request);
}

}  // namespace foldlane::api
