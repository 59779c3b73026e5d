// MPI_Scatter and MPI_Scatterv, with their nonblocking and persistent forms.
#include "api/collective/move.hpp"
#include "api/collective/move_of_two.hpp"
#include "api/collective/rooted.hpp"
#include "api/core/calls.hpp"

namespace foldlane::api {
namespace {

/// At the root all blocks begin; the others' sending arguments mean nothing.
template <engine::Call kind, class Form>
void scatter_as(const Form& form, const Side& send, const Side& recv, int root, MPI_Comm comm) {
  Communicator& communicator = check_communicator(comm);
  const RootedPart part = check_rooted_part(communicator, root);
  if (move_between_two(form, kind, communicator, send, recv, part.root, comm)) return;
  if (!part.is_root && move_as_leaf(form, kind, communicator, recv, part.root)) return;
  const bool in_place = part.is_root && !communicator.is_inter && recv.buffer == MPI_IN_PLACE;
  MoveCall call(kind, communicator);
  call.is_in_place = in_place;
  if (part.is_root) call.sends = check_blocks(send, kSends, partners_of(communicator), in_place);
  if (part.has_block && !in_place) call.receives = check_block(recv, kReceives, part.root);
  call.root = part.root;
  move(form, call, comm);
}

}  // namespace

int scatter(Call call, const void* send, MPI_Count send_count, MPI_Datatype send_type, void* recv,
            MPI_Count recv_count, MPI_Datatype recv_type, int root, MPI_Comm comm) {
  return run(call, comm, [&] {
    scatter_as<engine::Call::scatter>(Blocking(call, comm), {send, send_count, send_type},
                                      {recv, recv_count, recv_type}, root, comm);
  });
}

int iscatter(Call call, const void* send, MPI_Count send_count, MPI_Datatype send_type, void* recv,
             MPI_Count recv_count, MPI_Datatype recv_type, int root, MPI_Comm comm, MPI_Request* request) {
  return run_nonblocking(call, comm, request, [&](const auto& form) {
    scatter_as<engine::Call::scatter>(form, {send, send_count, send_type}, {recv, recv_count, recv_type},
                                      root, comm);
  });
}

int scatter_init(Call call, const void* send, MPI_Count send_count, MPI_Datatype send_type, void* recv,
                 MPI_Count recv_count, MPI_Datatype recv_type, int root, MPI_Comm comm, MPI_Info info,
                 MPI_Request* request) {
  return run_init(call, comm, info, request, [&](const auto& form) {
    scatter_as<engine::Call::scatter>(form, {send, send_count, send_type}, {recv, recv_count, recv_type},
                                      root, comm);
  });
}

int scatterv(Call call, const void* send, const Numbers& send_counts, const Numbers& send_places,
             MPI_Datatype send_type, void* recv, MPI_Count recv_count, MPI_Datatype recv_type, int root,
             MPI_Comm comm) {
  return run(call, comm, [&] {
    scatter_as<engine::Call::scatterv>(Blocking(call, comm), {send, send_counts, send_places, send_type},
                                       {recv, recv_count, recv_type}, root, comm);
  });
}

int iscatterv(Call call, const void* send, const Numbers& send_counts, const Numbers& send_places,
              MPI_Datatype send_type, void* recv, MPI_Count recv_count, MPI_Datatype recv_type, int root,
              MPI_Comm comm, MPI_Request* request) {
  return run_nonblocking(call, comm, request, [&](const auto& form) {
    scatter_as<engine::Call::scatterv>(form, {send, send_counts, send_places, send_type},
                                       {recv, recv_count, recv_type}, root, comm);
  });
}

int scatterv_init(Call call, const void* send, const Numbers& send_counts, const Numbers& send_places,
                  MPI_Datatype send_type, void* recv, MPI_Count recv_count, MPI_Datatype recv_type, int root,
                  MPI_Comm comm, MPI_Info info, MPI_Request* request) {
  return run_init(call, comm, info, request, [&](const auto& form) {
    scatter_as<engine::Call::scatterv>(form, {send, send_counts, send_places, send_type},
                                       {recv, recv_count, recv_type}, root, comm);
  });
}

}  // namespace foldlane::api
