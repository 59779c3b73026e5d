// Calls that only move data. Members may pass different counts and datatypes, and MPI_IN_PLACE. What all of
// them know alike is the communicator, and of blocks of one size their bytes: no decision goes by anything
// else.
#include "api/host/blocks.hpp"
#include "api/host/made_call.hpp"
#include "engine/collectives/collectives.hpp"
#include "engine/collectives/pair_arguments.hpp"
#include "engine/collectives/verdict.hpp"
#include "engine/moves/roles.hpp"
#include "engine/moves/wrong_length.hpp"

namespace foldlane::host {
namespace {

using engine::BlockCounts;
using engine::Call;
using engine::Team;
using Result = shm::Result<void>;

/// A member's part in such a call, from its arguments on.
class Move {
 public:
  /// The sides must outlive it.
  Move(const Made& made, Call call, Team& team, const Side& send, const Side& recv, int root);

  /// Or else the host judges the arguments.
  bool is_valid() const noexcept { return sends_.are_valid() && receives_.are_valid(); }
  /// Of this member's input.
  std::uint64_t bytes() const noexcept;
  Result perform(engine::Channel* channel);

 private:
  /// What comes from a member takes the place of what goes to it.
  bool replaces() const noexcept { return in_place_ && engine::gives_block_for_each(call_) && takes_; }
  bool has_other_length_for_itself();
  void pack();
  Result exchange(engine::Channel* channel);

  Call call_;
  Team& team_;
  int root_;
  bool takes_;
  bool has_own_;  // a block that this member gives itself
  bool in_place_;
  HostBlocks sends_;
  HostBlocks receives_;
};

Move::Move(const Made& made, Call call, Team& team, const Side& send, const Side& recv, int root)
    : call_(call), team_(team), root_(root) {
  const int rank = team.rank(), size = team.size();
  const bool rooted = engine::moves_from_or_to_root(call), is_root = rank == root;
  const bool gives = engine::gives_in(call, is_root);
  takes_ = engine::takes_in(call, is_root);
  has_own_ = !rooted || is_root;
  in_place_ = has_own_ && (takes_ ? send.buffer : recv.buffer) == the->host().constants().in_place;
  const int other = rooted ? root : rank;
  if (in_place_ ? !takes_ : gives || has_own_)
    sends_ = engine::gives_block_for_each(call) ? HostBlocks(made, send, 0, size)
                                                : HostBlocks(made, send, other, 1);
  if (in_place_ ? takes_ : takes_ || has_own_)
    receives_ = engine::takes_block_of_each(call) ? HostBlocks(made, recv, 0, size)
                                                  : HostBlocks(made, recv, other, 1);
}

std::uint64_t Move::bytes() const noexcept {
  if (replaces()) return receives_.bytes();
  return in_place_ && takes_ ? receives_.bytes_for(team_.rank()) : sends_.bytes();
}

Result Move::perform(engine::Channel* channel) {
  sends_.make_room();
  receives_.make_room();
  if (has_other_length_for_itself()) return engine::failure_of(team_);
  pack();
  Result done = exchange(channel);
  if (done.ok()) receives_.unpack();
  return done;
}

bool Move::has_other_length_for_itself() {
  if (!has_own_ || in_place_) return false;
  const int rank = team_.rank();
  const std::uint64_t sent = sends_.bytes_for(rank), expected = receives_.bytes_for(rank);
  if (sent == expected) return false;
  team_.agreement().give_up(engine::wrong_length(rank, rank, sent, expected));
  return true;
}

void Move::pack() {
  sends_.pack();
  if (in_place_ && takes_) receives_.pack();
}

Result Move::exchange(engine::Channel* channel) {
  const int rank = team_.rank(), size = team_.size();
  const HostBlocks& own_side = in_place_ ? receives_ : sends_;
  const OneForAll one_for_all(own_side.block_for(rank), size, in_place_ ? rank : -1);
  engine::Movement movement{
      .messenger = &the->messenger(), .channel = channel, .sends = &sends_, .receives = &receives_};
  if (replaces()) movement.sends = &receives_;
  if (engine::moves_one_to_all(call_)) movement.sends = &one_for_all;
  movement.first = engine::moves_from_or_to_root(call_) ? 0 : (rank + 1) % size;
  movement.replaces = replaces();
  if (engine::moves_equal_blocks(call_))
    movement.block_bytes = (sends_.count() > 0 ? sends_ : receives_).block_bytes();
  if (in_place_ && !movement.replaces) {
    sends_.skip(rank);
    receives_.skip(rank);
  }
  return engine::perform(team_, {.call = call_, .root = root_, .movement = &movement});
}

/// `original` has the host do it.
template <class Original>
int move(const Made& made, Call call, const Side& send, const Side& recv, int root,
         const Original& original) {
  Communicator& communicator = the->communicators().enter(made.comm);
  Team* const team = communicator.team;
  if (team == nullptr) return original(communicator.reason);
  if (root < 0 || root >= team->size()) return original(Reason::arguments);
  if (team->size() == 2) {
    const engine::PairArguments arguments(call, *team, UsualSide(send), UsualSide(recv), root);
    if (arguments.are_usual())
      return run(made, *team, arguments.bytes(),
                 [&] { return engine::move_at_once(*team, arguments.describe()); });
  }
  Move part(made, call, *team, send, recv, root);
  if (!part.is_valid()) return original(Reason::arguments);
  return run(made, *team, part.bytes(),
             [&] { return part.perform(the->communicators().channel_of(communicator)); });
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

/// MPI_Gather, MPI_Scatter.
template <foldlane_call number, Call call, class Count>
int rooted(const void* send, Count send_count, Handle send_type, void* recv, Count recv_count,
           Handle recv_type, int root, Handle comm) {
  const Made made{number, the->host().handle(comm)};
  return move(made, call, equal_blocks(send, send_count, send_type),
              equal_blocks(recv, recv_count, recv_type), root, [&](Reason reason) {
                return pass_on(made, reason, send, send_count, send_type, recv, recv_count, recv_type, root,
                               comm);
              });
}

template <foldlane_call number, class Count, class Place>
int gatherv(const void* send, Count send_count, Handle send_type, void* recv, const Count* recv_counts,
            const Place* recv_places, Handle recv_type, int root, Handle comm) {
  const Made made{number, the->host().handle(comm)};
  return move(made, Call::gatherv, equal_blocks(send, send_count, send_type),
              list(recv, recv_counts, recv_places, recv_type), root, [&](Reason reason) {
                return pass_on(made, reason, send, send_count, send_type, recv, recv_counts, recv_places,
                               recv_type, root, comm);
              });
}

template <foldlane_call number, class Count, class Place>
int scatterv(const void* send, const Count* send_counts, const Place* send_places, Handle send_type,
             void* recv, Count recv_count, Handle recv_type, int root, Handle comm) {
  const Made made{number, the->host().handle(comm)};
  return move(made, Call::scatterv, list(send, send_counts, send_places, send_type),
              equal_blocks(recv, recv_count, recv_type), root, [&](Reason reason) {
                return pass_on(made, reason, send, send_counts, send_places, send_type, recv, recv_count,
                               recv_type, root, comm);
              });
}

/// MPI_Allgather, MPI_Alltoall.
template <foldlane_call number, Call call, class Count>
int between_all(const void* send, Count send_count, Handle send_type, void* recv, Count recv_count,
                Handle recv_type, Handle comm) {
  const Made made{number, the->host().handle(comm)};
  return move(made, call, equal_blocks(send, send_count, send_type),
              equal_blocks(recv, recv_count, recv_type), 0, [&](Reason reason) {
                return pass_on(made, reason, send, send_count, send_type, recv, recv_count, recv_type, comm);
              });
}

template <foldlane_call number, class Count, class Place>
int allgatherv(const void* send, Count send_count, Handle send_type, void* recv, const Count* recv_counts,
               const Place* recv_places, Handle recv_type, Handle comm) {
  const Made made{number, the->host().handle(comm)};
  return move(made, Call::allgatherv, equal_blocks(send, send_count, send_type),
              list(recv, recv_counts, recv_places, recv_type), 0, [&](Reason reason) {
                return pass_on(made, reason, send, send_count, send_type, recv, recv_counts, recv_places,
                               recv_type, comm);
              });
}

template <foldlane_call number, class Count, class Place>
int alltoallv(const void* send, const Count* send_counts, const Place* send_places, Handle send_type,
              void* recv, const Count* recv_counts, const Place* recv_places, Handle recv_type, Handle comm) {
  const Made made{number, the->host().handle(comm)};
  return move(made, Call::alltoallv, list(send, send_counts, send_places, send_type),
              list(recv, recv_counts, recv_places, recv_type), 0, [&](Reason reason) {
                return pass_on(made, reason, send, send_counts, send_places, send_type, recv, recv_counts,
                               recv_places, recv_type, comm);
              });
}

template <foldlane_call number, class Count, class Place>
int alltoallw(const void* send, const Count* send_counts, const Place* send_places, const void* send_types,
              void* recv, const Count* recv_counts, const Place* recv_places, const void* recv_types,
              Handle comm) {
  const Made made{number, the->host().handle(comm)};
  return move(made, Call::alltoallw, typed_list(send, send_counts, send_places, send_types),
              typed_list(recv, recv_counts, recv_places, recv_types), 0, [&](Reason reason) {
                return pass_on(made, reason, send, send_counts, send_places, send_types, recv, recv_counts,
                               recv_places, recv_types, comm);
              });
}

}  // namespace

void take_moves(foldlane_function* calls) {
  using Large = std::int64_t;
  calls[FOLDLANE_Gather] = any(rooted<FOLDLANE_Gather, Call::gather, int>);
  calls[FOLDLANE_Gather_c] = any(rooted<FOLDLANE_Gather_c, Call::gather, Large>);
  calls[FOLDLANE_Gatherv] = any(gatherv<FOLDLANE_Gatherv, int, int>);
  calls[FOLDLANE_Gatherv_c] = any(gatherv<FOLDLANE_Gatherv_c, Large, Large>);
  calls[FOLDLANE_Scatter] = any(rooted<FOLDLANE_Scatter, Call::scatter, int>);
  calls[FOLDLANE_Scatter_c] = any(rooted<FOLDLANE_Scatter_c, Call::scatter, Large>);
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
