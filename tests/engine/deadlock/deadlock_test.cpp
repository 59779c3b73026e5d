#include "engine/deadlock/deadlock.hpp"

#include <gtest/gtest.h>

#include "engine/deadlock/policy.hpp"
#include "engine/deadlock/report.hpp"

namespace foldlane::engine {
namespace {

using Kind = RankStanding::Kind;
using Ranks = std::vector<int>;

constexpr int kMostRanks = 200;

RankStanding waits_for(const Ranks& ranks) {
  RankSet awaited(kMostRanks);
  for (const int rank : ranks) awaited.add(rank);
  return {Kind::waits, 1, awaited};
}
const RankStanding runs{};
const RankStanding ended{Kind::ended, 0, RankSet(0)};

Ranks stuck(std::vector<RankStanding> ranks) {
  ranks.resize(kMostRanks);
  return find_deadlock(ranks);
}

TEST(Deadlock, NeedsSomebodyWhoWaits) {
  EXPECT_EQ(stuck({}), Ranks());
  EXPECT_EQ(stuck({runs, ended}), Ranks());
}

TEST(Deadlock, IsACircle) {
  EXPECT_EQ(stuck({waits_for({1}), waits_for({0})}), (Ranks{0, 1}));
  EXPECT_EQ(stuck({waits_for({1}), waits_for({2}), waits_for({0}), runs}), (Ranks{0, 1, 2}));
  EXPECT_EQ(stuck({waits_for({0}), runs}), (Ranks{0}));
}

TEST(Deadlock, IsNoneWhereSomebodyMayReleaseThem) {
  EXPECT_EQ(stuck({waits_for({1}), runs}), Ranks());
  EXPECT_EQ(stuck({waits_for({1}), waits_for({2}), runs}), Ranks());
  EXPECT_EQ(stuck({runs, waits_for({0}), waits_for({1})}), Ranks());
}

TEST(Deadlock, TakesThoseAlongWhoWaitForIt) {
  EXPECT_EQ(stuck({waits_for({1}), waits_for({0}), waits_for({0}), waits_for({2}), waits_for({5})}),
            (Ranks{0, 1, 2, 3}));
}

TEST(Deadlock, IsNoneWhereOneOfSeveralIsFree) {
  EXPECT_EQ(stuck({waits_for({1, 2}), waits_for({0}), runs}), Ranks());
  EXPECT_EQ(stuck({waits_for({1, 2}), waits_for({0}), waits_for({3}), runs}), Ranks());
  EXPECT_EQ(stuck({waits_for({1, 2}), waits_for({0}), waits_for({1})}), (Ranks{0, 1, 2}));
}

TEST(Deadlock, IsToWaitForWhoHasEnded) {
  EXPECT_EQ(stuck({waits_for({1}), ended}), (Ranks{0}));
  EXPECT_EQ(stuck({waits_for({1, 2}), ended, runs}), Ranks());
  EXPECT_EQ(stuck({waits_for({1, 2}), ended, waits_for({0})}), (Ranks{0, 2}));
}

TEST(Deadlock, IsSoughtAlongChainsOfManyRanks) {
  std::vector<RankStanding> up, down;
  for (int rank = 0; rank < kMostRanks; ++rank) {
    up.push_back(waits_for({(rank + 1) % kMostRanks}));
    down.push_back(waits_for({(rank + kMostRanks - 1) % kMostRanks}));
  }
  EXPECT_EQ(find_deadlock(up).size(), kMostRanks);
  EXPECT_EQ(find_deadlock(down).size(), kMostRanks);
  up[70] = down[70] = runs;
  EXPECT_EQ(find_deadlock(up), Ranks());
  EXPECT_EQ(find_deadlock(down), Ranks());
}

TEST(DeadlockReport, NamesRanksAndCalls) {
  const DeadlockReport report{
      true, {{0, 1.04, "call(a)", {"a hint", "another"}}, {3, 0.51, "call(b)", {}}}, 2, {}};
  EXPECT_EQ(text_of(report, "p: "),
            "p: deadlock: 2 ranks can only be released by each other\n"
            "p:   rank 0: call(a), for 1.0 s\n"
            "p:           a hint\n"
            "p:           another\n"
            "p:   rank 3: call(b), for 0.5 s\n");
}

TEST(DeadlockReport, CountsThoseItDoesNotName) {
  const DeadlockReport report{true, {{7, 1, "call()", {}}}, 30, {}};
  EXPECT_EQ(text_of(report, ""),
            "deadlock: 30 ranks can only be released by each other\n"
            "  rank 7: call(), for 1.0 s\n"
            "  and 29 more\n");
}

TEST(DeadlockReport, SaysWhoHasEnded) {
  const DeadlockReport report{true, {{0, 1, "call()", {}}}, 1, {4}};
  EXPECT_EQ(text_of(report, ""),
            "deadlock: 1 rank can only be released by itself, or by ranks that have ended\n"
            "  rank 0: call(), for 1.0 s\n"
            "  rank 4: has ended\n");
}

TEST(DeadlockReport, OfThreadsIsNotCertain) {
  const DeadlockReport report{false, {{0, 10, "call()", {}}}, 1, {}};
  EXPECT_EQ(text_of(report, ""),
            "probably a deadlock: 1 rank can only be released by itself, or by other threads\n"
            "  rank 0: call(), for 10.0 s\n");
}

TEST(DeadlockPolicy, IsAbortUnlessSaidOtherwise) {
  EXPECT_EQ(parse_deadlock_policy("").value(), DeadlockPolicy::abort);
  EXPECT_EQ(parse_deadlock_policy("abort").value(), DeadlockPolicy::abort);
  EXPECT_EQ(parse_deadlock_policy("report").value(), DeadlockPolicy::report);
  EXPECT_EQ(parse_deadlock_policy("off").value(), DeadlockPolicy::off);
  EXPECT_EQ(parse_deadlock_policy("no").error().message,
            "reading FOLDLANE_DEADLOCK: there is no 'no'; known are abort, report, off");
}

TEST(DeadlockHaste, IsANumber) {
  EXPECT_EQ(parse_deadlock_haste("").value(), 1);
  EXPECT_EQ(parse_deadlock_haste("1000").value(), 1000);
  for (const char* const wrong : {"0", "-1", "fast", "10x"})
    EXPECT_FALSE(parse_deadlock_haste(wrong).ok()) << wrong;
}

}  // namespace
}  // namespace foldlane::engine
