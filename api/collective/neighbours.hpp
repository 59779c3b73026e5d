// A neighbourhood collective, from its checked arguments to its form.
#pragma once

#include <mpi.h>

#include "api/collective/blocks.hpp"
#include "api/collective/form.hpp"
#include "api/collective/move.hpp"
#include "api/collective/move_of_two.hpp"
#include "api/objects/communicator.hpp"

namespace foldlane::api {

/// The blocks of a buffer that a rank's neighbours give or get, in the order in which they are matched.
class NeighbourBlocks final : public TypedBlocks {
 public:
  NeighbourBlocks(const BufferBlocks& blocks, const engine::NeighbourSide& side)
      : blocks_(blocks), side_(side) {}

  int count() const noexcept override { return side_.count(); }
  const Datatype& type_of(int i) const noexcept override { return blocks_.type_of(side_.at(i).block); }

 private:
  engine::Block block_at(int i) const noexcept override;

  const BufferBlocks& blocks_;
  engine::NeighbourSide side_;
};

struct NeighbourCall {
  NeighbourCall(engine::Call which, MPI_Comm on);

  engine::Call call;
  Communicator& communicator;
  const Topology& topology;  // throws MPI_ERR_TOPOLOGY if there is none
  const Neighbourhood& neighbourhood;
  BufferBlocks sends{};
  BufferBlocks receives{};

  /// How many blocks this rank shows its neighbours: 0 if these do not know, or if it has none.
  std::uint32_t shown_blocks() const noexcept;
  /// What it gives to whom, and what it takes from whom.
  engine::NeighbourSide given() const noexcept { return side_of(neighbourhood.destinations); }
  engine::NeighbourSide taken() const noexcept { return side_of(neighbourhood.sources); }
  /// The first block with bytes of an edge that this rank alone has, if there is one.
  engine::OneSidedBlock one_sided_block() const noexcept;

 private:
  engine::NeighbourSide side_of(const Neighbourhood::Side& side) const noexcept {
    return {side.neighbours, !engine::moves_one_to_all(call)};
  }
};

/// For the check of a buffer: a block for each of its neighbours.
inline Partners partners_of(const Neighbourhood::Side& side) noexcept { return {0, side.blocks, -1}; }

/// Whether all blocks of a call have one size.
inline bool moves_equal(engine::Call call) noexcept {
  return call == engine::Call::neighbor_allgather || call == engine::Call::neighbor_alltoall;
}

/// A blocking call of short dense blocks, whose arguments would take longer than their way. False: it does as
/// others; what is not as usual, mistakes included, is found there.
template <class Form>
bool move_short_blocks(const Form& form, const NeighbourCall& call, const Side& send, const Side& recv) {
  if constexpr (Form::kBlocks) {
    engine::Team& team = *call.communicator.team;
    const UsualSide from(send), to(recv);
    const std::uint32_t most_shown = call.topology.most_shown;
    const bool is_usual = most_shown > 0 && recorder == nullptr && moves_equal(call.call);
    const std::uint64_t bytes = is_usual ? from.block_bytes() : 0;
    const bool is_one_for_all = engine::moves_one_to_all(call.call);
    if (bytes == 0 || bytes != to.block_bytes()) return false;
    if (!engine::fit_lines(team, bytes, is_one_for_all ? 1 : most_shown)) return false;
    const int given_blocks = is_one_for_all ? 1 : call.neighbourhood.destinations.blocks;
    const int taken_blocks = call.neighbourhood.sources.blocks;
    const engine::UserBuffer all_given{from.start(), bytes * static_cast<std::uint64_t>(given_blocks)},
        all_taken{to.start(), bytes * static_cast<std::uint64_t>(taken_blocks)};
    if (!all_given.is_apart_from(all_taken)) return false;
    const engine::NeighbourRow sends{call.given(), from.start(), bytes, is_one_for_all ? 0 : bytes};
    const engine::NeighbourRow receives{call.taken(), to.start(), bytes, bytes};
    form.among_neighbours(team, call.call, {&sends, &receives, bytes, call.shown_blocks()});
    return true;
  }
  return false;
}

template <class Form>
void move(const Form& form, const NeighbourCall& call, MPI_Comm comm) {
  check_disjoint(call.sends.start(), call.sends.span_bytes(), call.receives.start(),
                 call.receives.span_bytes());
  const NeighbourBlocks sends(call.sends, call.given());
  const NeighbourBlocks receives(call.receives, call.taken());
  engine::Movement movement = movement_on(call.communicator, comm, sends, receives);
  movement.shown_blocks = call.shown_blocks();
  if (call.topology.has_one_sided()) movement.one_sided = call.one_sided_block();
  movement.block_bytes = call.sends.block_bytes();
  form(*call.communicator.team, describe(call.call, movement),
       [&] { return Kept{.movement = &movement, .sends = &sends, .receives = &receives}; });
}

}  // namespace foldlane::api
