// Calls that only move data by their plans. In a team of groups: collected and told of by leaders, as
// lists, in chunks, and what is longest by messages. Long blocks of flat teams: in chunks, and of two members
// in boxes or pulled. Compared with a serial shuffle.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "engine/collectives/collectives.hpp"
#include "support/counted_crowd.hpp"
#include "support/ranks.hpp"
#include "support/vector_blocks.hpp"

namespace foldlane::testing {
namespace {

using engine::Call;

constexpr int kRanks = 12;
constexpr std::size_t kSlotBytes = 4096;

std::byte byte_of(int sender, std::size_t at, int round) {
  return static_cast<std::byte>(static_cast<std::size_t>(sender) * 37 + at * 11 + (at >> 8) +
                                static_cast<std::size_t>(round) * 5);
}

/// A block of so many bytes for each member.
std::string move(RankContext& context, engine::Channel& channel, Call call, int root, std::size_t bytes,
                 int round) {
  const auto members = static_cast<std::size_t>(context.size);
  std::vector<std::byte> send(members * bytes), recv(members * bytes);
  for (std::size_t i = 0; i < send.size(); ++i) send[i] = byte_of(context.rank, i, round);
  VectorMove sides(call, root, context.size, context.rank, bytes, send.data(), recv.data());
  sides.movement.mail = {&context.messenger, &channel};
  if (!engine::moves_equal_blocks(call)) sides.movement.block_bytes = 0;
  const auto done = perform(context.world, {.call = call, .root = root, .movement = &sides.movement});
  if (!done.ok()) return done.error().message;
  const std::size_t from =
      engine::gives_block_for_each(call) ? static_cast<std::size_t>(context.rank) * bytes : 0;
  for (int i = 0; i < sides.receives.count(); ++i) {
    const engine::Block block = sides.receives.at(i);
    for (std::size_t at = 0; at < bytes; ++at)
      if (block.buffer.address[at] != byte_of(block.member, from + at, round))
        return fmt::format("{} of {} bytes: byte {} from {} differs", static_cast<int>(call), bytes, at,
                           block.member);
  }
  return "";
}

/// An alltoall in place.
std::string replace(RankContext& context, engine::Channel& channel, std::size_t bytes, int round) {
  const auto members = static_cast<std::size_t>(context.size);
  std::vector<std::byte> data(members * bytes);
  for (std::size_t i = 0; i < data.size(); ++i) data[i] = byte_of(context.rank, i, round);
  VectorMove sides(Call::alltoall, 0, context.size, context.rank, bytes, data.data(), data.data());
  sides.movement.mail = {&context.messenger, &channel};
  sides.movement.sends = sides.movement.receives;
  sides.movement.replaces = true;
  const auto done = perform(context.world, {.call = Call::alltoall, .movement = &sides.movement});
  if (!done.ok()) return done.error().message;
  const std::size_t from = static_cast<std::size_t>(context.rank) * bytes;
  for (std::size_t i = 0; i < data.size(); ++i)
    if (data[i] != byte_of(static_cast<int>(i / bytes), from + i % bytes, round))
      return fmt::format("in place, {} bytes: byte {} differs", bytes, i);
  return "";
}

constexpr Call kCalls[] = {Call::gather,  Call::allgatherv, Call::scatter,  Call::alltoall,
                           Call::gatherv, Call::allgather,  Call::scatterv, Call::alltoallv};

std::string move_in_round(RankContext& context, engine::Channel& channel, int round,
                          const std::vector<std::size_t>& sizes) {
  for (const std::size_t bytes : sizes) {
    for (const Call call : kCalls)
      if (std::string problem = move(context, channel, call, round % context.size, bytes, round);
          !problem.empty())
        return problem;
    if (std::string problem = replace(context, channel, bytes, round); !problem.empty()) return problem;
  }
  return "";
}

std::string move_all(RankContext& context, int rounds, const std::vector<std::size_t>& sizes) {
  engine::Channel& channel = context.messenger.open(context.world, engine::Messages::collective);
  for (int round = 0; round < rounds; ++round)
    if (std::string problem = move_in_round(context, channel, round, sizes); !problem.empty()) return problem;
  return "";
}

/// Where several threads may be inside, each call leases a ring. What else has leased the first one is
/// another member in every round: so slots of one call are in several places, and a member's change.
std::string move_through_many_rings(RankContext& context) {
  engine::Channel& channel = context.messenger.open(context.world, engine::Messages::collective);
  context.process.progress().allow_threads();
  for (int round = 0; round < 12; ++round) {
    const bool holds = (context.rank + round) % 3 == 0;
    engine::Team::Slots::Ring* const held =
        holds ? context.process.lease(context.world, context.world.slots().ring()) : nullptr;
    if (holds && held == nullptr) return "there is no ring";
    std::string problem = move_in_round(context, channel, round, {8, 64, 200});
    if (holds) context.process.give_back(*held);
    if (!problem.empty()) return problem;
  }
  return "";
}

TEST(Moves, InGroupsGiveWhatASerialShuffleGives) {
  RunOptions options{.shape = tiny_shape(kRanks)};
  options.seats = seats_on("package:2 l3:2 core:3", kRanks);
  ASSERT_FALSE(engine::groups_of(options.seats).levels.empty());
  for (const Transport transport : {Transport::threads, Transport::processes}) {
    const auto problems = run_ranks(transport, options, [](RankContext& context) -> std::string {
      if (context.world.hierarchy() == nullptr) return "the team is flat";
      return move_all(context, 12, {8, 64, 72, 200, kSlotBytes - 8, kSlotBytes + 1});
    });
    EXPECT_TRUE(problems.empty()) << name(transport) << ": " << problems.front();
  }
}

TEST(Moves, InGroupsGoThroughAnyRing) {
  RunOptions options{.shape = tiny_shape(kRanks)};
  options.seats = seats_on("package:2 l3:2 core:3", kRanks);
  for (const Transport transport : {Transport::threads, Transport::processes}) {
    const auto problems = run_ranks(transport, options, move_through_many_rings);
    EXPECT_TRUE(problems.empty()) << name(transport) << ": " << problems.front();
  }
}

TEST(Moves, OfLongBlocksGiveWhatASerialShuffleGives) {
  for (const int ranks : {2, 3})
    for (const Transport transport : {Transport::threads, Transport::processes}) {
      const auto problems =
          run_ranks(transport, {.shape = tiny_shape(ranks)}, [](RankContext& context) -> std::string {
            return move_all(context, 4,
                            {kSlotBytes + 1, 4 * kSlotBytes, 6 * kSlotBytes, (32 << 10) + 1, 70'000});
          });
      EXPECT_TRUE(problems.empty()) << name(transport) << " of " << ranks << ": " << problems.front();
    }
}

}  // namespace
}  // namespace foldlane::testing
