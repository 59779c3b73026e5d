#include "engine/team/store_chooser.hpp"

#include <gtest/gtest.h>

#include "engine/team/result_stores.hpp"

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

TEST(StoreChooser, WarmsUpBeforeItTimesResults) {
  StoreChooser chooser(StoreChooser::kResults);
  const StoreChooser::Choice expected[] = {{false, false}, {false, true}, {true, false}, {true, true}};
  for (const auto& [streaming, timed] : expected) {
    const auto choice = chooser.next();
    EXPECT_EQ(choice.streaming, streaming);
    EXPECT_EQ(choice.timed, timed);
    if (choice.timed) chooser.report(1, 1.0);
  }
  EXPECT_FALSE(chooser.next().timed);
}

TEST(StoreChooser, KeepsResultsInCachesUnlessThatIsDearer) {
  StoreChooser warm(StoreChooser::kResults), cold(StoreChooser::kResults);
  work(warm, 1000, {0.9, 1.0});
  work(cold, 1000, {1.1, 1.0});
  EXPECT_FALSE(warm.streaming());
  EXPECT_TRUE(cold.streaming());
}

TEST(StoreChooser, AFillIsOneChoiceInAllItsParts) {
  StoreChooser chooser(StoreChooser::kResults);
  int parts = 0, streamed = 0;
  for (int i = 0; i < 4; ++i) {
    StoreChooser::Fill fill(&chooser);
    for (int part = 0; part < 3; ++part) {
      fill.perform(1, [&](bool streaming) {
        ++parts;
        streamed += streaming ? 1 : 0;
      });
    }
  }
  EXPECT_EQ(parts, 12);
  EXPECT_EQ(streamed, 6);
  EXPECT_FALSE(chooser.next().timed);  // the trial is over
}

TEST(ResultStores, OneChooserPerPowerOfTwo) {
  ResultStores stores;
  EXPECT_EQ(&stores.of(2 << 10), &stores.of((4 << 10) - 8));
  EXPECT_NE(&stores.of((4 << 10) - 8), &stores.of(4 << 10));
  EXPECT_NE(&stores.of(16 << 20), &stores.of(32 << 20));
  EXPECT_EQ(&stores.of(std::size_t{1} << 40), &stores.of(std::size_t{1} << 50));
}

}  // namespace
}  // namespace foldlane::engine
