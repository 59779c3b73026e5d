#include "engine/moves/pair/of_two.hpp"

#include "engine/algorithms/boxes_turn.hpp"
#include "engine/moves/by_messages.hpp"
#include "engine/moves/call_messages.hpp"
#include "engine/moves/own_blocks.hpp"
#include "engine/moves/pair/long_exchange.hpp"
#include "engine/moves/pair/long_pass.hpp"
#include "engine/moves/roles.hpp"

namespace foldlane::engine {
namespace {

UserBuffer block_of(const Blocks& blocks, int member) {
  for (int i = 0; i < blocks.count(); ++i) {
    const Block block = blocks.at(i);
    if (block.member == member) return block.buffer;
  }
  return {};
}

/// Of what is long and goes one way only, with `own` beside it.
Procedure pass_by_message(Team& team, const Mail& mail, const PairMove& move, const UserBuffer* own) {
  const int other = 1 - team.rank();
  CallMessages messages(team, mail, move.is_long(move.in) ? 1 : 0);
  if (move.is_long(move.in)) messages.receive({other, move.in});
  if (move.is_long(move.out)) messages.send({other, move.out});
  // Behind what the other member waits for.
  if (own != nullptr) copy_beside_messages(own[1], own[0], mail, team.slots().ring().copies.own);
  co_await MessagesWait(messages);
}

Procedure finish_pass(Team& team, const Mail& mail, const PairMove& move, const LongPassTurns<Team>& turns) {
  if (team.agreement().broken()) co_await Surrender();
  if (!turns.is_straight())
    co_await pass_by_message(team, mail, move, turns.copies_own() ? nullptr : move.own);
}

Procedure pass_long(Team& team, const Mail& mail, const PairMove& move) {
  SteppedTurns<LongPassTurns<Team>> turns(team, move);
  co_await TurnsWait(turns);
  co_await finish_pass(team, mail, move, turns.turns());
}

bool run_long_pass(Team& team, const Mail& mail, const PairMove& move) {
  LongPassTurns<Team> turns(team, move);
  return run_turns(turns) && (turns.is_straight() || finish_pass(team, mail, move, turns).run());
}

}  // namespace

PairPart::PairPart(const PairMove& given) : move(given) {
  if (given.own == nullptr) return;
  own = {given.own[0], given.own[1]};
  move.own = own.data();
}

PairPart::PairPart(const Team& team, Call call, int root, const Movement& movement, std::size_t chunk_bytes,
                   std::uint64_t most_in_boxes)
    : own{block_of(*movement.sends, team.rank()), block_of(*movement.receives, team.rank())},
      move{.out = block_of(*movement.sends, 1 - team.rank()),
           .in = block_of(*movement.receives, 1 - team.rank()),
           .own = movement.replaces || own[0].bytes == 0 || own[1].bytes == 0 ? nullptr : own.data(),
           .gives = gives_in(call, team.rank() == root),
           .takes = takes_in(call, team.rank() == root),
           .is_root = team.rank() == root,
           .tells_length = !moves_equal_blocks(call),
           .most_in_line = most_in_line(!moves_equal_blocks(call)),
           .most_in_boxes = most_in_boxes,
           .chunk_bytes = chunk_bytes} {}

/// Boxes are made known by a line, which must not be taken for one that tells a length: members that do not
/// agree about lengths need not agree that they want boxes. So a list goes without, the first time.
Procedure move_of_two(Team& team, Call call, int root, const Movement& movement, std::size_t chunk_bytes,
                      std::uint64_t most_in_boxes) {
  PairPart part(team, call, root, movement, chunk_bytes, most_in_boxes);
  PairMove& move = part.move;
  if (goes_long_way(move)) {
    if (move.passes_long()) {
      co_await pass_long(team, movement.mail, move);
    } else {
      co_await exchange_long(team, move, movement.replaces);
    }
    if (team.agreement().broken()) co_await Surrender();
    co_return;
  }
  if (move.is_in_lines()) {
    SteppedTurns<PairLineTurns<Team>> turns(team, move);
    co_await TurnsWait(turns);
    if (team.agreement().broken()) co_await Surrender();
    co_return;
  }
  const bool wants_boxes = move.uses_boxes() && !team.deliveries().boxes().known();
  if (wants_boxes && move.tells_length) move.most_in_boxes = 0;
  if (wants_boxes && !move.tells_length) co_await as_procedure<BoxesTurn<Team>>(team);
  if (team.agreement().broken()) co_await Surrender();
  const bool passes = move.is_long(move.in) || move.is_long(move.out);
  const UserBuffer* const own = move.own;
  if (passes) move.own = nullptr;
  SteppedTurns<PairMoveTurns<Team>> turns(team, move);
  co_await TurnsWait(turns);
  if (team.agreement().broken()) co_await Surrender();
  if (passes && movement.replaces) {
    co_await move_by_messages(team, movement);
  } else if (passes) {
    co_await pass_by_message(team, movement.mail, move, own);
  }
  if (wants_boxes && move.tells_length) co_await as_procedure<BoxesTurn<Team>>(team);
  if (team.agreement().broken()) co_await Surrender();
}

bool run_long(Team& team, const Mail& mail, const PairMove& move, bool replaces) {
  const bool is_done =
      move.passes_long() ? run_long_pass(team, mail, move) : run_long_exchange(team, move, replaces);
  return is_done && !team.agreement().broken();
}

bool run_of_two(Team& team, Call call, int root, const Movement& movement, std::size_t chunk_bytes,
                std::uint64_t most_in_boxes) {
  const PairPart part(team, call, root, movement, chunk_bytes, most_in_boxes);
  if (is_plain(team, part.move)) return run_plain(team, part.move);
  if (goes_long_way(part.move)) return run_long(team, movement.mail, part.move, movement.replaces);
  return move_of_two(team, call, root, movement, chunk_bytes, most_in_boxes).run();
}

}  // namespace foldlane::engine
