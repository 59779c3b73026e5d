// A neighbourhood collective, from its checked arguments to its form.
#pragma once

#include <mpi.h>

#include <span>

#include "api/collective/blocks.hpp"
#include "api/collective/form.hpp"
#include "api/collective/move.hpp"
#include "api/objects/communicator.hpp"

namespace foldlane::api {

/// The blocks of a buffer that a rank's neighbours give or get, in the order in which they are matched.
class NeighbourBlocks final : public TypedBlocks {
 public:
  /// `turned`: a bit that tells the place of a block that is received at its giver from its own.
  NeighbourBlocks(const BufferBlocks& blocks, const Neighbourhood::Side& side, bool has_places, int turned)
      : blocks_(blocks), neighbours_(side.neighbours), has_places_(has_places), turned_(turned) {}

  int count() const noexcept override { return static_cast<int>(neighbours_.size()); }
  const Datatype& type_of(int i) const noexcept override { return blocks_.type_of(neighbour(i).block); }

 private:
  engine::Block block_at(int i) const noexcept override;
  const Neighbourhood::Neighbour& neighbour(int i) const noexcept {
    return neighbours_[static_cast<std::size_t>(i)];
  }

  const BufferBlocks& blocks_;
  std::span<const Neighbourhood::Neighbour> neighbours_;
  bool has_places_;  // a block for each neighbour; else one for all
  int turned_;
};

struct NeighbourCall {
  NeighbourCall(engine::Call which, MPI_Comm on);

  engine::Call call;
  Communicator& communicator;
  const Neighbourhood& neighbourhood;  // throws MPI_ERR_TOPOLOGY if there is none
  BufferBlocks sends{};
  BufferBlocks receives{};

  /// How many blocks each member shows, as its neighbours know: 0 if they do not.
  std::size_t shown_blocks() const noexcept;
};

/// For the check of a buffer: a block for each of its neighbours.
inline Partners partners_of(const Neighbourhood::Side& side) noexcept { return {0, side.blocks, -1}; }

template <class Form>
void move(const Form& form, const NeighbourCall& call, MPI_Comm comm) {
  check_disjoint(call.sends.start(), call.sends.span_bytes(), call.receives.start(),
                 call.receives.span_bytes());
  const bool has_places = !engine::moves_one_to_all(call.call);
  // In a grid what comes from behind has been given forward.
  const NeighbourBlocks sends(call.sends, call.neighbourhood.destinations, has_places, 0);
  const NeighbourBlocks receives(call.receives, call.neighbourhood.sources, has_places, 1);
  engine::Movement movement = movement_on(call.communicator, comm, sends, receives);
  movement.shown_blocks = call.shown_blocks();
  movement.block_bytes = call.sends.block_bytes();
  form(*call.communicator.team, describe(call.call, movement),
       [&] { return Kept{.movement = &movement, .sends = &sends, .receives = &receives}; });
}

}  // namespace foldlane::api
