// MPI_Allgather and MPI_Allgatherv, with their nonblocking and persistent forms.
#include "api/collective/move.hpp"
#include "api/collective/move_of_two.hpp"
#include "api/core/calls.hpp"

namespace foldlane::api {
namespace {

template <engine::Call kind>
struct Allgather {
  /// In place, what a member gives is its block of what it gets.
  template <class Form>
  void operator()(const Form& form, const Side& send, const Side& recv, MPI_Comm comm) const {
    Communicator& communicator = check_communicator(comm);
    if (move_between_two(form, kind, communicator, send, recv, 0, comm)) return;
    if (move_at_once(form, kind, communicator, send, recv)) return;
    if (move_lists_at_once(form, kind, communicator, send, recv, comm)) return;
    const bool in_place = !communicator.is_inter && send.buffer == MPI_IN_PLACE;
    const Partners partners = partners_of(communicator);
    MoveCall call(kind, communicator);
    call.is_in_place = in_place;
    call.receives = check_blocks(recv, kReceives, partners, in_place);
    call.sends =
        in_place ? call.receives.one_for_all(partners.own) : check_block_for_all(send, kSends, partners);
    move(form, call, comm);
  }
};

constexpr Allgather<engine::Call::allgather> kAllgather{};
constexpr Allgather<engine::Call::allgatherv> kAllgatherv{};

}  // namespace

int allgather(Call call, const void* send, MPI_Count send_count, MPI_Datatype send_type, void* recv,
              MPI_Count recv_count, MPI_Datatype recv_type, MPI_Comm comm) {
  return blocking_move(call, kAllgather, {send, send_count, send_type}, {recv, recv_count, recv_type}, comm);
}

int iallgather(Call call, const void* send, MPI_Count send_count, MPI_Datatype send_type, void* recv,
               MPI_Count recv_count, MPI_Datatype recv_type, MPI_Comm comm, MPI_Request* request) {
  return nonblocking_move(call, kAllgather, {send, send_count, send_type}, {recv, recv_count, recv_type},
                          comm, request);
}

int allgather_init(Call call, const void* send, MPI_Count send_count, MPI_Datatype send_type, void* recv,
                   MPI_Count recv_count, MPI_Datatype recv_type, MPI_Comm comm, MPI_Info info,
                   MPI_Request* request) {
  return persistent_move(call, kAllgather, {send, send_count, send_type}, {recv, recv_count, recv_type}, comm,
                         info, request);
}

int allgatherv(Call call, const void* send, MPI_Count send_count, MPI_Datatype send_type, void* recv,
               const Numbers& recv_counts, const Numbers& recv_places, MPI_Datatype recv_type,
               MPI_Comm comm) {
  return blocking_move(call, kAllgatherv, {send, send_count, send_type},
                       {recv, recv_counts, recv_places, recv_type}, comm);
}

int iallgatherv(Call call, const void* send, MPI_Count send_count, MPI_Datatype send_type, void* recv,
                const Numbers& recv_counts, const Numbers& recv_places, MPI_Datatype recv_type, MPI_Comm comm,
                MPI_Request* request) {
  return nonblocking_move(call, kAllgatherv, {send, send_count, send_type},
                          {recv, recv_counts, recv_places, recv_type}, comm, request);
}

int allgatherv_init(Call call, const void* send, MPI_Count send_count, MPI_Datatype send_type, void* recv,
                    const Numbers& recv_counts, const Numbers& recv_places, MPI_Datatype recv_type,
                    MPI_Comm comm, MPI_Info info, MPI_Request* request) {
  return persistent_move(call, kAllgatherv, {send, send_count, send_type},
                         {recv, recv_counts, recv_places, recv_type}, comm, info, request);
}

}  // namespace foldlane::api
