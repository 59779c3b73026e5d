#include "api/collective/move.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "api/core/failure.hpp"
#include "api/errors/args.hpp"
#include "api/p2p/arguments.hpp"
#include "api/statistics/recorder.hpp"

namespace foldlane::api {
namespace {

/// Of this member's input. An allgather gives the same block to everybody.
std::uint64_t bytes_of_input(engine::Call call, const engine::Blocks& sends) {
  std::uint64_t sum = 0, most = 0;
  for (int i = 0; i < sends.count(); ++i) {
    const std::uint64_t bytes = sends.at(i).buffer.bytes;
    sum += bytes;
    most = std::max(most, bytes);
  }
  return engine::moves_one_to_all(call) ? most : sum;
}

}  // namespace

engine::Mail mail_on(Communicator& communicator, MPI_Comm comm) {
  if (communicator.team->size() == 1) return {&messenger(), nullptr};
  engine::Channel* const channel = communicator.collective_channel.observe();
  return {&messenger(), channel != nullptr ? channel : &open_collective_channel(communicator, comm)};
}

engine::Movement movement_on(Communicator& communicator, MPI_Comm comm, const engine::Blocks& sends,
                             const engine::Blocks& receives) {
  return {.mail = mail_on(communicator, comm), .sends = &sends, .receives = &receives};
}

engine::Collective describe(engine::Call call, const engine::Movement& movement) {
  engine::Collective described{.call = call, .movement = &movement};
  if (recorder != nullptr) [[unlikely]]
    described.count = bytes_of_input(call, *movement.sends);
  return described;
}

void check_own_block(const MoveCall& call) {
  if (call.communicator.is_inter || call.replaces) return;
  const int own = call.communicator.team->rank();
  const std::uint64_t sent = call.sends.bytes_of(own), expected = call.receives.bytes_of(own);
  if (sent != expected) {
    fail(MPI_ERR_TRUNCATE, fmt::format("rank {} sends itself {} bytes, but expects {}", own, sent, expected));
  }
  if (call.is_in_place) return;
  check_disjoint(call.sends.start(), call.sends.span_bytes(), call.receives.start(),
                 call.receives.span_bytes());
}

engine::Movement movement_of(const MoveCall& call, MPI_Comm comm) {
  const Partners partners = partners_of(call.communicator);
  const int position = call.communicator.rank();
  const bool rooted = engine::moves_from_or_to_root(call.call);
  const BufferBlocks& known = call.sends.count() > 0 ? call.sends : call.receives;
  engine::Movement movement = movement_on(call.communicator, comm, call.sends, call.receives);
  movement.first = rooted ? 0 : (position + 1) % partners.count;
  movement.replaces = call.replaces;
  movement.block_bytes = engine::moves_equal_blocks(call.call) ? known.block_bytes() : 0;
  return movement;
}

engine::Collective describe(const MoveCall& call, const engine::Movement& movement) {
  engine::Collective described = describe(call.call, movement);
  described.root = call.root;
  if (call.communicator.is_inter) described.sides = call.communicator.sides();
  return described;
}

}  // namespace foldlane::api
