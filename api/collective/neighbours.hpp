// A neighbourhood collective, from its checked arguments to its form.
#pragma once

#include <mpi.h>

#include <span>

#include "api/collective/blocks.hpp"
#include "api/collective/form.hpp"
#include "api/collective/move.hpp"
#include "api/collective/move_of_two.hpp"
#include "api/objects/communicator.hpp"

namespace foldlane::api {

/// The blocks of a buffer that a rank's neighbours give or get, in the order in which they are matched.
class NeighbourBlocks final : public TypedBlocks {
 public:
  /// `has_places`, `turned`: as NeighbourRow's.
  NeighbourBlocks(const BufferBlocks& blocks, const Neighbourhood::Side& side, bool has_places, int turned)
      : blocks_(blocks), neighbours_(side.neighbours), has_places_(has_places), turned_(turned) {}

  int count() const noexcept override { return static_cast<int>(neighbours_.size()); }
  const Datatype& type_of(int i) const noexcept override { return blocks_.type_of(neighbour(i).block); }

 private:
  engine::Block block_at(int i) const noexcept override;
  const engine::Neighbour& neighbour(int i) const noexcept {
    return neighbours_[static_cast<std::size_t>(i)];
  }

  const BufferBlocks& blocks_;
  std::span<const engine::Neighbour> neighbours_;
  bool has_places_;
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

/// A blocking call of short dense blocks, whose arguments would take longer than their way. False: it does as
/// others; what is not as usual, mistakes included, is found there.
template <class Form>
bool move_short_blocks(const Form& form, const NeighbourCall& call, const Side& send, const Side& recv) {
  if constexpr (Form::kBlocks) {
    engine::Team& team = *call.communicator.team;
    const UsualSide given(send), taken(recv);
    const std::size_t shown = call.shown_blocks();
    const std::uint64_t bytes = shown > 0 && recorder == nullptr ? given.block_bytes() : 0;
    if (bytes == 0 || bytes != taken.block_bytes() || !engine::fit_lines(team, bytes, shown)) return false;
    const auto& [sources, destinations] = call.neighbourhood;
    const engine::UserBuffer all_given{given.start(), bytes * shown},
        all_taken{taken.start(), bytes * static_cast<std::uint64_t>(sources.blocks)};
    if (!all_given.is_apart_from(all_taken)) return false;
    const bool has_places = !engine::moves_one_to_all(call.call);
    const engine::NeighbourRow sends{.neighbours = destinations.neighbours,
                                     .start = given.start(),
                                     .bytes = bytes,
                                     .stride = has_places ? bytes : 0,
                                     .has_places = has_places};
    const engine::NeighbourRow receives{.neighbours = sources.neighbours,
                                        .start = taken.start(),
                                        .bytes = bytes,
                                        .stride = bytes,
                                        .has_places = has_places,
                                        .turned = 1};
    form.among_neighbours(team, call.call, {&sends, &receives, bytes, shown});
    return true;
  }
  return false;
}

template <class Form>
void move(const Form& form, const NeighbourCall& call, MPI_Comm comm) {
  check_disjoint(call.sends.start(), call.sends.span_bytes(), call.receives.start(),
                 call.receives.span_bytes());
  const bool has_places = !engine::moves_one_to_all(call.call);
  const NeighbourBlocks sends(call.sends, call.neighbourhood.destinations, has_places, 0);
  const NeighbourBlocks receives(call.receives, call.neighbourhood.sources, has_places, 1);
  engine::Movement movement = movement_on(call.communicator, comm, sends, receives);
  movement.shown_blocks = call.shown_blocks();
  movement.block_bytes = call.sends.block_bytes();
  form(*call.communicator.team, describe(call.call, movement),
       [&] { return Kept{.movement = &movement, .sends = &sends, .receives = &receives}; });
}

}  // namespace foldlane::api
