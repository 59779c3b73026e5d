// Each of the nine calls, and of the five among neighbours, in each of its six forms.
#include "part.hpp"

namespace foldlane::moves {
namespace {

#define ARGUMENTS(...) __VA_ARGS__
#define IN_FORM(NAME, Name, suffix, arguments)                             \
  switch (move.form) {                                                     \
    case Form::blocking:                                                   \
      MPI_##NAME##suffix(arguments, comm);                                 \
      return;                                                              \
    case Form::nonblocking:                                                \
      MPI_I##Name##suffix(arguments, comm, &request);                      \
      return;                                                              \
    case Form::persistent:                                                 \
      MPI_##NAME##_init##suffix(arguments, comm, MPI_INFO_NULL, &request); \
  }

#define BLOCK(side) side.count(), side.type()
#define BLOCKS(side) side.counts(), side.places(), side.type()
#define BLOCKS_AND_TYPES(side) side.counts(), side.places(), side.types()
#define NEIGHBOURS_AND_TYPES(side) side.counts(), side.large_places(), side.types()
#define LARGE_BLOCKS(side) side.large_counts(), side.large_places(), side.type()
#define LARGE_BLOCKS_AND_TYPES(side) side.large_counts(), side.large_places(), side.types()

#define CALL(NAME, Name, in, out, ...)                                                                     \
  void call_##Name(const Move& move, MPI_Comm comm, int root, const void* send, const Side& s, void* recv, \
                   const Side& r, MPI_Request& request) {                                                  \
    (void)root;                                                                                            \
    if (move.large_counts) {                                                                               \
      IN_FORM(NAME, Name, _c, ARGUMENTS(send, LARGE_##in(s), recv, LARGE_##out(r) __VA_ARGS__))            \
    } else {                                                                                               \
      IN_FORM(NAME, Name, , ARGUMENTS(send, in(s), recv, out(r) __VA_ARGS__))                              \
    }                                                                                                      \
  }
#define LARGE_BLOCK BLOCK
#define LARGE_NEIGHBOURS_AND_TYPES LARGE_BLOCKS_AND_TYPES
#define AND_ROOT , root

CALL(Gather, gather, BLOCK, BLOCK, AND_ROOT)
CALL(Gatherv, gatherv, BLOCK, BLOCKS, AND_ROOT)
CALL(Scatter, scatter, BLOCK, BLOCK, AND_ROOT)
CALL(Scatterv, scatterv, BLOCKS, BLOCK, AND_ROOT)
CALL(Allgather, allgather, BLOCK, BLOCK)
CALL(Allgatherv, allgatherv, BLOCK, BLOCKS)
CALL(Alltoall, alltoall, BLOCK, BLOCK)
CALL(Alltoallv, alltoallv, BLOCKS, BLOCKS)
CALL(Alltoallw, alltoallw, BLOCKS_AND_TYPES, BLOCKS_AND_TYPES)
CALL(Neighbor_allgather, neighbor_allgather, BLOCK, BLOCK)
CALL(Neighbor_allgatherv, neighbor_allgatherv, BLOCK, BLOCKS)
CALL(Neighbor_alltoall, neighbor_alltoall, BLOCK, BLOCK)
CALL(Neighbor_alltoallv, neighbor_alltoallv, BLOCKS, BLOCKS)
CALL(Neighbor_alltoallw, neighbor_alltoallw, NEIGHBOURS_AND_TYPES, NEIGHBOURS_AND_TYPES)

using Starter = void (*)(const Move&, MPI_Comm, int, const void*, const Side&, void*, const Side&,
                         MPI_Request&);
constexpr Starter kStarters[] = {call_gather,   call_gatherv,   call_scatter,
                                 call_scatterv, call_allgather, call_allgatherv,
                                 call_alltoall, call_alltoallv, call_alltoallw};
/// From allgather on.
constexpr Starter kStartersAmongNeighbours[] = {call_neighbor_allgather, call_neighbor_allgatherv,
                                                call_neighbor_alltoall, call_neighbor_alltoallv,
                                                call_neighbor_alltoallw};

Starter starter_of(const Move& move) {
  const auto call = static_cast<std::size_t>(move.call);
  if (!move.among_neighbours) return kStarters[call];
  return kStartersAmongNeighbours[call - static_cast<std::size_t>(Call::allgather)];
}

}  // namespace

MPI_Request start(const Move& move, MPI_Comm comm, int root, const void* send, const Side& sent, void* recv,
                  const Side& received) {
  MPI_Request request = MPI_REQUEST_NULL;
  starter_of(move)(move, comm, root, send, sent, recv, received, request);
  return request;
}

}  // namespace foldlane::moves
