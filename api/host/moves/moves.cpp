// Calls that only move data. Members may pass different counts and datatypes, and MPI_IN_PLACE. What all of
// them know alike is the communicator, and of blocks of one size their bytes: no decision goes by anything
// else.
#include <cstdint>
#include <limits>

#include "api/host/made_call.hpp"
#include "api/host/moves/move.hpp"
#include "api/host/moves/straight_moves.hpp"
#include "engine/collectives/collectives.hpp"
#include "engine/collectives/pair_arguments.hpp"

namespace foldlane::host {
namespace {

using engine::BlockCounts;
using engine::Call;
using engine::Team;

/// Over several nodes. `straight` has the host carry what crosses, block by block.
template <class Straight, class Original>
[[gnu::noinline]] int move_across(const Made& made, Call call, AcrossNodes& nodes, const Side& send,
                                  const Side& recv, int root, const Straight& straight,
                                  const Original& original) {
  if (call == Call::alltoallv || call == Call::alltoallw) return original(Reason::straight);
  if (root < 0 || root >= nodes.size()) return original(Reason::arguments);
  Move part(made, {call, nodes.rank(), nodes.size(), root}, send, recv);
  if (!part.is_valid()) return original(Reason::arguments);
  if (!part.goes_across(nodes)) return straight(nodes, part);
  return run(made, nodes, part.bytes(), [&] { return part.perform(nodes); });
}

Move::Result perform(const engine::PairArguments& arguments, Communicator& communicator) {
  Team& team = *communicator.team;
  if (!arguments.are_long()) return engine::move_at_once(team, arguments);
  const engine::Mail mail{&the->messenger(), the->communicators().channel_of(communicator)};
  return engine::move_long_at_once(team, arguments, mail);
}

/// `original` has the host do it.
template <class Straight, class Original>
int move(const Made& made, Call call, const Side& send, const Side& recv, int root, const Straight& straight,
         const Original& original) {
  Communicator& communicator = the->communicators().enter(made.comm);
  Team* const team = communicator.team;
  if (communicator.across != nullptr)
    return move_across(made, call, *communicator.across, send, recv, root, straight, original);
  if (team == nullptr) return original(communicator.reason);
  if (root < 0 || root >= team->size()) return original(Reason::arguments);
  if (team->size() == 2) {
    const engine::PairArguments arguments(call, *team, UsualSide(send), UsualSide(recv), root);
    if (arguments.are_usual())
      return run(made, *team, arguments.bytes(), [&] { return perform(arguments, communicator); });
  }
  Move part(made, {call, team->rank(), team->size(), root}, send, recv);
  if (!part.is_valid()) return original(Reason::arguments);
  return run(made, *team, part.bytes(),
             [&] { return part.perform(*team, the->communicators().channel_of(communicator)); });
}

template <class Count>
Side equal_blocks(const void* buffer, Count count, Handle type) {
  return {const_cast<void*>(buffer), BlockCounts::equal(count), type};
}
template <class Count, class Place>
Side list(const void* buffer, const Count* counts, const Place* places, Handle type) {
  return {const_cast<void*>(buffer), BlockCounts(counts), type, BlockCounts(places)};
}
template <class Count, class Place>
Side typed_list(const void* buffer, const Count* counts, const Place* places, const void* types) {
  return {const_cast<void*>(buffer), BlockCounts(counts), 0, BlockCounts(places), types};
}

/// Blocks for or from all, of which the host moves each by itself anyway.
template <class Original>
int move_between_all(const Made& made, Call call, const Side& send, const Side& recv,
                     const Original& original) {
  const auto straight = [&](AcrossNodes&, const Move&) { return original(Reason::straight); };
  return move(made, call, send, recv, 0, straight, original);
}

/// `list_call` is the host's call with lists, whose places must be able to tell where blocks of one size lie.
template <foldlane_call list_call, Call call, class Count, class Place, class Original>
int move_rooted(const Made& made, const Side& send, const Side& recv, int root, Handle comm,
                const Original& original) {
  constexpr bool kGathers = call == Call::gather || call == Call::gatherv;
  constexpr Call kLists = kGathers ? Call::gatherv : Call::scatterv;
  const auto straight = [&](AcrossNodes& nodes, const Move& part) {
    constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<Place>::max());
    if (call != kLists && part.block_bytes() > kMost / static_cast<std::uint64_t>(nodes.size()))
      return original(Reason::straight);
    the->note_from_other_nodes(part.bytes_from_other_nodes(nodes));
    return run(made, nodes, part.bytes(), [&] {
      return move_straight<list_call, kLists, Count, Place>(made, nodes, kGathers ? send : recv,
                                                            kGathers ? recv : send, root, comm);
    });
  };
  return move(made, call, send, recv, root, straight, original);
}

/// MPI_Gather, MPI_Scatter.
template <foldlane_call number, foldlane_call list_call, Call call, class Count, class Place>
int rooted(const void* send, Count send_count, Handle send_type, void* recv, Count recv_count,
           Handle recv_type, int root, Handle comm) {
  const Made made{number, the->host().handle(comm)};
  return move_rooted<list_call, call, Count, Place>(
      made, equal_blocks(send, send_count, send_type), equal_blocks(recv, recv_count, recv_type), root, comm,
      [&](Reason reason) {
        return pass_on(made, reason, send, send_count, send_type, recv, recv_count, recv_type, root, comm);
      });
}

template <foldlane_call number, class Count, class Place>
int gatherv(const void* send, Count send_count, Handle send_type, void* recv, const Count* recv_counts,
            const Place* recv_places, Handle recv_type, int root, Handle comm) {
  const Made made{number, the->host().handle(comm)};
  return move_rooted<number, Call::gatherv, Count, Place>(
      made, equal_blocks(send, send_count, send_type), list(recv, recv_counts, recv_places, recv_type), root,
      comm, [&](Reason reason) {
        return pass_on(made, reason, send, send_count, send_type, recv, recv_counts, recv_places, recv_type,
                       root, comm);
      });
}

template <foldlane_call number, class Count, class Place>
int scatterv(const void* send, const Count* send_counts, const Place* send_places, Handle send_type,
             void* recv, Count recv_count, Handle recv_type, int root, Handle comm) {
  const Made made{number, the->host().handle(comm)};
  return move_rooted<number, Call::scatterv, Count, Place>(
      made, list(send, send_counts, send_places, send_type), equal_blocks(recv, recv_count, recv_type), root,
      comm, [&](Reason reason) {
        return pass_on(made, reason, send, send_counts, send_places, send_type, recv, recv_count, recv_type,
                       root, comm);
      });
}

/// MPI_Allgather, MPI_Alltoall.
template <foldlane_call number, Call call, class Count>
int between_all(const void* send, Count send_count, Handle send_type, void* recv, Count recv_count,
                Handle recv_type, Handle comm) {
  const Made made{number, the->host().handle(comm)};
  return move_between_all(made, call, equal_blocks(send, send_count, send_type),
                          equal_blocks(recv, recv_count, recv_type), [&](Reason reason) {
                            return pass_on(made, reason, send, send_count, send_type, recv, recv_count,
                                           recv_type, comm);
                          });
}

template <foldlane_call number, class Count, class Place>
int allgatherv(const void* send, Count send_count, Handle send_type, void* recv, const Count* recv_counts,
               const Place* recv_places, Handle recv_type, Handle comm) {
  const Made made{number, the->host().handle(comm)};
  return move_between_all(made, Call::allgatherv, equal_blocks(send, send_count, send_type),
                          list(recv, recv_counts, recv_places, recv_type), [&](Reason reason) {
                            return pass_on(made, reason, send, send_count, send_type, recv, recv_counts,
                                           recv_places, recv_type, comm);
                          });
}

template <foldlane_call number, class Count, class Place>
int alltoallv(const void* send, const Count* send_counts, const Place* send_places, Handle send_type,
              void* recv, const Count* recv_counts, const Place* recv_places, Handle recv_type, Handle comm) {
  const Made made{number, the->host().handle(comm)};
  return move_between_all(made, Call::alltoallv, list(send, send_counts, send_places, send_type),
                          list(recv, recv_counts, recv_places, recv_type), [&](Reason reason) {
                            return pass_on(made, reason, send, send_counts, send_places, send_type, recv,
                                           recv_counts, recv_places, recv_type, comm);
                          });
}

template <foldlane_call number, class Count, class Place>
int alltoallw(const void* send, const Count* send_counts, const Place* send_places, const void* send_types,
              void* recv, const Count* recv_counts, const Place* recv_places, const void* recv_types,
              Handle comm) {
  const Made made{number, the->host().handle(comm)};
  return move_between_all(made, Call::alltoallw, typed_list(send, send_counts, send_places, send_types),
                          typed_list(recv, recv_counts, recv_places, recv_types), [&](Reason reason) {
                            return pass_on(made, reason, send, send_counts, send_places, send_types, recv,
                                           recv_counts, recv_places, recv_types, comm);
                          });
}

}  // namespace

void take_moves(foldlane_function* calls) {
  using Large = std::int64_t;
  calls[FOLDLANE_Gather] = any(rooted<FOLDLANE_Gather, FOLDLANE_Gatherv, Call::gather, int, int>);
  calls[FOLDLANE_Gather_c] = any(rooted<FOLDLANE_Gather_c, FOLDLANE_Gatherv_c, Call::gather, Large, Large>);
  calls[FOLDLANE_Gatherv] = any(gatherv<FOLDLANE_Gatherv, int, int>);
  calls[FOLDLANE_Gatherv_c] = any(gatherv<FOLDLANE_Gatherv_c, Large, Large>);
  calls[FOLDLANE_Scatter] = any(rooted<FOLDLANE_Scatter, FOLDLANE_Scatterv, Call::scatter, int, int>);
  calls[FOLDLANE_Scatter_c] =
      any(rooted<FOLDLANE_Scatter_c, FOLDLANE_Scatterv_c, Call::scatter, Large, Large>);
  calls[FOLDLANE_Scatterv] = any(scatterv<FOLDLANE_Scatterv, int, int>);
  calls[FOLDLANE_Scatterv_c] = any(scatterv<FOLDLANE_Scatterv_c, Large, Large>);
  calls[FOLDLANE_Allgather] = any(between_all<FOLDLANE_Allgather, Call::allgather, int>);
  calls[FOLDLANE_Allgather_c] = any(between_all<FOLDLANE_Allgather_c, Call::allgather, Large>);
  calls[FOLDLANE_Allgatherv] = any(allgatherv<FOLDLANE_Allgatherv, int, int>);
  calls[FOLDLANE_Allgatherv_c] = any(allgatherv<FOLDLANE_Allgatherv_c, Large, Large>);
  calls[FOLDLANE_Alltoall] = any(between_all<FOLDLANE_Alltoall, Call::alltoall, int>);
  calls[FOLDLANE_Alltoall_c] = any(between_all<FOLDLANE_Alltoall_c, Call::alltoall, Large>);
  calls[FOLDLANE_Alltoallv] = any(alltoallv<FOLDLANE_Alltoallv, int, int>);
  calls[FOLDLANE_Alltoallv_c] = any(alltoallv<FOLDLANE_Alltoallv_c, Large, Large>);
  calls[FOLDLANE_Alltoallw] = any(alltoallw<FOLDLANE_Alltoallw, int, int>);
  calls[FOLDLANE_Alltoallw_c] = any(alltoallw<FOLDLANE_Alltoallw_c, Large, Large>);
}

}  // namespace foldlane::host
