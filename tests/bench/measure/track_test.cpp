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

int calls_before_the_first_slice(const Case& what, double call_us) {
  Steady contestant(call_us);
  Track().prepare(contestant, what, {});
  return contestant.calls();
}

TEST(WarmUp, IsTwentyCalls) {
  EXPECT_EQ(calls_before_the_first_slice({.call = "bcast"}, 1), 20);
  EXPECT_EQ(calls_before_the_first_slice({.call = "bcast"}, 1'900), 20);
}

TEST(WarmUp, IsShorterWhereCallsAreLong) {
  EXPECT_EQ(calls_before_the_first_slice({.call = "bcast"}, 5'000), 8);
  EXPECT_EQ(calls_before_the_first_slice({.call = "bcast"}, 100'000), 4) << "those of the trial";
}

/// Of a window of 64 each is said to take a 64th.
TEST(WarmUp, CountsWholeWindows) {
  EXPECT_EQ(calls_before_the_first_slice({.call = "bidirectional"}, 5'000.0 / 64), 8);
}

}  // namespace
}  // namespace foldlane::bench
