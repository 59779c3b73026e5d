// MPI_Gather and MPI_Gatherv, with their nonblocking and persistent forms.
#include "api/collective/move.hpp"
#include "api/collective/move_of_two.hpp"
#include "api/collective/rooted.hpp"
#include "api/core/calls.hpp"

namespace foldlane::api {
namespace {

/// At the root all blocks come together; the others' receiving arguments mean nothing.
template <engine::Call kind, class Form>
void gather_as(const Form& form, const Side& send, const Side& recv, int root, MPI_Comm comm) {
  Communicator& communicator = check_communicator(comm);
  const RootedPart part = check_rooted_part(communicator, root);
  // First, of two, too: a leaf's own block is all that it needs.
  if (!part.is_root && move_as_leaf(form, kind, communicator, send, part.root)) return;
  if (move_between_two(form, kind, communicator, send, recv, part.root, comm)) return;
  const bool in_place = part.is_root && !communicator.is_inter && send.buffer == MPI_IN_PLACE;
  MoveCall call(kind, communicator);
  call.is_in_place = in_place;
  if (part.is_root) call.receives = check_blocks(recv, kReceives, partners_of(communicator), in_place);
  if (part.has_block && !in_place) call.sends = check_block(send, kSends, part.root);
  call.root = part.root;
  move(form, call, comm);
}

}  // namespace

int gather(Call call, const void* send, MPI_Count send_count, MPI_Datatype send_type, void* recv,
           MPI_Count recv_count, MPI_Datatype recv_type, int root, MPI_Comm comm) {
  return run(call, comm, [&] {
    gather_as<engine::Call::gather>(Blocking(call, comm), {send, send_count, send_type},
                                    {recv, recv_count, recv_type}, root, comm);
  });
}

int igather(Call call, const void* send, MPI_Count send_count, MPI_Datatype send_type, void* recv,
            MPI_Count recv_count, MPI_Datatype recv_type, int root, MPI_Comm comm, MPI_Request* request) {
  return run_nonblocking(call, comm, request, [&](const auto& form) {
    gather_as<engine::Call::gather>(form, {send, send_count, send_type}, {recv, recv_count, recv_type}, root,
                                    comm);
  });
}

int gather_init(Call call, const void* send, MPI_Count send_count, MPI_Datatype send_type, void* recv,
                MPI_Count recv_count, MPI_Datatype recv_type, int root, MPI_Comm comm, MPI_Info info,
                MPI_Request* request) {
  return run_init(call, comm, info, request, [&](const auto& form) {
    gather_as<engine::Call::gather>(form, {send, send_count, send_type}, {recv, recv_count, recv_type}, root,
                                    comm);
  });
}

int gatherv(Call call, const void* send, MPI_Count send_count, MPI_Datatype send_type, void* recv,
            const Numbers& recv_counts, const Numbers& recv_places, MPI_Datatype recv_type, int root,
            MPI_Comm comm) {
  return run(call, comm, [&] {
    gather_as<engine::Call::gatherv>(Blocking(call, comm), {send, send_count, send_type},
                                     {recv, recv_counts, recv_places, recv_type}, root, comm);
  });
}

int igatherv(Call call, const void* send, MPI_Count send_count, MPI_Datatype send_type, void* recv,
             const Numbers& recv_counts, const Numbers& recv_places, MPI_Datatype recv_type, int root,
             MPI_Comm comm, MPI_Request* request) {
  return run_nonblocking(call, comm, request, [&](const auto& form) {
    gather_as<engine::Call::gatherv>(form, {send, send_count, send_type},
                                     {recv, recv_counts, recv_places, recv_type}, root, comm);
  });
}

int gatherv_init(Call call, const void* send, MPI_Count send_count, MPI_Datatype send_type, void* recv,
                 const Numbers& recv_counts, const Numbers& recv_places, MPI_Datatype recv_type, int root,
                 MPI_Comm comm, MPI_Info info, MPI_Request* request) {
  return run_init(call, comm, info, request, [&](const auto& form) {
    gather_as<engine::Call::gatherv>(form, {send, send_count, send_type},
                                     {recv, recv_counts, recv_places, recv_type}, root, comm);
  });
}

}  // namespace foldlane::api
