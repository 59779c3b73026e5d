// What an implementation does in one case before it is measured.
#include "bench/measure/track.hpp"

#include <gtest/gtest.h>

namespace foldlane::bench {
namespace {

/// Calls that take so long.
class Steady final : public Contestant {
 public:
  explicit Steady(double call_us) : call_us_(call_us) {}

  void make_arenas(std::size_t, Arenas) override {}
  void select(const Case&, const Places&) override {}
  Check verify(const Case&) override { return {}; }
  Slice run(int warm_up, int calls, Timing) override {
    calls_ += warm_up + calls;
    return {std::vector<double>(static_cast<std::size_t>(calls), call_us_), 0, 0};
  }
  int calls() const { return calls_; }

 private:
  double call_us_;
  int calls_ = 0;
};

/// Calls of the first round in a launch that count for nothing, but those of every round.
int calls_to_warm_up(const Case& what, double call_us) {
  Steady contestant(call_us);
  Track track;
  track.prepare(contestant, what, {});
  const auto calls_of_a_round = [&](int launch) {
    const int before = contestant.calls();
    track.take_turn(contestant, what, launch);
    return contestant.calls() - before;
  };
  const int first = calls_of_a_round(1), usual = calls_of_a_round(1);
  EXPECT_EQ(calls_of_a_round(2), first) << "in each launch";
  EXPECT_EQ(calls_of_a_round(2), usual);
  return first - usual;
}

TEST(WarmUp, IsTwentyCalls) {
  EXPECT_EQ(calls_to_warm_up({.call = "bcast"}, 1), 20);
  EXPECT_EQ(calls_to_warm_up({.call = "bcast"}, 999), 20);
}

TEST(WarmUp, IsShorterWhereCallsAreLong) {
  EXPECT_EQ(calls_to_warm_up({.call = "bcast"}, 5'000), 4);
  EXPECT_EQ(calls_to_warm_up({.call = "bcast"}, 100'000), 0);
}

/// Of a window of 64 each is said to take a 64th.
TEST(WarmUp, CountsWholeWindows) { EXPECT_EQ(calls_to_warm_up({.call = "bidirectional"}, 5'000.0 / 64), 4); }

}  // namespace
}  // namespace foldlane::bench
