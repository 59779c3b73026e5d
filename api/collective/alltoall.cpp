// MPI_Alltoall, MPI_Alltoallv and MPI_Alltoallw, with their nonblocking and persistent forms.
#include "api/collective/move.hpp"
#include "api/collective/move_of_two.hpp"
#include "api/core/calls.hpp"

namespace foldlane::api {
namespace {

template <engine::Call kind>
struct Alltoall {
  /// In place, what comes from a member replaces what goes to it.
  template <class Form>
  void operator()(const Form& form, const Side& send, const Side& recv, MPI_Comm comm) const {
    Communicator& communicator = check_communicator(comm);
    if (move_between_two(form, kind, communicator, send, recv, 0, comm)) return;
    if (move_at_once(form, kind, communicator, send, recv)) return;
    if (move_lists_at_once(form, kind, communicator, send, recv, comm)) return;
    const Partners partners = partners_of(communicator);
    MoveCall call(kind, communicator);
    call.receives = check_blocks(recv, kReceives, partners, false);
    call.replaces = !communicator.is_inter && send.buffer == MPI_IN_PLACE;
    call.sends = call.replaces ? call.receives : check_blocks(send, kSends, partners, false);
    move(form, call, comm);
  }
};

constexpr Alltoall<engine::Call::alltoall> kAlltoall{};
constexpr Alltoall<engine::Call::alltoallv> kAlltoallv{};
constexpr Alltoall<engine::Call::alltoallw> kAlltoallw{};

}  // namespace

int alltoall(Call call, const void* send, MPI_Count send_count, MPI_Datatype send_type, void* recv,
             MPI_Count recv_count, MPI_Datatype recv_type, MPI_Comm comm) {
  return blocking_move(call, kAlltoall, {send, send_count, send_type}, {recv, recv_count, recv_type}, comm);
}

int ialltoall(Call call, const void* send, MPI_Count send_count, MPI_Datatype send_type, void* recv,
              MPI_Count recv_count, MPI_Datatype recv_type, MPI_Comm comm, MPI_Request* request) {
  return nonblocking_move(call, kAlltoall, {send, send_count, send_type}, {recv, recv_count, recv_type}, comm,
                          request);
}

int alltoall_init(Call call, const void* send, MPI_Count send_count, MPI_Datatype send_type, void* recv,
                  MPI_Count recv_count, MPI_Datatype recv_type, MPI_Comm comm, MPI_Info info,
                  MPI_Request* request) {
  return persistent_move(call, kAlltoall, {send, send_count, send_type}, {recv, recv_count, recv_type}, comm,
                         info, request);
}

int alltoallv(Call call, const void* send, const Numbers& send_counts, const Numbers& send_places,
              MPI_Datatype send_type, void* recv, const Numbers& recv_counts, const Numbers& recv_places,
              MPI_Datatype recv_type, MPI_Comm comm) {
  return blocking_move(call, kAlltoallv, {send, send_counts, send_places, send_type},
                       {recv, recv_counts, recv_places, recv_type}, comm);
}

int ialltoallv(Call call, const void* send, const Numbers& send_counts, const Numbers& send_places,
               MPI_Datatype send_type, void* recv, const Numbers& recv_counts, const Numbers& recv_places,
               MPI_Datatype recv_type, MPI_Comm comm, MPI_Request* request) {
  return nonblocking_move(call, kAlltoallv, {send, send_counts, send_places, send_type},
                          {recv, recv_counts, recv_places, recv_type}, comm, request);
}

int alltoallv_init(Call call, const void* send, const Numbers& send_counts, const Numbers& send_places,
                   MPI_Datatype send_type, void* recv, const Numbers& recv_counts, const Numbers& recv_places,
                   MPI_Datatype recv_type, MPI_Comm comm, MPI_Info info, MPI_Request* request) {
  return persistent_move(call, kAlltoallv, {send, send_counts, send_places, send_type},
                         {recv, recv_counts, recv_places, recv_type}, comm, info, request);
}

int alltoallw(Call call, const void* send, const Numbers& send_counts, const Numbers& send_places,
              const MPI_Datatype* send_types, void* recv, const Numbers& recv_counts,
              const Numbers& recv_places, const MPI_Datatype* recv_types, MPI_Comm comm) {
  return blocking_move(call, kAlltoallw, {send, send_counts, send_places, send_types},
                       {recv, recv_counts, recv_places, recv_types}, comm);
}

int ialltoallw(Call call, const void* send, const Numbers& send_counts, const Numbers& send_places,
               const MPI_Datatype* send_types, void* recv, const Numbers& recv_counts,
               const Numbers& recv_places, const MPI_Datatype* recv_types, MPI_Comm comm,
               MPI_Request* request) {
  return nonblocking_move(call, kAlltoallw, {send, send_counts, send_places, send_types},
                          {recv, recv_counts, recv_places, recv_types}, comm, request);
}

int alltoallw_init(Call call, const void* send, const Numbers& send_counts, const Numbers& send_places,
                   const MPI_Datatype* send_types, void* recv, const Numbers& recv_counts,
                   const Numbers& recv_places, const MPI_Datatype* recv_types, MPI_Comm comm, MPI_Info info,
                   MPI_Request* request) {
  return persistent_move(call, kAlltoallw, {send, send_counts, send_places, send_types},
                         {recv, recv_counts, recv_places, recv_types}, comm, info, request);
}

}  // namespace foldlane::api
