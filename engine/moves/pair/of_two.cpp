#include "engine/moves/pair/of_two.hpp"

#include "engine/algorithms/boxes_turn.hpp"
#include "engine/moves/by_messages.hpp"
#include "engine/moves/call_messages.hpp"
#include "engine/moves/own_blocks.hpp"
#include "engine/moves/pair/long_exchange.hpp"
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

bool exchanges_long(const PairMove& move) {
  return move.gives && move.takes && move.is_long(move.out) && move.is_long(move.in);
}

/// What is long and goes one way only.
Procedure pass_by_messages(Team& team, const Movement& movement, const PairMove& move) {
  if (movement.replaces) {
    co_await move_by_messages(team, movement);
    co_return;
  }
  const int other = 1 - team.rank();
  CallMessages messages(team, movement.mail, move.is_long(move.in) ? 1 : 0);
  if (move.is_long(move.in)) messages.receive({other, move.in});
  if (move.is_long(move.out)) messages.send({other, move.out});
  // Behind what the other member waits for.
  if (!copy_own_blocks(team, movement)) co_await Surrender();
  co_await MessagesWait(messages);
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
  if (exchanges_long(move)) {
    co_await exchange_long(team, move, movement.replaces);
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
  if (passes) move.own = nullptr;
  SteppedTurns<PairMoveTurns<Team>> turns(team, move);
  co_await TurnsWait(turns);
  if (team.agreement().broken()) co_await Surrender();
  if (passes) co_await pass_by_messages(team, movement, move);
  if (wants_boxes && move.tells_length) co_await as_procedure<BoxesTurn<Team>>(team);
  if (team.agreement().broken()) co_await Surrender();
}

}  // namespace foldlane::engine
