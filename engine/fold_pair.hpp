// Reductions of two members: each passes the other what of its input the other needs, box by box, and folds
// what it wants itself. One hop. Who wants nothing, as the leaf of a reduce, leaves after its last delivery.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "engine/reduction.hpp"
#include "engine/shares.hpp"
#include "engine/team.hpp"

namespace foldlane::engine {

struct PairFold {
  const std::byte* send;
  std::byte* recv;
  Piece mine;    // of the result: goes to the top of recv
  Piece theirs;  // what the other member wants
  const Reduction* reduction;
  std::size_t box_count;  // elements that a box holds
  bool streaming;         // recv will not be read back soon: bypass the caches; else as measured

  std::uint64_t turns() const {
    const std::size_t most = std::max(mine.count, theirs.count);
    return std::max<std::uint64_t>(1, (most + box_count - 1) / box_count);
  }
};

/// The steps of both ways of driving it.
template <class Team>
class PairFoldSteps {
 public:
  PairFoldSteps(Team& team, const PairFold& call, std::uint64_t turns)
      : team_(team),
        call_(call),
        turns_(turns),
        first_turn_(team.boxes().begin(turns_)),
        first_epoch_(team.begin(turns_)),
        fill_(chooser()) {}

  std::uint64_t turns() const { return turns_; }

  bool delivers(std::uint64_t turn) const { return part(call_.theirs, turn).count > 0; }
  bool receives(std::uint64_t turn) const { return part(call_.mine, turn).count > 0; }

  auto box_free(std::uint64_t turn) { return team_.box_free(first_turn_ + turn, first_epoch_ + turn); }
  bool wait_until_box_free(std::uint64_t turn) {
    return team_.wait_until_box_free(first_turn_ + turn, first_epoch_ + turn);
  }

  /// Needs box_free(turn) awaited.
  void deliver(std::uint64_t turn) {
    const Piece piece = part(call_.theirs, turn);
    const std::size_t elem_bytes = call_.reduction->elem_bytes;
    const std::size_t bytes = piece.count * elem_bytes;
    PairBoxes& boxes = team_.boxes();
    team_.put_in(boxes.out(first_turn_ + turn), call_.send, call_.reduction->layout, piece.start * elem_bytes,
                 bytes);
    team_.publish_delivered(first_turn_ + turn, first_epoch_ + turn);
    // The other one sends nothing back that would bring the next box along.
    if (!receives(turn) && bytes <= Team::kFetchedBytes) {
      kernels::prefetch(boxes.out(first_turn_ + turn + 1), bytes);
    }
  }

  /// The other one delivers turn t after it has done turn t-2 and all calls before; this one has done t-1.
  auto delivered(std::uint64_t turn) { return team_.delivered(first_epoch_ + turn, finished_before(turn)); }
  bool wait_until_delivered(std::uint64_t turn) {
    return team_.wait_until_delivered(first_epoch_ + turn, finished_before(turn));
  }

  /// Needs delivered(turn) awaited.
  void fold(std::uint64_t turn) {
    const Piece piece = part(call_.mine, turn);
    std::byte* const box = team_.boxes().in(first_turn_ + turn);
    fold_piece(piece, box);
    if (!delivers(turn)) team_.hand_back(box, piece.count * call_.reduction->elem_bytes);
  }

  void finish(std::uint64_t turn) { team_.finish(first_epoch_ + turn); }

 private:
  std::uint64_t finished_before(std::uint64_t turn) const {
    return first_epoch_ - 1 + (turn < 2 ? 0 : turn - 1);
  }

  Piece part(const Piece& whole, std::uint64_t turn) const {
    const std::size_t offset = std::min<std::size_t>(whole.count, turn * call_.box_count);
    return {whole.start + offset, std::min(call_.box_count, whole.count - offset)};
  }

  void fold_piece(const Piece& piece, std::byte* box) {
    const Reduction& reduction = *call_.reduction;
    const void* sources[2];
    sources[team_.rank()] = own_input(piece);
    sources[1 - team_.rank()] = box;
    team_.will_read(box, piece.count * reduction.elem_bytes);
    const std::size_t bytes = piece.count * reduction.elem_bytes;
    const std::size_t to = piece.start - call_.mine.start;
    std::byte* const result = call_.recv + to * reduction.elem_bytes;
    if (call_.streaming || reduction.layout != nullptr) {
      return reduction.fold_through(call_.recv, to, sources, 2, piece.count);
    }
    if (is_shifted()) {
      // A fold must not read what it overwrites: by way of the box, which is this member's now.
      team_.will_write(box, bytes);
      reduction.fold(box, sources, 2, piece.count);
      return kernels::copy(result, box, bytes);
    }
    fill_.perform(bytes, [&](bool streaming) {
      if (streaming) return reduction.fold_through(call_.recv, to, sources, 2, piece.count);
      reduction.fold(result, sources, 2, piece.count);
    });
  }

  /// Of results that a cache may or may not hold; the time of a caller's operation says nothing about that.
  StoreChooser* chooser() {
    const std::size_t bytes = call_.mine.count * call_.reduction->elem_bytes;
    if (bytes < StoreChooser::kSmallestBytes || call_.reduction->builtin == nullptr) return nullptr;
    return call_.streaming || is_shifted() ? nullptr : &team_.pair_result_stores().of(bytes);
  }

  /// In place, a reduce-scatter moves its block to the top of recv.
  bool is_shifted() const { return call_.send == call_.recv && call_.mine.start != 0; }

  const std::byte* own_input(const Piece& piece) {
    const Reduction& reduction = *call_.reduction;
    if (reduction.layout == nullptr) return call_.send + piece.start * reduction.elem_bytes;
    packed_.resize(piece.count * reduction.elem_bytes);
    reduction.layout->pack(packed_.data(), call_.send, piece.start * reduction.elem_bytes, packed_.size());
    return packed_.data();
  }

  Team& team_;
  const PairFold& call_;
  std::uint64_t turns_;
  std::uint64_t first_turn_;
  std::uint64_t first_epoch_;
  StoreChooser::Fill fill_;  // of this member's result
  std::vector<std::byte> packed_;
};

/// Before a team's first exchange its members tell each other where their boxes are.
template <class Team>
Procedure make_boxes_known(Team& team) {
  const std::uint32_t where = team.take_boxes();
  const std::uint64_t epoch = team.begin(1);
  co_await team.inline_free(epoch);
  team.show(epoch, &where, sizeof where);
  co_await team.all_shown(epoch, epoch - 1);
  team.set_boxes(epoch);
  team.finish(epoch);
}

/// Delivers turn t+1 before it folds turn t, so that the members work while they would wait.
template <class Team>
Procedure fold_pair(Team& team, PairFold call) {
  PairFoldSteps<Team> steps(team, call, call.turns());
  for (std::uint64_t next = 0; next <= steps.turns(); ++next) {
    if (next < steps.turns() && steps.delivers(next)) {
      co_await steps.box_free(next);
      steps.deliver(next);
    }
    if (next == 0) continue;
    const std::uint64_t turn = next - 1;
    if (steps.receives(turn)) {
      co_await steps.delivered(turn);
      steps.fold(turn);
    }
    steps.finish(turn);
  }
}

/// fold_pair(…).run() of one turn, without a coroutine. Needs boxes_known().
template <class Team>
bool run_fold_pair_once(Team& team, const PairFold& call) {
  PairFoldSteps<Team> steps(team, call, 1);
  if (steps.delivers(0)) {
    if (!steps.wait_until_box_free(0)) return false;
    steps.deliver(0);
  }
  if (steps.receives(0)) {
    if (!steps.wait_until_delivered(0)) return false;
    steps.fold(0);
  }
  steps.finish(0);
  return true;
}

/// Either, after the members have told each other where their boxes are.
template <class Team>
bool run_fold_pair(Team& team, const PairFold& call) {
  if (!team.boxes().known() && (!make_boxes_known(team).run() || team.broken())) return false;
  return call.turns() == 1 ? run_fold_pair_once(team, call) : fold_pair(team, call).run();
}

}  // namespace foldlane::engine
