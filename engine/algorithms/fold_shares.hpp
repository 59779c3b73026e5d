// Reductions by shares: member m folds share m of the vector out of everybody's slots, then the result is
// delivered. Reduce-scatter is the first half; allreduce and reduce add the collection. Vectors larger than a
// slot go through the ring of slots in chunks (piece c of every share makes chunk c), with copy-in of chunk
// c+1, fold of chunk c and collection of chunk c-1 overlapping between the members. Where these share CPUs
// there is nothing to overlap, and each wait is a switch of all of them: there as many chunks as there are
// slots are filled, folded and collected together.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "engine/data/reduction.hpp"
#include "engine/data/shares.hpp"
#include "engine/team/team.hpp"

namespace foldlane::engine {

enum class Deliver : std::uint8_t {
  own_share,  // reduce-scatter: each member's share, to the top of its recv
  to_root,    // reduce
  to_all,     // allreduce
};

struct SharesFold {
  const std::byte* send;
  std::byte* recv;
  const Reduction* reduction;
  Deliver deliver;
  int root;                    // of to_root
  std::size_t piece_count;     // elements of a share per chunk; a slot holds one piece per member
  bool streaming;              // recv will not be read back soon: bypass the caches
  std::uint64_t together = 1;  // chunks per stage, at most as many as there are slots; 1: stages overlap
};

/// One member's view of one call: where each piece lies. The steps below are its three stages.
template <class Team>
class SharesFoldSteps {
 public:
  SharesFoldSteps(Team& team, const SharesFold& call, Shares shares)
      : team_(team), call_(call), shares_(std::move(shares)), elem_bytes_(call.reduction->elem_bytes) {
    chunks_ = std::max<std::uint64_t>(1, (shares_.largest() + call.piece_count - 1) / call.piece_count);
    first_epoch_ = team.epochs().begin(chunks_);
  }

  std::uint64_t chunks() const { return chunks_; }
  std::uint64_t epoch(std::uint64_t chunk) const { return first_epoch_ + chunk; }
  bool collects() const {
    return call_.deliver == Deliver::to_all ||
           (call_.deliver == Deliver::to_root && call_.root == team_.rank());
  }

  /// Copies this member's pieces of the others' shares into its slot (its own share is folded straight from
  /// send).
  void fill(std::uint64_t chunk) {
    std::byte* slot = team_.slots().own(epoch(chunk));
    for (int member = 0; member < team_.size(); ++member) {
      if (member == team_.rank() && !own_piece_in_slot()) continue;
      const Piece piece = piece_of(member, chunk);
      team_.slots().pack_in(slot + place_of(member), call_.send, call_.reduction->type_map,
                            piece.start * elem_bytes_, piece.count * elem_bytes_);
    }
    if (chunk + 1 == end(chunk / call_.together)) return team_.slots().publish_filled(epoch(chunk));
    team_.slots().note_filled(epoch(chunk));
  }

  /// Folds this member's piece. The result stays in its slot if others collect it.
  void fold(std::uint64_t chunk) {
    const Piece piece = piece_of(team_.rank(), chunk);
    const void** sources = team_.sources();
    for (int member = 0; member < team_.size(); ++member) {
      const bool own = member == team_.rank() && !own_piece_in_slot();
      sources[member] = own ? input(piece) : team_.slots().of(member, epoch(chunk)) + place_of(team_.rank());
      if (!own) Team::Transfer::will_read(sources[member], piece.count * elem_bytes_);
    }
    if (others_collect_mine()) {
      std::byte* const result = team_.slots().own(epoch(chunk)) + place_of(team_.rank());
      Team::Transfer::will_write(result, piece.count * elem_bytes_);
      call_.reduction->fold(result, sources, static_cast<std::size_t>(team_.size()), piece.count);
    } else {
      fold_into_recv(piece, sources);
    }
  }
  /// Of this chunk and those before.
  void publish_folded(std::uint64_t chunk) {
    if (others_collect()) team_.slots().publish_folded(epoch(chunk));
  }

  /// Copies a member's folded piece to recv. Needs folded(member) awaited.
  void collect(int member, std::uint64_t chunk) {
    const Piece piece = piece_of(member, chunk);
    if (member == team_.rank() && !others_collect_mine()) return;  // fold put it into recv
    Team::Transfer::unpack_out(call_.recv, call_.reduction->type_map, piece.start * elem_bytes_,
                               team_.slots().of(member, epoch(chunk)) + place_of(member),
                               piece.count * elem_bytes_, call_.streaming);
  }

  // ---- stages, of one chunk or several

  std::uint64_t stages() const { return (chunks_ + call_.together - 1) / call_.together; }
  /// By how many stages a chunk is folded after others are filled, and collected after others are folded.
  std::uint64_t lag() const { return call_.together == 1 ? 1 : 0; }
  std::uint64_t begin(std::uint64_t stage) const { return stage * call_.together; }
  std::uint64_t end(std::uint64_t stage) const { return std::min(chunks_, begin(stage + 1)); }

  /// What awaiting filled of everybody proves finished, when it is of the last chunk of a stage. The order of
  /// steps in fold_shares is: fill s+2, fold s+1, collect s. So a member that has filled stage s has
  /// collected stage s-3, and all calls before; without a lag stage s-1.
  std::uint64_t finished_when_filled(std::uint64_t stage) const {
    const std::uint64_t collected_later = 2 * lag();
    return first_epoch_ - 1 + (stage < collected_later ? 0 : begin(stage - collected_later));
  }

 private:
  void fold_into_recv(const Piece& piece, const void** sources) {
    const std::size_t to = piece.start - (others_collect() ? 0 : shares_.start(team_.rank()));
    const auto k = static_cast<std::size_t>(team_.size());
    if (call_.reduction->type_map != nullptr) {
      return call_.reduction->fold_through(call_.recv, to, sources, k, piece.count);
    }
    call_.reduction->fold(call_.recv + to * elem_bytes_, sources, k, piece.count);
  }
  Piece piece_of(int member, std::uint64_t chunk) const {
    return shares_.piece(member, chunk, call_.piece_count);
  }
  std::size_t place_of(int member) const {
    return static_cast<std::size_t>(member) * call_.piece_count * elem_bytes_;
  }
  const std::byte* input(const Piece& piece) const { return call_.send + piece.start * elem_bytes_; }

  /// In place, a reduce-scatter moves its block to the top of recv: source and destination overlap shifted,
  /// which a fold must not see. Blocks that start at 0 coincide exactly, which it may.
  bool own_piece_in_slot() const {
    if (call_.reduction->type_map != nullptr) return true;  // folds take packed inputs
    return call_.deliver == Deliver::own_share && call_.send == call_.recv &&
           shares_.start(team_.rank()) != 0;
  }
  bool others_collect() const { return call_.deliver != Deliver::own_share; }
  bool others_collect_mine() const {
    return call_.deliver == Deliver::to_all ||
           (call_.deliver == Deliver::to_root && call_.root != team_.rank());
  }
  Team& team_;
  const SharesFold call_;
  const Shares shares_;
  std::size_t elem_bytes_;
  std::uint64_t chunks_ = 0;
  std::uint64_t first_epoch_ = 0;
};

template <class Team>
Procedure fold_shares(Team& team, SharesFold call, Shares shares) {
  SharesFoldSteps<Team> steps(team, call, std::move(shares));
  const std::uint64_t stages = steps.stages(), lag = steps.lag();
  for (std::uint64_t step = 0; step < stages + 2 * lag; ++step) {
    if (step < stages) {
      for (std::uint64_t chunk = steps.begin(step); chunk < steps.end(step); ++chunk) {
        co_await team.waits().slot_free(steps.epoch(chunk));
        steps.fill(chunk);
      }
    }
    if (const std::uint64_t stage = step - lag; stage < stages) {
      const std::uint64_t last = steps.end(stage) - 1;
      co_await team.waits().all_filled(steps.epoch(last), steps.finished_when_filled(stage));
      for (std::uint64_t chunk = steps.begin(stage); chunk <= last; ++chunk) steps.fold(chunk);
      steps.publish_folded(last);
    }
    if (step < 2 * lag) continue;
    const std::uint64_t stage = step - 2 * lag, last = steps.end(stage) - 1;
    if (steps.collects()) {
      for (int member = 0; member < team.size(); ++member) {
        co_await team.waits().folded(member, steps.epoch(last));
        for (std::uint64_t chunk = steps.begin(stage); chunk <= last; ++chunk) steps.collect(member, chunk);
      }
    }
    team.epochs().finish(steps.epoch(last));
  }
}

}  // namespace foldlane::engine
