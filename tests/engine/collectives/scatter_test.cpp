// Scattervs of more than two members: in a line, or in the root's slot, whichever the lengths allow.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "engine/collectives/collectives.hpp"
#include "engine/collectives/leaf_calls.hpp"
#include "engine/moves/block_list.hpp"
#include "engine/moves/lists/announced_lists.hpp"
#include "engine/moves/shown_move.hpp"
#include "support/counted_crowd.hpp"
#include "support/ranks.hpp"
#include "support/vector_blocks.hpp"

namespace foldlane::testing {
namespace {

using engine::Call;

constexpr std::size_t kLine = engine::PackedList::kMostInLine;

// ---- how far a root runs ahead of those who take

/// One scatterv after the other from rank 0, of three.
class RootAlone {
 public:
  explicit RootAlone(std::size_t block_bytes)
      : block_bytes_(block_bytes), crowd_(seats_on("package:1 core:3", 3), false, 4096) {}

  /// How many come to their end though nobody else has begun; and what the others then find.
  int run_ahead() {
    int calls = 0;
    while (runs_to_its_end(0, byte_of(calls))) ++calls;
    return calls;
  }
  void expect_taken(int calls) {
    for (int call = 0; call < calls; ++call)
      for (const int rank : {1, 2}) {
        ASSERT_TRUE(runs_to_its_end(rank, std::byte{0})) << call;
        ASSERT_EQ(taken_, std::vector<std::byte>(block_bytes_, byte_of(call))) << call << ", rank " << rank;
      }
  }

 private:
  static std::byte byte_of(int call) { return static_cast<std::byte>(call + 1); }

  bool runs_to_its_end(int rank, std::byte sent) {
    std::vector<std::byte> send(3 * block_bytes_, sent);
    taken_.assign(3 * block_bytes_, std::byte{0});
    const VectorMove sides(Call::scatterv, 0, 3, rank, block_bytes_, send.data(), taken_.data());
    CountedCrowd::Team& team = crowd_.team(rank);
    engine::ChunkedLists chunks;
    engine::BlockChoices::Use way(team.slots().block_choices());
    Traffic::current = &crowd_.traffic();
    crowd_.traffic().run_as(rank);
    auto procedure = engine::as_procedure<engine::AnnouncedLists<CountedCrowd::Team>>(
        team, Call::scatterv, 0, std::cref(sides.movement), std::ref(chunks), std::ref(way));
    const bool is_over = procedure.step() == engine::Progress::done;
    taken_.resize(block_bytes_);
    return is_over;
  }

  std::size_t block_bytes_;
  CountedCrowd crowd_;
  std::vector<std::byte> taken_;
};

TEST(Scatterv, ARootRunsAheadByAsManyCallsAsThereAreLines) {
  RootAlone root(8);
  const int calls = root.run_ahead();
  EXPECT_EQ(calls, static_cast<int>(engine::TeamLines::kInlineLines));
  root.expect_taken(calls);
}

TEST(Scatterv, OfLongerBlocksByAsManyAsThereAreSlots) {
  RootAlone root(kLine);
  const int calls = root.run_ahead();
  EXPECT_EQ(calls, static_cast<int>(engine::kSlots));
  root.expect_taken(calls);
}

// ---- what a root times

constexpr std::size_t kBytes = 40'000;

bool is_timed_next(engine::BlockChoices& choices) {
  engine::BlockChoices::Use use(choices);
  use.pulls(kBytes, false);
  return use.awaits_all();
}
int calls_before_one_is_timed() {
  engine::Decisions decisions;
  engine::BlockChoices choices(decisions, false);
  choices.learn(true);
  int calls = 0;
  while (!is_timed_next(choices)) ++calls;
  return calls;
}

/// Whether a root of long blocks is through, though nobody has taken any, in a call in which it times the way
/// of its blocks, or in one before that.
bool is_through_alone(bool times) {
  CountedCrowd crowd(seats_on("package:1 core:3", 3), false, 256 << 10);
  CountedCrowd::Team& team = crowd.team(0);
  team.slots().block_choices().learn(true);
  for (int call = 0; times && call < calls_before_one_is_timed(); ++call)
    is_timed_next(team.slots().block_choices());
  std::vector<std::byte> send(3 * kBytes), taken(3 * kBytes);
  const VectorMove sides(Call::scatterv, 0, 3, 0, kBytes, send.data(), taken.data());
  engine::ChunkedLists chunks;
  engine::BlockChoices::Use way(team.slots().block_choices());
  Traffic::current = &crowd.traffic();
  crowd.traffic().run_as(0);
  auto tables = engine::as_procedure<engine::AnnouncedLists<CountedCrowd::Team>>(
      team, Call::scatterv, 0, std::cref(sides.movement), std::ref(chunks), std::ref(way));
  EXPECT_EQ(tables.step(), engine::Progress::done);
  EXPECT_EQ(chunks.turns, 1U);
  auto turns = engine::as_procedure<engine::ListChunksMove<CountedCrowd::Team, 1>>(
      team, Call::scatterv, 0, std::cref(sides.movement), std::ref(chunks), engine::Arm::first);
  return turns.step() == engine::Progress::done;
}

TEST(Scatterv, ARootAwaitsTheOthersOnlyWhereItTimes) {
  EXPECT_TRUE(is_through_alone(false));
  EXPECT_FALSE(is_through_alone(true));
}

// ---- lengths

std::byte byte_of(int root, int member, std::size_t at) {
  return static_cast<std::byte>(static_cast<std::size_t>(37 * root + 11 * member) + at);
}

/// Leaves call it with lists, or with one block if that may be.
enum class As : std::uint8_t { list, leaf };

/// A scatterv of blocks of these lengths, of which one expects `more` bytes than it gets.
std::string scatter(RankContext& context, engine::Channel& channel, int root,
                    const std::vector<std::size_t>& lengths, As as, std::size_t more = 0) {
  const auto own = static_cast<std::size_t>(context.rank);
  std::vector<std::vector<std::byte>> sent(lengths.size());
  engine::BlockList sends, receives;
  for (int member = 0; member < context.size && context.rank == root; ++member) {
    auto& block = sent[static_cast<std::size_t>(member)];
    for (std::size_t at = 0; at < lengths[static_cast<std::size_t>(member)]; ++at)
      block.push_back(byte_of(root, member, at));
    sends.add({member, {block.data(), block.size()}});
  }
  std::vector<std::byte> taken(lengths[own] + more);
  receives.add({root, {taken.data(), taken.size()}});
  engine::Movement movement;
  movement.mail = {&context.messenger, &channel};
  movement.sends = &sends;
  movement.receives = &receives;
  const auto done =
      as == As::leaf && context.rank != root && is_leaf_call(context.world, Call::scatterv, taken.size())
          ? perform_as_leaf(context.world, Call::scatterv, {taken.data(), taken.size()}, root)
          : perform(context.world, {.call = Call::scatterv, .root = root, .movement = &movement});
  if (!done.ok()) return done.error().message;
  for (std::size_t at = 0; at < taken.size(); ++at)
    if (taken[at] != byte_of(root, context.rank, at)) return fmt::format("byte {} differs", at);
  return "";
}

/// Of four members, the lengths themselves among them.
const std::vector<std::vector<std::size_t>> kLengths = {
    {1, 2, 3, 4},       {0, 0, 0, 0},
    {0, 7, 0, 100},     {kLine, 50, 50, 8},  // from the first, which keeps its own, fills a line
    {kLine, 50, 50, 9}, {36, 36, 36, 36},    // fills it
    {37, 37, 37, 37},   {3000, 1, 0, 70'000},
};

TEST(Scatterv, OfAnyLengthsGivesWhatASerialShuffleGives) {
  for (const Transport transport : {Transport::threads, Transport::processes}) {
    const auto problems = run_ranks(transport, {.shape = tiny_shape(4)}, [](RankContext& context) {
      engine::Channel& channel = context.messenger.open(context.world, engine::Messages::collective);
      for (int round = 0; round < 12; ++round)
        for (const auto& lengths : kLengths)
          if (std::string problem = scatter(context, channel, round % context.size, lengths,
                                            context.rank % 2 == round / 4 % 2 ? As::leaf : As::list);
              !problem.empty())
            return fmt::format("round {}: {}", round, problem);
      return std::string();
    });
    EXPECT_TRUE(problems.empty()) << name(transport) << ": " << problems.front();
  }
}

TEST(Scatterv, WhoExpectsAnotherLengthSaysSo) {
  for (const As as : {As::list, As::leaf})
    for (const std::size_t bytes : {std::size_t{5}, std::size_t{100}, kLine, std::size_t{1000}})
      for (const std::size_t others : {bytes, std::size_t{20'000}}) {  // a table tells of all
        const auto problems = run_ranks(
            Transport::threads, {.shape = tiny_shape(3)},
            [bytes, others, as](RankContext& context) -> std::string {
              engine::Channel& channel = context.messenger.open(context.world, engine::Messages::collective);
              // After the first call all know whether they can pull, which leaves want to know.
              if (std::string problem = scatter(context, channel, 0, {1, 1, 1}, as); !problem.empty())
                return problem;
              if (!is_leaf_call(context.world, Call::scatterv, bytes + 1)) return "it is no leaf's call";
              const bool is_wrong = context.rank == 2;
              const std::string said =
                  scatter(context, channel, 0, {bytes, others, bytes}, as, is_wrong ? 1 : 0);
              if (!is_wrong) return "";
              const std::string wanted =
                  fmt::format("rank 0 sent {} bytes, rank 2 expects {}", bytes, bytes + 1);
              if (said.find(wanted) == std::string::npos) return "it says: " + said;
              return "";
            });
        EXPECT_TRUE(problems.empty()) << problems.front();
      }
}

}  // namespace
}  // namespace foldlane::testing
