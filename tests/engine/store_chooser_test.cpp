#include "engine/store_chooser.hpp"

#include <gtest/gtest.h>

namespace foldlane::engine {
namespace {

struct Costs {
  double plain_ns;
  double streaming_ns;
};

/// Does `fills` fills on a machine with such costs; returns how many of them were streaming.
int work(StoreChooser& chooser, int fills, Costs costs) {
  int streamed = 0;
  for (int fill = 0; fill < fills; ++fill) {
    const auto choice = chooser.next();
    streamed += choice.streaming ? 1 : 0;
    if (choice.timed) chooser.report(1, choice.streaming ? costs.streaming_ns : costs.plain_ns);
  }
  return streamed;
}

constexpr Costs kNear{3.3, 1.0};
constexpr Costs kFar{7.4, 1.0};

TEST(StoreChooser, StaysPlainWhereLinesComeFromANearCache) {
  StoreChooser chooser;
  EXPECT_LT(work(chooser, 10'000, kNear), 10'000 / 50);
  EXPECT_FALSE(chooser.streaming());
}

TEST(StoreChooser, StreamsWhereTakingLinesBackIsDear) {
  StoreChooser chooser;
  EXPECT_GT(work(chooser, 10'000, kFar), 10'000 - 10'000 / 50);
  EXPECT_TRUE(chooser.streaming());
}

TEST(StoreChooser, FollowsAMoveWithinAFewTrials) {
  StoreChooser chooser;
  work(chooser, 10'000, kNear);
  work(chooser, 300, kFar);
  EXPECT_TRUE(chooser.streaming());
  work(chooser, 300, kNear);
  EXPECT_FALSE(chooser.streaming());
}

TEST(StoreChooser, OneDisturbedTrialChangesNothing) {
  StoreChooser chooser;
  work(chooser, 10'000, kNear);
  bool disturbed = false;
  for (int fill = 0; fill < 200 && !disturbed; ++fill) {
    const auto choice = chooser.next();
    if (!choice.timed) continue;
    chooser.report(1, choice.streaming ? 1.0 : 1e6);  // the core was taken away during the plain fill
    disturbed = choice.streaming;
  }
  EXPECT_TRUE(disturbed);
  EXPECT_FALSE(chooser.streaming());
}

}  // namespace
}  // namespace foldlane::engine
