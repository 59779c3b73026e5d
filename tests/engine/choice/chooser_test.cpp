#include "engine/choice/chooser.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "engine/choice/by_reuse.hpp"
#include "engine/choice/by_size.hpp"
#include "engine/choice/store_choices.hpp"
#include "support/test_clock.hpp"

namespace foldlane::engine {
namespace {

struct Costs {
  double plain_ns;
  double streaming_ns;
};

/// Does `fills` fills on a machine with such costs; returns how many of them were streaming.
int work(Chooser& chooser, int fills, Costs costs) {
  int streamed = 0;
  for (int fill = 0; fill < fills; ++fill) {
    const auto choice = chooser.next();
    streamed += is_streaming(choice.arm) ? 1 : 0;
    if (choice.timed) chooser.report(1, is_streaming(choice.arm) ? costs.streaming_ns : costs.plain_ns);
  }
  return streamed;
}

class ChooserTest : public ::testing::Test {
 protected:
  Decisions decisions;
};

constexpr Costs kNear{3.3, 1.0};
constexpr Costs kFar{7.4, 1.0};

TEST_F(ChooserTest, StaysPlainWhereLinesComeFromANearCache) {
  Chooser chooser(decisions.of(Decision::slot_stores));
  EXPECT_LT(work(chooser, 10'000, kNear), 10'000 / 50);
  EXPECT_EQ(chooser.settled(), Arm::first);
}

TEST_F(ChooserTest, StreamsWhereTakingLinesBackIsDear) {
  Chooser chooser(decisions.of(Decision::slot_stores));
  EXPECT_GT(work(chooser, 10'000, kFar), 10'000 - 10'000 / 50);
  EXPECT_EQ(chooser.settled(), Arm::second);
}

TEST_F(ChooserTest, FollowsAMoveWithinAFewTrials) {
  Chooser chooser(decisions.of(Decision::slot_stores));
  work(chooser, 10'000, kNear);
  work(chooser, 300, kFar);
  EXPECT_EQ(chooser.settled(), Arm::second);
  work(chooser, 300, kNear);
  EXPECT_EQ(chooser.settled(), Arm::first);
}

TEST_F(ChooserTest, OneThatIsNewBeginsAsTheNearestThatHasDecided) {
  BySize<Chooser> choosers{Chooser(decisions.of(Decision::slot_stores))};
  constexpr std::size_t kSmall = 16 << 10, kBetween = 64 << 10, kLarge = 256 << 10;
  work(choosers.of(kSmall), 1'000, kFar);
  work(choosers.of(kLarge), 1'000, kNear);
  EXPECT_EQ(choosers.informed(kBetween).settled(), Arm::second) << "smaller ones first";
  EXPECT_EQ(choosers.informed(kSmall / 4).settled(), Arm::second);
  EXPECT_EQ(choosers.informed(kLarge).settled(), Arm::first) << "has decided by itself";
  EXPECT_EQ(work(choosers.informed(2 * kBetween), 32, kNear), 32) << "its own trial comes later";
  work(choosers.of(2 * kBetween), 1'000, kNear);
  EXPECT_EQ(choosers.informed(2 * kBetween).settled(), Arm::first) << "and counts";
}

TEST_F(ChooserTest, OneThatIsNewBeginsAsIsLikelyWhereNoneHasDecided) {
  BySize<Chooser> choosers{Chooser(decisions.of(Decision::message_copy))};
  constexpr std::size_t kBytes = 64 << 10;
  EXPECT_EQ(choosers.informed(kBytes, Arm::second).settled(), Arm::second);
  EXPECT_EQ(choosers.informed(kBytes, Arm::first).settled(), Arm::second) << "it is not new any more";
  work(choosers.of(kBytes), 1'000, {1.0, 1.5});
  EXPECT_EQ(choosers.of(kBytes).settled(), Arm::first) << "and its trials count";
  EXPECT_EQ(choosers.informed(4 * kBytes, Arm::second).settled(), Arm::first) << "another one has decided";
}

TEST_F(ChooserTest, OneDisturbedTrialChangesNothing) {
  Chooser chooser(decisions.of(Decision::slot_stores));
  work(chooser, 10'000, kNear);
  bool disturbed = false;
  for (int fill = 0; fill < 200 && !disturbed; ++fill) {
    const auto choice = chooser.next();
    if (!choice.timed) continue;
    chooser.report(1, is_streaming(choice.arm) ? 1.0 : 1e6);  // the core was taken away during the plain fill
    disturbed = is_streaming(choice.arm);
  }
  EXPECT_TRUE(disturbed);
  EXPECT_EQ(chooser.settled(), Arm::first);
}

TEST_F(ChooserTest, OneDisturbedUseOfSeveralDoesNotDecideATrial) {
  Chooser chooser(decisions.of(Decision::hand_back));
  for (int uses = 0, timed = 0; uses < 10'000; ++uses) {
    const auto choice = chooser.next();
    if (!choice.timed) continue;
    const bool is_disturbed = timed++ % decisions.of(Decision::hand_back).row->habits.timed == 0;
    chooser.report(1, choice.arm == Arm::first && is_disturbed ? 1e6 : choice.arm == Arm::first ? 1.0 : 1.5);
  }
  EXPECT_EQ(chooser.settled(), Arm::first);
  EXPECT_EQ(decisions.of(Decision::hand_back).kept[1].peek(), 0U);
}

TEST_F(ChooserTest, WarmsUpBeforeItTimesResults) {
  Chooser chooser(decisions.of(Decision::result_stores));
  const Chooser::Choice expected[] = {
      {Arm::first, false}, {Arm::first, true}, {Arm::second, false}, {Arm::second, true}};
  for (const Chooser::Choice& each : expected) {
    const auto choice = chooser.next();
    EXPECT_EQ(choice.arm, each.arm);
    EXPECT_EQ(choice.timed, each.timed);
    if (choice.timed) chooser.report(1, 1.0);
  }
  EXPECT_FALSE(chooser.next().timed);
}

TEST_F(ChooserTest, KeepsResultsInCachesUnlessThatIsDearer) {
  Chooser warm(decisions.of(Decision::result_stores)), cold(decisions.of(Decision::result_stores));
  work(warm, 1000, {0.9, 1.0});
  work(cold, 1000, {1.1, 1.0});
  EXPECT_EQ(warm.settled(), Arm::first);
  EXPECT_EQ(cold.settled(), Arm::second);
}

/// The parts of the second arm are quicker, and slow down what comes between them.
TEST_F(ChooserTest, WhatPassesBetweenPartsBelongsToUsesThatSaySo) {
  using Clock = foldlane::testing::TestClock;
  using Since = Chooser::Use::Since;
  const auto settled_by = [&](Since since) {
    Chooser chooser(decisions.of(Decision::result_stores));
    for (int uses = 0; uses < 1000; ++uses) {
      Chooser::Use use(&chooser);
      for (int part = 0; part < 4; ++part) {
        Arm taken = Arm::first;
        const auto work = [&](Arm arm) {
          taken = arm;
          Clock::nanoseconds += arm == Arm::first ? 100 : 90;
        };
        use.perform<Clock>(1, work, since);
        Clock::nanoseconds += taken == Arm::first ? 10 : 50;
      }
    }
    return chooser.settled();
  };
  EXPECT_EQ(settled_by(Since::its_start), Arm::second);
  EXPECT_EQ(settled_by(Since::part_before), Arm::first);
}

TEST_F(ChooserTest, AFillIsOneChoiceInAllItsParts) {
  Chooser chooser(decisions.of(Decision::result_stores));
  int parts = 0, streamed = 0;
  for (int i = 0; i < 4; ++i) {
    Chooser::Use fill(&chooser);
    for (int part = 0; part < 3; ++part) {
      fill.perform(1, [&](Arm arm) {
        ++parts;
        streamed += is_streaming(arm) ? 1 : 0;
      });
    }
  }
  EXPECT_EQ(parts, 12);
  EXPECT_EQ(streamed, 6);
  EXPECT_FALSE(chooser.next().timed);  // the trial is over
}

TEST_F(ChooserTest, AForcedArmIsNeverLeftNorTimed) {
  ForcedArms forced;
  forced[static_cast<std::size_t>(Decision::slot_stores)] = Arm::second;
  Decisions settled(forced);
  Chooser chooser(settled.of(Decision::slot_stores));
  for (int use = 0; use < 1000; ++use) {
    const auto choice = chooser.next();
    EXPECT_EQ(choice.arm, Arm::second);
    EXPECT_FALSE(choice.timed);
  }
}

TEST_F(ChooserTest, CountsHowTrialsHaveEnded) {
  Chooser chooser(decisions.of(Decision::slot_stores));
  work(chooser, 10'000, kFar);
  EXPECT_EQ(decisions.of(Decision::slot_stores).kept[0].peek(), 0u);
  EXPECT_GT(decisions.of(Decision::slot_stores).kept[1].peek(), 10'000 / 100u);
  EXPECT_EQ(decisions.of(Decision::result_stores).kept[1].peek(), 0u);
}

TEST_F(ChooserTest, ATrialWithoutATimeOfEachArmChangesNothing) {
  Chooser chooser(decisions.of(Decision::slot_stores));
  for (int use = 0; use < 10'000; ++use) {
    const auto choice = chooser.next();
    if (choice.timed && choice.arm == Arm::second) chooser.report(1, 0.001);
  }
  EXPECT_EQ(chooser.settled(), Arm::first);
}

TEST(Trials, TakePlaceAtTheSameUsesWhateverTheyShow) {
  const Habits habits{1.0, 2, 3, 64};
  Trials one(habits), other(habits);
  int timed = 0;
  for (int use = 0; use < 1000; ++use) {
    const auto turn = one.next(), same = other.next();
    EXPECT_EQ(turn.arm, same.arm);
    EXPECT_EQ(turn.timed, same.timed);
    timed += turn.timed ? 1 : 0;
  }
  EXPECT_EQ(timed % 6, 0);
  EXPECT_GT(timed, 6 * 10);
}

TEST(Trials, ComeSoonerAtFirstAsTheirHabitsSay) {
  for (const int sooner : {2, 32}) {
    const Habits habits{1.0, 0, 1, 1024, sooner};
    Trials trials(habits);
    trials.next();
    trials.next();
    int between = 0;
    while (!trials.next().arm) ++between;
    EXPECT_EQ(between, 2 * sooner);
  }
}

/// Uses between the next trial and the one after it; the first arm takes `first` times as long as the second.
int uses_between(Chooser& chooser, double first) {
  const auto use = [&] {
    const auto choice = chooser.next();
    if (choice.timed) chooser.report(1, choice.arm == Arm::first ? first : 1.0);
  };
  do use();
  while (!chooser.is_on_trial());
  while (chooser.is_on_trial()) use();
  int uses = 0;
  for (; !chooser.is_on_trial(); ++uses) use();
  return uses - 1;  // the last one has begun a trial
}

/// Six uses of an arm that takes half as long again cost as much as three others: half a percent of 600.
TEST_F(ChooserTest, ATrialOfOneRankPaysForItselfBeforeTheNext) {
  Chooser chooser(decisions.of(Decision::message_copy));
  EXPECT_NEAR(uses_between(chooser, 1 / 1.5), 600, 1);
  EXPECT_NEAR(uses_between(chooser, 1 / 1.25), 300, 1);
  EXPECT_EQ(uses_between(chooser, 1 / 1.001), 4);
  EXPECT_EQ(uses_between(chooser, 1 / 100.0), 1024);
}

TEST_F(ChooserTest, ATrialOfOneRankThatShowsSomethingNewIsRepeatedSoon) {
  Chooser chooser(decisions.of(Decision::message_copy));
  EXPECT_EQ(uses_between(chooser, 1.5), 4);
  EXPECT_EQ(chooser.settled(), Arm::second);
  EXPECT_NEAR(uses_between(chooser, 1.5), 600, 1);
  EXPECT_EQ(uses_between(chooser, 1 / 1.5), 4);
  EXPECT_EQ(chooser.settled(), Arm::second);  // once is not enough
  EXPECT_EQ(uses_between(chooser, 1 / 1.5), 4);
  EXPECT_EQ(chooser.settled(), Arm::first);
}

/// Of one rank. The arms of the next trial, in order.
std::vector<Arm> arms_of_trial(Chooser& chooser, double first) {
  std::vector<Arm> arms;
  do {
    const auto choice = chooser.next();
    if (choice.is_trial) arms.push_back(choice.arm);
    if (choice.timed) chooser.report(1, choice.arm == Arm::first ? first : 1.0);
  } while (arms.empty() || chooser.is_on_trial());
  return arms;
}

TEST_F(ChooserTest, ATrialOfOneRankBeginsWithTheArmInUse) {
  Chooser chooser(decisions.of(Decision::message_copy));
  const auto& habits = decisions.of(Decision::message_copy).row->habits;
  const auto turn = static_cast<std::size_t>(habits.warm_ups + habits.timed);
  std::vector<Arm> expected(turn, Arm::first);
  expected.resize(2 * turn, Arm::second);
  EXPECT_EQ(arms_of_trial(chooser, 1.5), expected);
  ASSERT_EQ(chooser.settled(), Arm::second);
  std::reverse(expected.begin(), expected.end());
  EXPECT_EQ(arms_of_trial(chooser, 1.5), expected);
}

/// Two uses of it are timed, of which the dearer one does not count.
TEST_F(ChooserTest, AnArmThatIsClearlyTheWrongOneIsNotUsedToTheEndOfItsTurn) {
  Chooser chooser(decisions.of(Decision::message_copy));
  const auto& habits = decisions.of(Decision::message_copy).row->habits;
  const auto arms = arms_of_trial(chooser, 1 / 2.5);
  EXPECT_EQ(std::count(arms.begin(), arms.end(), Arm::first), habits.warm_ups + habits.timed);
  EXPECT_EQ(std::count(arms.begin(), arms.end(), Arm::second), habits.warm_ups + 2);
  EXPECT_EQ(chooser.settled(), Arm::first);
}

TEST_F(ChooserTest, AClearChangeIsNotConfirmedAtOnce) {
  Chooser chooser(decisions.of(Decision::message_copy));
  EXPECT_EQ(uses_between(chooser, 2.5), 64);
  EXPECT_EQ(chooser.settled(), Arm::second);
}

/// Once the wrong arm is in use, the worse it is the sooner it has to go.
TEST_F(ChooserTest, AClearResultAgainstTheArmInUseIsConfirmedSoon) {
  Chooser chooser(decisions.of(Decision::message_copy));
  for (int trial = 0; trial < 3; ++trial) uses_between(chooser, 2.5);
  ASSERT_EQ(chooser.settled(), Arm::second);
  EXPECT_EQ(uses_between(chooser, 1 / 2.5), 4);
  ASSERT_EQ(chooser.settled(), Arm::second) << "once is not enough";
}

TEST_F(ChooserTest, WhatBeginsAsIsLikelyHasItsFirstTrialLater) {
  BySize<Chooser> choosers{Chooser(decisions.of(Decision::message_copy))};
  const auto uses_before = [](Chooser& chooser) {
    int uses = 0;
    for (; !chooser.next().is_trial && uses < 1'000; ++uses) continue;
    return uses;
  };
  EXPECT_EQ(uses_before(choosers.informed(64 << 10, Arm::first)), 16);
  EXPECT_EQ(uses_before(choosers.informed(1 << 20)), 0) << "of which nothing is likely";
}

/// Whatever each of them has settled, at the same uses they use the same arm.
TEST_F(ChooserTest, ATrialOfSeveralRanksBeginsWithTheFirstArm) {
  Chooser chooser(decisions.of(Decision::result_stores));
  arms_of_trial(chooser, 1.5);
  ASSERT_EQ(chooser.settled(), Arm::second);
  EXPECT_EQ(arms_of_trial(chooser, 10.0),
            (std::vector<Arm>{Arm::first, Arm::first, Arm::second, Arm::second}));
}

/// What both arms take.
struct Machine {
  double first, second;

  void use(Chooser& chooser) const {
    const auto choice = chooser.next();
    if (choice.timed) chooser.report(1, choice.arm == Arm::first ? first : second);
  }
  int uses_until(Arm wanted, Chooser& chooser) const {
    int uses = 0;
    for (; chooser.settled() != wanted && uses < 10'000; ++uses) use(chooser);
    return uses;
  }
};

TEST_F(ChooserTest, WatchesWhatUsesTakeAndFollowsAMoveAtOnce) {
  Chooser chooser(decisions.of(Decision::exchange_way));
  constexpr Machine near{120, 165}, far{190, 165};
  for (int move = 0; move < 3; ++move) {
    for (int use = 0; use < 500; ++use) near.use(chooser);
    EXPECT_LE(far.uses_until(Arm::second, chooser), 60);
    for (int use = 0; use < 500; ++use) far.use(chooser);
    EXPECT_LE(near.uses_until(Arm::first, chooser), 250);  // pulls take as long as before
  }
}

TEST_F(ChooserTest, TakesNoDisturbanceForAMove) {
  Chooser chooser(decisions.of(Decision::exchange_way));
  EXPECT_NEAR(uses_between(chooser, 1 / 1.5), 500, 1);
  while (chooser.is_on_trial()) Machine{1 / 1.5, 1}.use(chooser);
  int uses = 0;
  for (; !chooser.is_on_trial() && uses < 10'000; ++uses) {
    if (chooser.next().timed) chooser.report(1, uses % 5 < 3 ? 10.0 : 1.0 / 1.5);
  }
  EXPECT_GT(uses, 400);
}

TEST_F(ChooserTest, TrialsOfSeveralRanksDependOnNothingButTheUses) {
  Chooser chooser(decisions.of(Decision::result_stores));
  EXPECT_EQ(uses_between(chooser, 1 / 1.5), 4);
}

TEST(StoreChoices, WhatIsUsedAgainIsStoredPlainlyForSomeCallsFirst) {
  Decisions decisions;
  StoreChoices choices(decisions);
  std::vector<char> results(2 << 20);
  choices.of(1 << 20, results.data());
  for (int call = 0; call < 16; ++call) {
    const Chooser::Choice choice = choices.of(1 << 20, results.data()).next();
    EXPECT_EQ(choice.arm, Arm::first);
    EXPECT_FALSE(choice.is_trial);
  }
  EXPECT_TRUE(choices.of(1 << 20, results.data()).next().is_trial);
}

TEST(ByReuse, OneForWhatComesBackSoonAndOneForOthers) {
  Decisions decisions;
  ByReuse<Chooser> sized(Chooser(decisions.of(Decision::result_stores)));
  const auto of = [&](std::size_t bytes, const char* result) { return &sized.of(bytes, result, Arm::first); };
  std::vector<char> place(16 << 20);
  Chooser* const first = of(1 << 20, place.data());
  Chooser* const again = of(1 << 20, place.data());
  EXPECT_NE(first, again);
  EXPECT_EQ(of(1 << 20, place.data()), again);
  EXPECT_EQ(of(1 << 20, place.data() + (1 << 20)), first);
  of(9 << 20, place.data() + (2 << 20));
  EXPECT_EQ(of(1 << 20, place.data()), first);
  EXPECT_NE(of(2 << 20, place.data()), first);
}

TEST(BySize, OneOfEachPerPowerOfTwo) {
  BySize<int> sized(0);
  EXPECT_EQ(&sized.of(2 << 10), &sized.of((4 << 10) - 8));
  EXPECT_NE(&sized.of((4 << 10) - 8), &sized.of(4 << 10));
  EXPECT_NE(&sized.of(16 << 20), &sized.of(32 << 20));
  EXPECT_EQ(&sized.of(std::size_t{1} << 40), &sized.of(std::size_t{1} << 50));
}

}  // namespace
}  // namespace foldlane::engine
