// Reductions of two members: each passes the other what of its input the other needs, box by box, and folds
// what it wants itself. One hop. Who wants nothing, as the leaf of a reduce, leaves after its last delivery.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "engine/algorithms/turns.hpp"
#include "engine/data/reduction.hpp"
#include "engine/data/shares.hpp"
#include "engine/team/team.hpp"
#include "engine/team/transfer.hpp"

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

/// `kOnce`: all goes into one box, as the compiler knows then. Else what turn t+1 delivers is given before
/// turn t is folded.
template <class AnyTeam, bool kOnce>
class PairTurns {
 public:
  using Team = AnyTeam;
  static constexpr std::uint64_t kAhead = kOnce ? 0 : 1;

  /// Needs boxes that are known.
  PairTurns(Team& team, const PairFold& call)
      : team_(team),
        call_(call),
        turns_(kOnce ? 1 : call.turns()),
        first_turn_(team.deliveries().boxes().begin(turns_)),
        first_epoch_(team.epochs().begin(turns_)),
        stores_(chooser()) {}

  std::uint64_t count() const { return kOnce ? 1 : turns_; }

  bool gives(std::uint64_t turn) const { return part(call_.theirs, turn).count > 0; }
  template <class How>
  Progress await_free(How& how, std::uint64_t turn) {
    return how.box_free(team_, first_turn_ + turn, first_epoch_ + turn);
  }
  void give(std::uint64_t turn) {
    const Piece piece = part(call_.theirs, turn);
    const std::size_t elem_bytes = call_.reduction->elem_bytes;
    const std::size_t bytes = piece.count * elem_bytes;
    auto&& boxes = team_.deliveries().boxes();
    const auto put = [&] {
      Team::Transfer::put_in(boxes.out(first_turn_ + turn), call_.send, call_.reduction->type_map,
                             piece.start * elem_bytes, bytes);
    };
    if (takes(turn)) {
      put();
    } else {
      team_.deliveries().one_way().send(call_.theirs.count * elem_bytes,
                                        team_.deliveries().took(first_epoch_ + turn), put);
    }
    team_.deliveries().publish(first_turn_ + turn, first_epoch_ + turn);
    // The other one sends nothing back that would bring the next box along.
    if (!takes(turn) && bytes <= kFetchedBytes) {
      kernels::prefetch(boxes.out(first_turn_ + turn + 1), bytes);
    }
  }

  bool takes(std::uint64_t turn) const { return part(call_.mine, turn).count > 0; }
  /// The other one delivers turn t after it has done turn t-2 and all calls before; this one has done t-1.
  template <class How>
  Progress await_given(How& how, std::uint64_t turn) {
    return how.delivered(team_, first_epoch_ + turn, finished_before(turn));
  }
  void take(std::uint64_t turn) {
    const Piece piece = part(call_.mine, turn);
    std::byte* const box = team_.deliveries().boxes().in(first_turn_ + turn);
    if (gives(turn)) return fold_piece(piece, box);
    const std::size_t elem_bytes = call_.reduction->elem_bytes;
    team_.deliveries().one_way().receive(
        call_.mine.count * elem_bytes, piece.count * elem_bytes,
        team_.deliveries().took_by_other(first_epoch_ + turn), [&] { fold_piece(piece, box); },
        [&] { Team::Transfer::dirty(box, piece.count * elem_bytes); });
  }

  void finish(std::uint64_t turn) {
    if (turn + 1 == count()) stores_.end();
    team_.epochs().finish(first_epoch_ + turn);
  }

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
    Team::Transfer::will_read(box, piece.count * reduction.elem_bytes);
    const std::size_t bytes = piece.count * reduction.elem_bytes;
    const std::size_t to = piece.start - call_.mine.start;
    std::byte* const result = call_.recv + to * reduction.elem_bytes;
    if (call_.streaming || reduction.type_map != nullptr) {
      return reduction.fold_through(call_.recv, to, sources, 2, piece.count);
    }
    if (is_shifted()) {
      // A fold must not read what it overwrites: by way of the box, which is this member's now.
      Team::Transfer::will_write(box, bytes);
      reduction.fold(box, sources, 2, piece.count);
      return kernels::copy(result, box, bytes);
    }
    stores_.perform(bytes, [&](Arm arm) {
      if (is_streaming(arm)) return reduction.fold_through(call_.recv, to, sources, 2, piece.count);
      reduction.fold(result, sources, 2, piece.count);
    });
  }

  /// Of results that a cache may or may not hold; the time of a caller's operation says nothing about that.
  Chooser* chooser() {
    const std::size_t bytes = call_.mine.count * call_.reduction->elem_bytes;
    if (call_.reduction->builtin == nullptr || call_.streaming || is_shifted()) return nullptr;
    return team_.deliveries().folded_stores(bytes, call_.recv);
  }

  /// In place, a reduce-scatter moves its block to the top of recv.
  bool is_shifted() const { return call_.send == call_.recv && call_.mine.start != 0; }

  const std::byte* own_input(const Piece& piece) {
    const Reduction& reduction = *call_.reduction;
    if (reduction.type_map == nullptr) return call_.send + piece.start * reduction.elem_bytes;
    packed_.resize(piece.count * reduction.elem_bytes);
    reduction.type_map->pack(packed_.data(), call_.send, piece.start * reduction.elem_bytes, packed_.size());
    return packed_.data();
  }

  Team& team_;
  const PairFold& call_;
  std::uint64_t turns_;
  std::uint64_t first_turn_;
  std::uint64_t first_epoch_;
  Chooser::Use stores_;  // of this member's result
  std::vector<std::byte> packed_;
};

/// Before their first fold the members tell each other where their boxes are.
template <class AnyTeam>
class BoxesTurn {
 public:
  using Team = AnyTeam;
  static constexpr std::uint64_t kAhead = 0;
  static constexpr std::uint64_t count() { return 1; }

  explicit BoxesTurn(Team& team)
      : team_(team), where_(team.deliveries().take_boxes()), epoch_(team.epochs().begin(1)) {}

  static constexpr bool gives(std::uint64_t) { return true; }
  template <class How>
  Progress await_free(How& how, std::uint64_t) {
    return how.inline_free(team_, epoch_);
  }
  void give(std::uint64_t) { team_.inline_lines().show(epoch_, &where_, sizeof where_); }
  static constexpr bool takes(std::uint64_t) { return true; }
  template <class How>
  Progress await_given(How& how, std::uint64_t) {
    return how.all_shown(team_, epoch_, epoch_ - 1);
  }
  void take(std::uint64_t) {
    std::array<std::uint32_t, 2> where{};
    for (std::size_t member = 0; member < where.size(); ++member)
      team_.inline_lines().read(static_cast<int>(member), epoch_, where[member]);
    team_.deliveries().set_boxes(where);
  }
  void finish(std::uint64_t) { team_.epochs().finish(epoch_); }

 private:
  Team& team_;
  std::uint32_t where_;
  std::uint64_t epoch_;
};

}  // namespace foldlane::engine
