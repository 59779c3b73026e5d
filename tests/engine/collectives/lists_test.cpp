// Calls whose lengths only giver and taker of a block know, of more than two members: each member's blocks go
// in its line, in its slot or as its table tells, whatever the others' do.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/collectives/collectives.hpp"
#include "engine/job/areas.hpp"
#include "engine/moves/block_list.hpp"
#include "engine/moves/lists/announced_lists.hpp"
#include "support/ranks.hpp"

namespace foldlane::testing {
namespace {

using engine::Call;

constexpr std::size_t kLine = engine::PackedList::kMostInLine;
constexpr std::size_t kLongest = engine::kMostOfEachThroughSlots;

constexpr std::size_t kSlotBytes = 128 << 10;

/// In whose slots any list has room that a line can announce.
shm::SegmentShape shape_of(int ranks) {
  shm::SegmentShape shape = engine::shape_for(ranks, {.teams = 4, .slot_bytes = kSlotBytes});
  shape.heap_bytes = 4 << 20;
  return shape;
}

std::byte byte_of(int giver, int taker, std::size_t at) {
  return static_cast<std::byte>(static_cast<std::size_t>(37 * giver + 11 * taker) + at + (at >> 8));
}

/// What a member gives. By names: what its list does.
enum class Kind : std::uint8_t {
  none,
  in_line,
  fills_line,
  beyond_line,
  in_slot,
  fills_list,
  beyond_list,
  beyond_block
};
constexpr int kKinds = 8;

/// Of the block for the nth of the others, of `others` in all.
std::size_t length_of_each(Kind kind, std::size_t nth, std::size_t others) {
  const std::size_t line = kLine - (others + 1) - (others - 1);  // if all but the first have a byte
  switch (kind) {
    case Kind::none:
      return 0;
    case Kind::in_line:
      return 1 + nth;
    case Kind::fills_line:
      return nth == 0 ? line : 1;
    case Kind::beyond_line:
      return nth == 0 ? line + 1 : 1;
    case Kind::in_slot:
      return nth % 2 == 1 ? 0 : 700 + nth;
    case Kind::fills_list:  // of five others: 65,535 bytes
      return nth < 3 ? kLongest : nth == 3 ? kLongest - 1 : 0;
    case Kind::beyond_list:
      return nth < 4 ? kLongest : 0;
    default:
      return nth == 0 ? kLongest + 1 : 10 * nth;
  }
}

/// Of the one block for all.
std::size_t length_of_same(Kind kind) {
  switch (kind) {
    case Kind::none:
      return 0;
    case Kind::in_line:
      return 5;
    case Kind::fills_line:
      return kLine - 1;
    case Kind::beyond_line:
      return kLine;
    case Kind::in_slot:
      return 5000;
    case Kind::fills_list:
      return kLongest;
    case Kind::beyond_list:
      return kLongest + 1;
    default:
      return 4 * kLongest;
  }
}

/// A call in which members give different kinds. The first one's is that of the round.
struct Round {
  Call call;
  int number;
  int members;

  bool gives_each() const { return call != Call::allgatherv; }
  std::size_t length(int giver, int taker) const {
    const auto kind = static_cast<Kind>((giver * (1 + number / kKinds) + number) % kKinds);
    if (!gives_each()) return length_of_same(kind);
    if (giver == taker) return 3;
    return length_of_each(kind, static_cast<std::size_t>((taker - giver - 1 + members) % members),
                          static_cast<std::size_t>(members - 1));
  }
};

/// `more`: bytes that this member expects of the first one's block beyond what that one gives.
std::string move(RankContext& context, engine::Channel& channel, const Round& round, std::size_t more = 0) {
  const int rank = context.rank;
  const auto members = static_cast<std::size_t>(round.members);
  std::vector<std::vector<std::byte>> given(members), taken(members);
  engine::BlockList sends, receives;
  for (int member = 0; member < round.members; ++member) {
    auto& send = given[static_cast<std::size_t>(member)];
    auto& recv = taken[static_cast<std::size_t>(member)];
    for (std::size_t at = 0; at < round.length(rank, member); ++at)
      send.push_back(byte_of(rank, round.gives_each() ? member : 0, at));
    recv.resize(round.length(member, rank) + (member == 0 ? more : 0));
    sends.add({member, {send.data(), send.size()}});
    receives.add({member, {recv.data(), recv.size()}});
  }
  engine::Movement movement;
  movement.mail = {&context.messenger, &channel};
  movement.sends = &sends;
  movement.receives = &receives;
  movement.first = (rank + 1) % round.members;
  const auto done = perform(context.world, {.call = round.call, .movement = &movement});
  if (!done.ok()) return done.error().message;
  for (int member = 0; member < round.members; ++member) {
    const auto& recv = taken[static_cast<std::size_t>(member)];
    for (std::size_t at = 0; at < recv.size(); ++at)
      if (recv[at] != byte_of(member, round.gives_each() ? rank : 0, at))
        return fmt::format("call {}, round {}: byte {} from {} differs", static_cast<int>(round.call),
                           round.number, at, member);
  }
  return "";
}

std::string move_all(RankContext& context, int rounds) {
  engine::Channel& channel = context.messenger.open(context.world, engine::Messages::collective);
  for (int number = 0; number < rounds; ++number)
    for (const Call call : {Call::alltoallv, Call::allgatherv, Call::alltoallw})
      if (std::string problem = move(context, channel, {call, number, context.size}); !problem.empty())
        return problem;
  return "";
}

/// Each for itself, or told by the last to arrive.
class Lists : public ::testing::TestWithParam<int> {
 protected:
  static RunOptions options_of(int ranks) {
    RunOptions options{.shape = shape_of(ranks)};
    options.shared_cpus = GetParam();
    return options;
  }
};

TEST_P(Lists, OfAnyLengthsGiveWhatASerialShuffleGives) {
  for (const Transport transport : {Transport::threads, Transport::processes})
    for (const int ranks : {3, 6}) {
      const auto problems = run_ranks(transport, options_of(ranks),
                                      [](RankContext& context) { return move_all(context, 2 * kKinds); });
      EXPECT_TRUE(problems.empty()) << name(transport) << ", " << ranks << ": " << problems.front();
    }
}

/// A line has room for the ends of 56 blocks in a slot: more members have tables alone.
TEST_P(Lists, OfManyMembersGiveWhatASerialShuffleGives) {
  for (const int ranks : {56, 57}) {
    ASSERT_EQ(engine::are_lists_announced(Call::alltoallv, ranks), ranks == 56);
    ASSERT_TRUE(engine::ListedBlocks::fit_slots(Call::alltoallv, ranks, kSlotBytes)) << "messages";
    const auto problems = run_ranks(Transport::processes, options_of(ranks),
                                    [](RankContext& context) { return move_all(context, 2); });
    EXPECT_TRUE(problems.empty()) << ranks << ": " << problems.front();
  }
}

TEST_P(Lists, WhoExpectsAnotherLengthSaysSoAndTheOthersToo) {
  for (const Call call : {Call::alltoallv, Call::allgatherv})
    for (int number = 0; number < kKinds; ++number) {
      const auto problems =
          run_ranks(Transport::threads, options_of(3), [call, number](RankContext& context) -> std::string {
            engine::Channel& channel = context.messenger.open(context.world, engine::Messages::collective);
            const Round round{call, number, context.size};
            std::string said = move(context, channel, round, context.rank == 1 ? 1 : 0);
            if (said.empty()) said = move(context, channel, round);  // what it has sent was not awaited
            const std::size_t sent = round.length(0, 1);
            const std::string wanted = fmt::format("rank 0 sent {} bytes, rank 1 expects {}", sent, sent + 1);
            return said.find(wanted) == std::string::npos ? "it says: " + said : "";
          });
      EXPECT_TRUE(problems.empty()) << number << ": " << problems.front();
    }
}

INSTANTIATE_TEST_SUITE_P(SharedCpus, Lists, ::testing::Values(0, 2));

}  // namespace
}  // namespace foldlane::testing
