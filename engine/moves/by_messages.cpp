#include "engine/moves/by_messages.hpp"

#include <algorithm>
#include <vector>

#include "engine/moves/call_messages.hpp"
#include "engine/moves/own_blocks.hpp"

namespace foldlane::engine {
namespace {

int blocks_from_others(const Team& team, const Blocks& blocks) {
  int others = 0;
  for (int i = 0; i < blocks.count(); ++i) {
    const Block block = blocks.at(i);
    if (block.member != team.rank() && block.buffer.bytes > 0) ++others;
  }
  return others;
}

void receive_all(CallMessages& messages, const Team& team, const Blocks& blocks) {
  for (int i = 0; i < blocks.count(); ++i) {
    const Block block = blocks.at(i);
    if (block.member != team.rank() && block.buffer.bytes > 0) messages.receive(block);
  }
}

Procedure exchange(Team& team, const Movement& movement) {
  CallMessages messages(team, movement.mail, blocks_from_others(team, *movement.receives));
  receive_all(messages, team, *movement.receives);
  messages.send_all(*movement.sends, movement.first);
  team.agreement().record_call();
  if (!copy_own_blocks(team, movement)) co_await Surrender();
  co_await MessagesWait(messages);
}

// ---- in place

/// What is sent leaves its place before what comes may lie there.
constexpr std::uint64_t kPieceBytes = 64 << 10;

/// Round by round everybody has one partner, or none. All go through the rounds in the same order, so the
/// first that is not over can always go on.
int partner_in(int round, const Team& team) { return (round - team.rank() + team.size()) % team.size(); }

Procedure exchange_in_place(Team& team, const Movement& movement) {
  std::vector<std::byte> outgoing;
  team.agreement().record_call();
  for (int round = 0; round < team.size(); ++round) {
    const int partner = partner_in(round, team);
    const Block whole = movement.receives->at(partner);
    if (partner == team.rank()) continue;
    for (std::uint64_t offset = 0; offset < whole.buffer.bytes; offset += kPieceBytes) {
      const std::uint64_t bytes = std::min(kPieceBytes, whole.buffer.bytes - offset);
      const Block piece{partner, whole.buffer.part(offset, bytes)};
      outgoing.resize(std::max(outgoing.size(), static_cast<std::size_t>(bytes)));
      piece.buffer.copy_to(outgoing.data(), 0, static_cast<std::size_t>(bytes));
      CallMessages messages(team, movement.mail, 1);
      messages.receive(piece);
      messages.send({partner, {outgoing.data(), bytes}});
      co_await MessagesWait(messages);
    }
  }
}

}  // namespace

Procedure move_by_messages(Team& team, const Movement& movement) {
  if (team.size() == 1) {
    if (!movement.replaces && !copy_own_blocks(team, movement)) co_await Surrender();
    co_return;
  }
  if (movement.replaces) {
    co_await exchange_in_place(team, movement);
  } else {
    co_await exchange(team, movement);
  }
  if (has_leftovers(team, movement.mail)) co_await Surrender();
}

}  // namespace foldlane::engine
