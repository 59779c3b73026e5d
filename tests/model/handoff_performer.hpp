// A call of a script, by the shipped text for any kind of team.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>

#include "engine/algorithms/boxes_turn.hpp"
#include "engine/algorithms/broadcast.hpp"
#include "engine/algorithms/broadcast_grouped.hpp"
#include "engine/algorithms/exchange.hpp"
#include "engine/algorithms/fold_central.hpp"
#include "engine/algorithms/fold_halves.hpp"
#include "engine/algorithms/fold_pair.hpp"
#include "engine/algorithms/fold_shares.hpp"
#include "engine/algorithms/fold_whole.hpp"
#include "engine/algorithms/inline_grouped.hpp"
#include "engine/moves/grouped_move.hpp"
#include "engine/moves/lists/announced_lists.hpp"
#include "engine/moves/neighbours/neighbour_move.hpp"
#include "engine/moves/pair/pair_turns.hpp"
#include "engine/moves/rooted/gather_root.hpp"
#include "engine/moves/rooted/leaf_move.hpp"
#include "engine/moves/shown_move.hpp"
#include "execution.hpp"
#include "handoff_data.hpp"
#include "support/vector_blocks.hpp"

namespace foldlane::model {

template <class AnyTeam>
class Performer {
 public:
  explicit Performer(const ScriptData& data) : data_(data) {}

  /// False if the team has failed.
  bool perform(const Call& call, AnyTeam& team, Buffers& buffers) const;

 private:
  static constexpr std::size_t kElementBytes = sizeof(std::uint64_t);

  static engine::Broadcast broadcast_of(const Call& call, Buffers& buffers) {
    return {buffers.recv_bytes(), nullptr, buffers.recv.size() * kElementBytes, call.root, true,
            kElementBytes,        false};
  }
  template <class Steps>
  static bool step_to_the_end(Steps& steps);
  template <class Turns, class... Args>
  static bool perform_turns(const Call& call, AnyTeam& team, const Args&... args);
  static bool perform_steps(const Call& call, engine::Procedure steps);
  static bool perform_neighbours(const Call& call, AnyTeam& team, const engine::Movement& movement) {
    using Layout = engine::EqualLayout<AnyTeam>;
    Layout layout(team, movement);
    return perform_turns<engine::NeighbourMove<AnyTeam, Layout>>(call, team, std::ref(layout));
  }
  bool perform_pair(const Call& call, AnyTeam& team, Buffers& buffers) const;
  bool perform_gathered(const Call& call, AnyTeam& team, Buffers& buffers) const;
  bool perform_leaf(const Call& call, AnyTeam& team, Buffers& buffers, bool tells_length) const;
  static bool perform_move(const Call& call, AnyTeam& team, const engine::PairMove& move);
  engine::PairMove move_of(const Call& call, const AnyTeam& team, Buffers& buffers) const;
  engine::Procedure start(const Call& call, AnyTeam& team, Buffers& buffers) const;
  engine::Procedure start_whole(const Call& call, AnyTeam& team, Buffers& buffers) const;
  engine::Procedure start_shares(const Call& call, AnyTeam& team, Buffers& buffers) const;
  engine::Procedure start_grouped(const Call& call, AnyTeam& team, Buffers& buffers,
                                  const engine::Broadcast& broadcast) const;

  const ScriptData& data_;
  engine::Reduction reduction_{.elem_bytes = kElementBytes, .builtin = ordered_fold};
};

/// As the progress engine drives an operation; but where it would look again and again, the explorer blocks.
template <class AnyTeam>
template <class Steps>
bool Performer<AnyTeam>::step_to_the_end(Steps& steps) {
  for (;;) {
    const engine::Progress progress = steps.step();
    if (progress != engine::Progress::waiting) return progress == engine::Progress::done;
    Execution::current().await_news();
  }
}

template <class AnyTeam>
template <class Turns, class... Args>
bool Performer<AnyTeam>::perform_turns(const Call& call, AnyTeam& team, const Args&... args) {
  if (!call.stepped) return engine::run_turns(Turns(team, args...));
  engine::SteppedTurns<Turns> steps(team, args...);
  return step_to_the_end(steps);
}

template <class AnyTeam>
bool Performer<AnyTeam>::perform_steps(const Call& call, engine::Procedure steps) {
  return call.stepped ? step_to_the_end(steps) : steps.run();
}

template <class AnyTeam>
bool Performer<AnyTeam>::perform(const Call& call, AnyTeam& team, Buffers& buffers) const {
  if (is_pair(call.what)) {
    return perform_pair(call, team, buffers);
  }
  if (is_gathered(call.what)) return perform_gathered(call, team, buffers);
  const engine::Broadcast broadcast = broadcast_of(call, buffers);
  if (call.what == What::meet_at_once) return perform_turns<engine::Exchange<AnyTeam>>(call, team);
  if (call.what == What::bcast_line)
    return perform_turns<engine::InlineBroadcast<AnyTeam>>(call, team, broadcast);
  if (call.what == What::bcast_once)
    return perform_turns<engine::SlotBroadcast<AnyTeam>>(call, team, broadcast);
  if (!is_in_lines(call.what) && !is_central(call.what))
    return perform_steps(call, start(call, team, buffers));
  const engine::Piece wanted = data_.wanted_in_lines(call, team.rank());
  const engine::WholeFold fold{
      buffers.send_bytes(), call.in_place ? buffers.send_bytes() : buffers.recv_bytes(),
      buffers.send.size(),  wanted.start,
      wanted.count,         data_.sources_of(call, team.rank(), team.size()),
      &reduction_,          !is_scan(call.what) || team.rank() + 1 < team.size()};
  if (call.what == What::central_meet) return perform_turns<engine::CentralExchange<AnyTeam>>(call, team);
  if (call.what == What::central_told)
    return perform_turns<engine::CentralExchange<AnyTeam>>(call, team, buffers.send_bytes(),
                                                           sizeof(std::uint64_t), buffers.recv_bytes());
  if (is_central(call.what)) return perform_turns<engine::CentralFold<AnyTeam>>(call, team, fold);
  return perform_turns<engine::InlineFold<AnyTeam>>(call, team, fold);
}

template <class AnyTeam>
bool Performer<AnyTeam>::perform_pair(const Call& call, AnyTeam& team, Buffers& buffers) const {
  if (!team.deliveries().boxes().known() &&
      (!perform_steps(call, engine::as_procedure<engine::BoxesTurn<AnyTeam>>(team)) ||
       team.agreement().broken()))
    return false;
  std::byte* const recv = call.in_place ? buffers.send_bytes() : buffers.recv_bytes();
  if (is_halved(call.what)) {
    const engine::Shares halves = data_.shares_of(call);
    const bool to_all = call.what == What::halves_all;
    const engine::HalvesFold fold{buffers.send_bytes(),
                                  recv,
                                  halves.of(team.rank()),
                                  halves.of(1 - team.rank()),
                                  to_all ? 0 : halves.start(team.rank()),
                                  to_all,
                                  &reduction_,
                                  data_.script().piece_count};
    return perform_turns<engine::HalvesTurns<AnyTeam>>(call, team, fold);
  }
  if (is_moved(call.what)) return perform_move(call, team, move_of(call, team, buffers));
  const engine::PairFold fold{buffers.send_bytes(),
                              recv,
                              data_.wanted_of_pair(call, team.rank()),
                              data_.wanted_of_pair(call, 1 - team.rank()),
                              &reduction_,
                              data_.script().piece_count,
                              false};
  if (fold.turns() == 1) return perform_turns<engine::PairTurns<AnyTeam, true>>(call, team, fold);
  return perform_steps(call, engine::as_procedure<engine::PairTurns<AnyTeam, false>>(team, fold));
}

/// Blocking as the engine does, at a leaf of a gather also from one block
/// (engine/collectives/leaf_calls.hpp).
template <class AnyTeam>
bool Performer<AnyTeam>::perform_move(const Call& call, AnyTeam& team, const engine::PairMove& move) {
  if (call.stepped && !move.uses_boxes())
    return perform_turns<engine::PairLineTurns<AnyTeam>>(call, team, move);
  if (call.stepped) return perform_turns<engine::PairMoveTurns<AnyTeam>>(call, team, move);
  if (move.takes || !call.as_leaf) return engine::run_pair_move(team, move);
  return engine::run_turns(engine::LeafMove<AnyTeam>(team, call.root, move.out, move.tells_length));
}

template <class AnyTeam>
bool Performer<AnyTeam>::perform_leaf(const Call& call, AnyTeam& team, Buffers& buffers,
                                      bool tells_length) const {
  const engine::UserBuffer block{buffers.send_bytes(), kElementBytes};
  return perform_turns<engine::LeafMove<AnyTeam>>(call, team, call.root, std::cref(block), tells_length);
}

template <class AnyTeam>
bool Performer<AnyTeam>::perform_gathered(const Call& call, AnyTeam& team, Buffers& buffers) const {
  using engine::InlineMove, engine::SlotMove, testing::VectorBlocks;
  const bool to_root = is_gathered_to_root(call.what);
  const auto as = to_root ? engine::Call::gather : engine::Call::allgather;
  const bool takes = !to_root || team.rank() == call.root;
  const std::size_t block_bytes = elements_of_gathered(call.what) * kElementBytes;
  const VectorBlocks sends(buffers.send_bytes(), to_root ? call.root : 0, to_root ? 1 : team.size(),
                           block_bytes, false);
  const VectorBlocks receives(buffers.recv_bytes(), 0, takes ? team.size() : 0, block_bytes, true);
  engine::Movement movement;
  movement.sends = &sends;
  movement.receives = &receives;
  movement.first = to_root ? 0 : (team.rank() + 1) % team.size();
  movement.block_bytes = block_bytes;
  const auto all = std::cref(movement);
  switch (call.what) {
    case What::gathered_lines:
      return perform_turns<InlineMove<AnyTeam>>(call, team, as, call.root, all);
    case What::gathered_neighbours:
      movement.shown_blocks = 1;
      return perform_neighbours(call, team, movement);
    case What::gathered_lines_root:
      if (team.rank() != call.root) return perform_leaf(call, team, buffers, false);
      return perform_turns<InlineMove<AnyTeam>>(call, team, as, call.root, all);
    case What::gathered_leaves_root:
      if (team.rank() != call.root) return perform_leaf(call, team, buffers, true);
      return perform_turns<engine::GatherRoot<AnyTeam>>(call, team, all, false);
    case What::gathered_central_lines:
      return perform_turns<engine::CentralMove<AnyTeam>>(call, team, as, call.root, all);
    case What::gathered_central_slots:
      return perform_turns<engine::CentralSlotMove<AnyTeam>>(call, team, as, call.root, all);
    case What::gathered_lists: {
      engine::ChunkedLists chunks;
      engine::BlockChoices::Use way(team.slots().block_choices());
      return perform_turns<engine::AnnouncedLists<AnyTeam>>(call, team, engine::Call::allgatherv, call.root,
                                                            all, std::ref(chunks), std::ref(way)) &&
             chunks.turns == 0;
    }
    case What::gathered_collected:
    case What::gathered_collected_root:
    case What::gathered_announced:
    case What::gathered_announced_root:
      return perform_steps(call, engine::move_in_groups(team, as, call.root, movement));
    default:
      return perform_turns<SlotMove<AnyTeam>>(call, team, as, call.root, all);
  }
}

/// The other member's input, of chunks of `piece_count` elements, or beside the epoch.
template <class AnyTeam>
engine::PairMove Performer<AnyTeam>::move_of(const Call& call, const AnyTeam& team, Buffers& buffers) const {
  const bool to_root = is_moved_to_root(call.what), is_root = team.rank() == call.root;
  const bool in_line = call.what == What::moved_line_all || call.what == What::moved_line_root ||
                       call.what == What::told_line_all || call.what == What::told_line_root;
  const std::uint64_t bytes = buffers.send.size() * sizeof(std::uint64_t);
  std::byte* const recv = call.in_place ? buffers.send_bytes() : buffers.recv_bytes();
  engine::PairMove move{};
  move.gives = !to_root || !is_root;
  move.takes = !to_root || is_root;
  if (move.gives) move.out = {buffers.send_bytes(), bytes};
  if (move.takes) move.in = {recv, bytes};
  move.tells_length = call.what >= What::told_line_all;
  move.most_in_line = in_line ? bytes : 0;
  move.most_in_boxes = bytes;
  move.chunk_bytes = data_.script().piece_count * sizeof(std::uint64_t);
  return move;
}

template <class AnyTeam>
engine::Procedure Performer<AnyTeam>::start(const Call& call, AnyTeam& team, Buffers& buffers) const {
  const engine::Broadcast broadcast = broadcast_of(call, buffers);
  if (is_grouped(call.what)) return start_grouped(call, team, buffers, broadcast);
  switch (call.what) {
    case What::meet:
      return engine::as_procedure<engine::Exchange<AnyTeam>>(team);
    case What::bcast_inline:
      return engine::as_procedure<engine::InlineBroadcast<AnyTeam>>(team, broadcast);
    case What::bcast_chunks:
      return engine::as_procedure<engine::SlotBroadcast<AnyTeam>>(team, broadcast);
    case What::shares_own:
    case What::shares_root:
    case What::shares_all:
      return start_shares(call, team, buffers);
    default:
      return start_whole(call, team, buffers);
  }
}

template <class AnyTeam>
engine::Procedure Performer<AnyTeam>::start_whole(const Call& call, AnyTeam& team, Buffers& buffers) const {
  const std::size_t count = buffers.send.size();
  engine::WholeFold fold{buffers.send_bytes(),
                         buffers.recv_bytes(),
                         count,
                         0,
                         count,
                         data_.sources_of(call, team.rank(), team.size()),
                         &reduction_,
                         !is_scan(call.what) || team.rank() + 1 < team.size()};
  const bool to_root = call.what == What::inline_root || call.what == What::one_shot_root;
  if (to_root && team.rank() != call.root) fold.wanted_count = 0;
  if (call.what == What::inline_own) {
    fold.wanted_start = static_cast<std::size_t>(team.rank()) % ScriptData::kWholeCount;
    fold.wanted_count = team.rank() < 2 ? 1 : 0;
  }
  if (call.in_place) fold.recv = buffers.send_bytes();
  const bool one_shot = call.what == What::one_shot_all || call.what == What::one_shot_root;
  if (one_shot || call.what == What::chunks_all || call.what == What::scan_chunks) {
    const std::size_t chunk_count = one_shot ? count : 1;
    return engine::as_procedure<engine::SlotFold<AnyTeam>>(team, fold, chunk_count, false);
  }
  return engine::as_procedure<engine::InlineFold<AnyTeam>>(team, fold);
}

template <class AnyTeam>
engine::Procedure Performer<AnyTeam>::start_shares(const Call& call, AnyTeam& team, Buffers& buffers) const {
  auto deliver = engine::Deliver::to_all;
  if (call.what == What::shares_own) deliver = engine::Deliver::own_share;
  if (call.what == What::shares_root) deliver = engine::Deliver::to_root;
  const engine::SharesFold fold{buffers.send_bytes(),
                                call.in_place ? buffers.send_bytes() : buffers.recv_bytes(),
                                &reduction_,
                                deliver,
                                call.root,
                                data_.script().piece_count,
                                false,
                                data_.script().together};
  return engine::fold_shares(team, fold, data_.shares_of(call));
}

template <class AnyTeam>
engine::Procedure Performer<AnyTeam>::start_grouped(const Call& call, AnyTeam& team, Buffers& buffers,
                                                    const engine::Broadcast& broadcast) const {
  const std::byte* const send = buffers.send_bytes();
  std::byte* const recv = call.in_place ? buffers.send_bytes() : buffers.recv_bytes();
  const std::size_t count = buffers.send.size();
  const bool to_root = call.what == What::grouped_root || call.what == What::grouped_inline_root;
  const int root = to_root ? call.root : engine::kNobody;
  switch (call.what) {
    case What::grouped_meet:
      return engine::fold_inline_grouped(team, {nullptr, nullptr, 0, nullptr, root});
    case What::grouped_inline_all:
    case What::grouped_inline_root:
      return engine::fold_inline_grouped(team, {send, recv, count, &reduction_, root, 0, count});
    case What::grouped_bcast_inline:
      return engine::broadcast_grouped_inline(team, broadcast);
    case What::grouped_bcast_chunks:
      return engine::broadcast_grouped_chunks(team, broadcast);
    default:
      return engine::fold_grouped(team, {send, recv, count, &reduction_, root,
                                         call.what == What::grouped_own ? data_.blocks_of(call) : nullptr,
                                         ScriptData::kGroupedChunk, false});
  }
}

}  // namespace foldlane::model
