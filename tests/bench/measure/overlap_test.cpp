// What is measured of a call and a computation that share their time.
#include "bench/measure/overlap.hpp"

#include <gtest/gtest.h>

namespace foldlane::bench {
namespace {

TEST(Hidden, IsTheShareOfTheShorterThatTookNoTime) {
  EXPECT_EQ(hidden_percent(100, 100, 100), 100);
  EXPECT_EQ(hidden_percent(100, 100, 150), 50);
  EXPECT_EQ(hidden_percent(100, 100, 200), 0);
  EXPECT_EQ(hidden_percent(50, 200, 225), 50);
  EXPECT_EQ(hidden_percent(200, 50, 225), 50);
}

TEST(Hidden, IsNeverLessThanNothingOrMoreThanAll) {
  EXPECT_EQ(hidden_percent(100, 100, 250), 0);
  EXPECT_EQ(hidden_percent(100, 100, 90), 100);
  EXPECT_EQ(hidden_percent(0, 100, 100), 0);
}

TEST(Longest, IsBothOneAfterTheOther) {
  EXPECT_EQ(longest_us({.call = "iallreduce"}, 40), 40);
  EXPECT_EQ(longest_us({.call = "iallreduce", .beside = Beside::no_calls}, 40), 80);
  EXPECT_EQ(longest_us({.call = "iallreduce", .beside = Beside::late}, 40), 4080);
}

/// A call of 40 us and no overlap at all.
class Serial final : public Contestant {
 public:
  void make_arenas(std::size_t, Arenas) override {}
  void select(const Case&, const Places&) override {}
  Check verify(const Case&) override { return {}; }
  void load(const Load& load) override { loads.push_back(load); }
  Slice run(int warm_up, int calls, Timing timing) override {
    EXPECT_EQ(warm_up, 1);
    EXPECT_EQ(calls, 3);
    EXPECT_EQ(timing, Timing::stamped);
    const double call = loads.back().communicates ? 40 : 0;
    const double time = loads.back().late_us + loads.back().compute_us + call;
    return {{time - 1, time, time + 1}, 0.5, 0};
  }

  std::vector<Load> loads;
};

std::vector<Load> loads_of(Beside beside) {
  Serial contestant;
  const Overlapped round = run_overlapped(contestant, {.call = "iallreduce", .beside = beside}, 1, 3);
  const double late = beside == Beside::late ? 2000 : 0;
  EXPECT_EQ(round.alone, late + 40);
  EXPECT_EQ(round.computing, late + round.alone);
  EXPECT_EQ(round.both.times[1], late + round.alone + 40);
  EXPECT_EQ(contestant.loads.size(), 3u);
  return contestant.loads;
}

TEST(Overlapped, IsAloneThenComputingThenBoth) {
  const auto loads = loads_of(Beside::tests);
  EXPECT_TRUE(loads[0].communicates);
  EXPECT_EQ(loads[0].compute_us, 0);
  EXPECT_FALSE(loads[1].communicates);
  EXPECT_EQ(loads[1].compute_us, 40);
  EXPECT_TRUE(loads[2].communicates);
  EXPECT_EQ(loads[2].compute_us, 40);
  EXPECT_EQ(loads[2].test_every_us, 100);
}

TEST(Overlapped, MayDoWithoutTests) { EXPECT_EQ(loads_of(Beside::no_calls)[2].test_every_us, 0); }

TEST(Overlapped, MayHaveARankThatIsLateInAllThree) {
  for (const Load& load : loads_of(Beside::late)) EXPECT_EQ(load.late_us, 2000);
}

}  // namespace
}  // namespace foldlane::bench
