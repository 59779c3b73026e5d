// MPI_Neighbor_allgather and MPI_Neighbor_allgatherv, with their nonblocking and persistent forms.
#include "api/collective/neighbours.hpp"
#include "api/core/calls.hpp"

namespace foldlane::api {
namespace {

struct NeighborAllgather {
  engine::Call kind;

  template <class Form>
  void operator()(const Form& form, const Side& send, const Side& recv, MPI_Comm comm) const {
    NeighbourCall call(kind, comm);
    if (move_short_blocks(form, call, send, recv)) return;
    call.receives = check_blocks(recv, kReceives, partners_of(call.neighbourhood.sources), false);
    call.sends = check_block_for_all(send, kSends, partners_of(call.neighbourhood.destinations));
    move(form, call, comm);
  }
};

constexpr NeighborAllgather kNeighborAllgather{engine::Call::neighbor_allgather},
    kNeighborAllgatherv{engine::Call::neighbor_allgatherv};

}  // namespace

int neighbor_allgather(Call call, const void* send, MPI_Count send_count, MPI_Datatype send_type, void* recv,
                       MPI_Count recv_count, MPI_Datatype recv_type, MPI_Comm comm) {
  return blocking_move(call, kNeighborAllgather, {send, send_count, send_type}, {recv, recv_count, recv_type},
                       comm);
}

int ineighbor_allgather(Call call, const void* send, MPI_Count send_count, MPI_Datatype send_type, void* recv,
                        MPI_Count recv_count, MPI_Datatype recv_type, MPI_Comm comm, MPI_Request* request) {
  return nonblocking_move(call, kNeighborAllgather, {send, send_count, send_type},
                          {recv, recv_count, recv_type}, comm, request);
}

int neighbor_allgather_init(Call call, const void* send, MPI_Count send_count, MPI_Datatype send_type,
                            void* recv, MPI_Count recv_count, MPI_Datatype recv_type, MPI_Comm comm,
                            MPI_Info info, MPI_Request* request) {
  return persistent_move(call, kNeighborAllgather, {send, send_count, send_type},
                         {recv, recv_count, recv_type}, comm, info, request);
}

int neighbor_allgatherv(Call call, const void* send, MPI_Count send_count, MPI_Datatype send_type, void* recv,
                        const Numbers& recv_counts, const Numbers& recv_places, MPI_Datatype recv_type,
                        MPI_Comm comm) {
  return blocking_move(call, kNeighborAllgatherv, {send, send_count, send_type},
                       {recv, recv_counts, recv_places, recv_type}, comm);
}

int ineighbor_allgatherv(Call call, const void* send, MPI_Count send_count, MPI_Datatype send_type,
                         void* recv, const Numbers& recv_counts, const Numbers& recv_places,
                         MPI_Datatype recv_type, MPI_Comm comm, MPI_Request* request) {
  return nonblocking_move(call, kNeighborAllgatherv, {send, send_count, send_type},
                          {recv, recv_counts, recv_places, recv_type}, comm, request);
}

int neighbor_allgatherv_init(Call call, const void* send, MPI_Count send_count, MPI_Datatype send_type,
                             void* recv, const Numbers& recv_counts, const Numbers& recv_places,
                             MPI_Datatype recv_type, MPI_Comm comm, MPI_Info info, MPI_Request* request) {
  return persistent_move(call, kNeighborAllgatherv, {send, send_count, send_type},
                         {recv, recv_counts, recv_places, recv_type}, comm, info, request);
}

}  // namespace foldlane::api
