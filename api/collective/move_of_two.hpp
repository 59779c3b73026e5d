// Calls that only move data whose arguments would take longer than their way: of two ranks with dense buffers
// (engine/collectives/pair_arguments.hpp), of more with short blocks of one size or lists of ints, and of
// leaves. What is not as usual, mistakes included, goes the way of all calls (move.hpp).
#pragma once

#include <cstddef>
#include <cstdint>

#include "api/collective/blocks.hpp"
#include "api/collective/move.hpp"
#include "api/datatype/datatype.hpp"
#include "api/errors/args.hpp"
#include "api/objects/communicator.hpp"
#include "api/statistics/recorder.hpp"
#include "engine/collectives/list_steps.hpp"
#include "engine/collectives/pair_arguments.hpp"
#include "engine/moves/row_move.hpp"

namespace foldlane::api {

/// One side, for who looks at a block or two: whether they are as usual, i.e. dense and not long, and where
/// they are. Equal ones are looked at once (two ranks, near, alltoall of 8 bytes 1.10 x as fast as with the
/// text of lists).
class UsualSide {
 public:
  explicit UsualSide(const Side& side) noexcept : side_(side) {}

  /// False: the block is not as usual.
  bool find(int i, engine::UserBuffer& block) const noexcept {
    const Datatype* const type = usual_type(i);
    return type != nullptr && put(*type, i, block);
  }
  [[gnu::always_inline]] bool find(int i, int j, engine::UserBuffer& block,
                                   engine::UserBuffer& other_block) const noexcept {
    if (side_.is_typed_list) return find(i, block) && find(j, other_block);
    const Datatype* const type = usual_type(i);
    return type != nullptr && put(*type, i, block) && put(*type, j, other_block);
  }

  // ---- of blocks of one size

  /// Of each; 0: there are none, or they are not as usual.
  [[gnu::always_inline]] std::uint64_t block_bytes() const noexcept {
    const Datatype* const type = find_datatype(side_.type);
    const std::int64_t count = side_.counts[0];
    return is_usual(type) && is_usual(count) ? static_cast<std::uint64_t>(count * type->size) : 0;
  }
  std::byte* start() const noexcept { return static_cast<std::byte*>(const_cast<void*>(side_.buffer)); }

  // ---- of blocks for so many members

  /// A list of ints that has one datatype, or one block for all. False: it is not as usual.
  bool find_row(int members, engine::BlockRow& row) const noexcept {
    if (!side_.is_list) return find_one_for_all(row);
    if (side_.counts.ints() == nullptr || side_.places.ints() == nullptr) return false;
    const Datatype* const type = usual_type(0);
    if (type == nullptr || has_negative(side_.counts.ints(), members)) return false;
    if (side_.is_typed_list && !have_one_type(side_.types, members)) return false;
    row = {.start = start(),
           .element_bytes = type->size,
           .is_list = true,
           .counts = side_.counts,
           .places = side_.places,
           .place_bytes = side_.is_typed_list ? 1 : type->size};
    return true;
  }

 private:
  /// Longer ones may take their time.
  static constexpr std::int64_t kMostElements = 1 << 20;

  static bool is_usual(std::int64_t count) noexcept { return count >= 0 && count <= kMostElements; }
  bool is_usual(const Datatype* type) const noexcept {
    return type != nullptr && type->dense() && type->committed && type->size <= INT32_MAX &&
           is_memory(side_.buffer);
  }
  /// Null: it is none, or the arrays of the list are not there.
  [[gnu::always_inline]] const Datatype* usual_type(int i) const noexcept {
    if (side_.is_list && (side_.counts.are_equal() || side_.places.are_equal())) return nullptr;
    if (side_.is_typed_list && side_.types == nullptr) return nullptr;
    const Datatype* const type = find_datatype(side_.is_typed_list ? side_.types[i] : side_.type);
    return is_usual(type) ? type : nullptr;
  }
  bool find_one_for_all(engine::BlockRow& row) const noexcept {
    engine::UserBuffer block;
    if (!find(0, block)) return false;
    row = engine::equal_row(block, false);
    return true;
  }
  bool put(const Datatype& type, int i, engine::UserBuffer& block) const noexcept {
    const std::int64_t count = side_.counts[i], place = side_.is_list ? side_.places[i] : 0;
    if (!is_usual(count) || place < INT32_MIN || place > INT32_MAX) return false;  // no product is too large
    block.address = start() + (side_.is_typed_list ? place : place * type.size);
    block.bytes = static_cast<std::uint64_t>(count * type.size);
    return true;
  }

  const Side& side_;
};

/// True: the call is in the hands of its form. `root` is a rank that exists; of calls without one any. In
/// place: much of what is asked of arguments follows from the call.
template <class Form>
[[gnu::always_inline]] inline bool move_between_two(const Form& form, engine::Call call,
                                                    Communicator& communicator, const Side& send,
                                                    const Side& recv, int root, MPI_Comm comm) {
  engine::Team& team = *communicator.team;
  if (team.size() != 2 || communicator.is_inter || recorder != nullptr) return false;
  return form.of_two(team, call, UsualSide(send), UsualSide(recv), root,
                     [&] { return mail_on(communicator, comm); });
}

/// The same of a blocking allgather or alltoall of more than two ranks whose blocks are shown all at once.
template <class Form>
bool move_at_once(const Form& form, engine::Call call, const Communicator& communicator, const Side& send,
                  const Side& recv) {
  if constexpr (Form::kBlocks) {
    engine::Team& team = *communicator.team;
    if (team.size() <= 2 || communicator.is_inter || recorder != nullptr) return false;
    if (!engine::moves_equal_blocks(call)) return false;
    engine::UserBuffer given, taken;
    if (!UsualSide(send).find(0, given) || !UsualSide(recv).find(0, taken)) return false;
    if (given.bytes != taken.bytes || !engine::is_shown_at_once(team, call, given.bytes)) return false;
    const engine::UserBuffer all_given{given.address, engine::shown_bytes(call, given.bytes, team.size())},
        all_taken{taken.address, static_cast<std::uint64_t>(team.size()) * taken.bytes};
    if (!all_given.is_apart_from(all_taken)) return false;
    form.shown_at_once(team, call, given, taken);
    return true;
  }
  return false;
}

/// The same of an allgatherv, alltoallv or alltoallw whose lists lines announce.
template <class Form>
bool move_lists_at_once(const Form& form, engine::Call call, Communicator& communicator, const Side& send,
                        const Side& recv, MPI_Comm comm) {
  if constexpr (Form::kBlocks) {
    engine::Team& team = *communicator.team;
    if (team.size() <= 2 || communicator.is_inter || recorder != nullptr) return false;
    if (engine::moves_equal_blocks(call) || !engine::is_announced_in_lines(team, call)) return false;
    engine::BlockRow sends, receives;
    if (!UsualSide(send).find_row(team.size(), sends) || !UsualSide(recv).find_row(team.size(), receives))
      return false;
    const engine::RowMove move(team.size(), team.rank(), sends, receives, 0, mail_on(communicator, comm));
    if (!move.agrees_with_itself(team.rank())) return false;
    form.lists_at_once(team, call, move.movement());
    return true;
  }
  return false;
}

/// The same of a leaf of a gather(v) or scatter(v), of any number of ranks. `side` is that with its block.
template <class Form>
bool move_as_leaf(const Form& form, engine::Call call, const Communicator& communicator, const Side& side,
                  int root) {
  if (communicator.is_inter || recorder != nullptr) return false;
  engine::UserBuffer block;
  return UsualSide(side).find(0, block) && form.as_leaf(*communicator.team, call, block, root);
}

}  // namespace foldlane::api
