// The oracle judged: by what it makes of every legal outcome, and of outcomes of machines with a broken rule.
#include <gtest/gtest.h>

#include "matching/check.hpp"
#include "matching/generate.hpp"
#include "matching/payload.hpp"
#include "matching/walk.hpp"

namespace foldlane::matching {
namespace {

constexpr int kMostStates = 20000;

TEST(Matching, PlannedProgramsEndHoweverTheyAreRun) {
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    const Program program = planned_program(seed, 8);
    for (std::uint64_t run = 0; run < 3; ++run) {
      Random random(3 * seed + run);
      const Outcome outcome = simulate(program, random);
      ASSERT_FALSE(outcome.empty()) << text_of(program);
      ASSERT_EQ(check(program, logs_of(program, outcome)).why, "") << text_of(program);
    }
  }
}

/// Two ways to say what is legal: all that exploring finds, and what can be replayed.
TEST(Matching, EveryOutcomeFoundByExploringIsLegal) {
  std::size_t outcomes = 0;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    const Program program = small_program(seed, 4);
    const Exploration found = explore(program, kMostStates);
    if (!found.is_safe()) continue;
    outcomes += found.outcomes.size();
    for (const Outcome& outcome : found.outcomes)
      ASSERT_EQ(check(program, logs_of(program, outcome), &found.outcomes).why, "") << text_of(program);
  }
  EXPECT_GT(outcomes, 5000U);
}

/// Changes one value into another that the same kind of call may have.
Outcome changed(const Program& program, Outcome outcome, Random& random) {
  const auto rank = static_cast<std::size_t>(random.below(program.ranks()));
  if (outcome[rank].empty()) return outcome;
  const int place = random.below(static_cast<int>(outcome[rank].size()));
  const Call& call = program.call(static_cast<int>(rank), place);
  Value& value = outcome[rank][static_cast<std::size_t>(place)];
  if (call.selects())
    value = random.between(static_cast<int>(kFromNobody), static_cast<int>(program.messages.size()) - 1);
  if (call.kind == Kind::complete)
    value ^= Value{1} << random.below(static_cast<int>(call.requests.size()) + 1);
  if (call.kind == Kind::cancel) value = 1 - value;
  return outcome;
}

TEST(Matching, ChangedOutcomesAreLegalOnlyIfExploringFindsThem) {
  Random random(1);
  int rejected = 0;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    const Program program = small_program(seed, 4);
    const Exploration found = explore(program, kMostStates);
    if (!found.is_safe()) continue;
    for (const Outcome& outcome : found.outcomes) {
      const Outcome other = changed(program, outcome, random);
      const bool is_legal = found.outcomes.contains(other);
      ASSERT_EQ(replay(program, other).empty(), is_legal) << text_of(program) << replay(program, other);
      rejected += is_legal ? 0 : 1;
    }
  }
  EXPECT_GT(rejected, 3000);
}

/// How many outcomes of a machine with these rules are found to be illegal. (Of messages with one envelope
/// and no contents nobody can say which came first.)
int rejected_outcomes(Rules rules) {
  int rejected = 0;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    const Program program = small_program(seed, 4);
    const Exploration found = explore(program, kMostStates);
    Random random(seed);
    for (int run = 0; run < 3 && found.is_safe(); ++run) {
      const Outcome outcome = simulate(program, random, rules);
      if (outcome.empty()) continue;
      const bool is_legal = found.outcomes.contains(outcome);
      const bool is_rejected = !check(program, logs_of(program, outcome)).is_legal();
      EXPECT_FALSE(is_rejected && is_legal) << text_of(program);
      EXPECT_EQ(replay(program, outcome).empty(), is_legal) << text_of(program);
      rejected += is_rejected ? 1 : 0;
    }
  }
  return rejected;
}

TEST(Matching, NoOutcomeOfTheRulesIsRejected) { EXPECT_EQ(rejected_outcomes({}), 0); }
TEST(Matching, SendersThatOvertakeAreFound) {
  EXPECT_GT(rejected_outcomes({.in_order_of_sends = false}), 10);
}
TEST(Matching, ReceivesThatOvertakeAreFound) {
  EXPECT_GT(rejected_outcomes({.in_order_of_receives = false}), 5);
}
TEST(Matching, SynchronousSendsThatDoNotWaitAreFound) {
  EXPECT_GT(rejected_outcomes({.synchronous = false}), 3);
}
TEST(Matching, ProbesThatSeeTooMuchAreFound) { EXPECT_GT(rejected_outcomes({.probes_see_free = false}), 3); }
TEST(Matching, TagsThatDoNotMatterAreFound) { EXPECT_GT(rejected_outcomes({.tags_matter = false}), 3); }

/// A record that is wrong in any way.
TEST(Matching, ChangedRecordsAreFound) {
  Random random(2);
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    const Program program = planned_program(seed, 4);
    const std::vector<Log> logs = logs_of(program, simulate(program, random));
    for (int rank = 0; rank < program.ranks(); ++rank) {
      for (int place = 0; place < static_cast<int>(program.script(rank).size()); ++place) {
        const Call& call = program.call(rank, place);
        std::vector<Log> wrong = logs;
        Record& record = wrong[static_cast<std::size_t>(rank)][static_cast<std::size_t>(place)];
        if (!call.receives() || static_cast<Seen>(record.seen) != Seen::message) continue;
        const int what = random.below(4);
        if (what == 0) record.units += 1;
        if (what == 1) record.id += 1;
        if (what == 2) record.tag += 10;
        if (what == 3) record.complaint = static_cast<std::int64_t>(Complaint::memory);
        ASSERT_FALSE(check(program, wrong).is_legal())
            << text_of(program) << rank << " " << place << " " << what;
      }
    }
  }
}

TEST(Matching, MemoryHoldsTheMessageInItsLayoutAndNothingElse) {
  for (int unit = 0; unit < 4; ++unit) {
    for (int layout = 0; layout < 6; ++layout) {
      const auto u = static_cast<Unit>(unit);
      const auto l = static_cast<Layout>(layout);
      const Memory full = memory_of(u, l, 24, 24, 0x12345678), partial = memory_of(u, l, 24, 5, 0x12345678);
      EXPECT_EQ(id_in(full, u, l, 24), 0x12345678U);
      EXPECT_EQ(full.size(), partial.size());
      EXPECT_NE(full, partial);
      EXPECT_NE(full, memory_of(u, l, 24, 24, 0x12345679));
    }
  }
}

/// Two messages of one sender, for receives with its tag and any tag: only the first fits the first receive.
TEST(Matching, ASmallCaseByHand) {
  Program program;
  program.comms = communicators_of(2);
  program.messages = {{0, 1, 0, 5, Unit::integer, 1, 0}, {0, 1, 0, 6, Unit::integer, 1, 1}};
  program.scripts.resize(2);
  for (int message = 0; message < 2; ++message) {
    Call send{Kind::send}, receive{Kind::receive};
    send.message = message;
    receive.unit = Unit::integer;
    receive.capacity = 1;
    receive.tag = message == 0 ? kAny : 6;
    program.scripts[0].push_back(send);
    program.scripts[1].push_back(receive);
  }
  const Exploration found = explore(program, kMostStates);
  EXPECT_TRUE(found.is_safe());
  EXPECT_EQ(found.outcomes, (std::set<Outcome>{{{0, 0}, {0, 1}}}));
  EXPECT_NE(replay(program, {{0, 0}, {1, 0}}), "");

  program.scripts[1][0].tag = 6;
  program.scripts[1][1].tag = kAny;
  EXPECT_TRUE(explore(program, kMostStates).may_deadlock) << "the first send need not be buffered";
}

}  // namespace
}  // namespace foldlane::matching
