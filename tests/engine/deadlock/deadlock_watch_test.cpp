#include "engine/deadlock/deadlock_watch.hpp"

#include <gtest/gtest.h>

#include <memory>

namespace foldlane::engine {
namespace {

std::int64_t clock_ns = 0;
std::int64_t read_clock() noexcept { return clock_ns; }

/// Ranks of a job that say what they do, at times of the test's choice.
class WatchedRanks : public testing::Test {
 protected:
  static constexpr int kRanks = 4;
  static constexpr DeadlockWatch::Times kTimes{1, 100, 1, 10000};

  void SetUp() override {
    for (int rank = 0; rank < kRanks; ++rank) places_.push_back({&records_[at(rank)], &ends_[at(rank)]});
    for (int rank = 0; rank < kRanks; ++rank) {
      watches_.push_back(
          std::make_unique<DeadlockWatch>(places_, rank, DeadlockPolicy::abort, kTimes, read_clock));
      watches_.back()->set_reporter([this](const DeadlockReport& report) { told_.push_back(report); });
    }
  }

  static std::size_t at(int rank) { return static_cast<std::size_t>(rank); }

  /// The rank has looked in vain, and waits for `awaited`.
  void look(int rank, const std::vector<int>& awaited, int thread = 0) {
    clock_ns += 200;
    const auto describe = [&](WaitNote& note) {
      note.call = "call of " + std::to_string(rank);
      note.hints = hints_;
      note.is_known = is_known_;
      for (const int each : awaited) note.awaits(each);
    };
    watches_[at(rank)]->goes_on(&threads_[at(rank)][thread], moves_[at(rank)], describe);
  }
  void leave(int rank, int thread = 0) { watches_[at(rank)]->is_over(&threads_[at(rank)][thread]); }
  void move(int rank) { ++moves_[at(rank)]; }
  /// 0 and 1 wait for each other.
  void look_both(int times) {
    for (int i = 0; i < times; ++i) {
      look(0, {1});
      look(1, {0});
    }
  }
  std::vector<int> ranks_told() const {
    std::vector<int> ranks;
    for (const StuckRank& each : told_.at(0).stuck) ranks.push_back(each.rank);
    return ranks;
  }

  std::vector<DeadlockWatch::Place> places_;
  std::vector<WaitRecord> records_ = std::vector<WaitRecord>(kRanks);
  std::vector<shm::EndedLine> ends_ = std::vector<shm::EndedLine>(kRanks);
  char threads_[kRanks][2]{};
  std::uint64_t moves_[kRanks]{};
  bool is_known_ = true;
  std::string hints_;
  std::vector<std::unique_ptr<DeadlockWatch>> watches_;
  std::vector<DeadlockReport> told_;
};

TEST_F(WatchedRanks, AreToldOnceWhenAllHaveLookedTwiceSince) {
  look_both(1);
  look(0, {1});  // both are suspects from here on
  look(0, {1});
  look(0, {1});
  EXPECT_TRUE(told_.empty());
  look(1, {0});
  look(0, {1});
  EXPECT_TRUE(told_.empty()) << "the look of 1 may have begun before 0 sent something";
  look(1, {0});
  look(0, {1});
  ASSERT_EQ(told_.size(), 1u);
  EXPECT_EQ(ranks_told(), (std::vector<int>{0, 1}));
  EXPECT_TRUE(told_[0].is_certain);
  look_both(5);
  EXPECT_EQ(told_.size(), 1u);
}

TEST_F(WatchedRanks, AreToldWithWhatTheySay) {
  hints_ = "one\ntwo\n";
  look_both(5);
  ASSERT_EQ(told_.size(), 1u);
  EXPECT_EQ(told_[0].stuck.at(1).call, "call of 1");
  EXPECT_EQ(told_[0].stuck.at(1).hints, (std::vector<std::string>{"one", "two"}));
}

TEST_F(WatchedRanks, AreNotToldIfOneHasGoneOn) {
  look_both(2);
  for (int i = 0; i < 10; ++i) {
    move(1);
    look_both(2);
  }
  EXPECT_TRUE(told_.empty());
  look_both(4);
  EXPECT_EQ(told_.size(), 1u);
}

TEST_F(WatchedRanks, AreNotToldIfOneWaitsAnew) {
  look_both(2);
  for (int i = 0; i < 10; ++i) {
    leave(1);
    look_both(2);
  }
  EXPECT_TRUE(told_.empty());
}

TEST_F(WatchedRanks, AreNotToldIfOneIsNotWaiting) {
  look_both(2);
  leave(1);
  for (int i = 0; i < 10; ++i) look(0, {1});
  EXPECT_TRUE(told_.empty());
}

TEST_F(WatchedRanks, AreNotToldOfAWaitThatMayEndOtherwise) {
  is_known_ = false;
  look_both(10);
  EXPECT_TRUE(told_.empty());
}

/// What was awaited may have come since the look: the wait is not over yet, and nobody is awaited.
TEST_F(WatchedRanks, AreNotToldIfWhoIsAwaitedIsNotKnown) {
  for (int i = 0; i < 10; ++i) {
    look(0, {1, kNoRank});
    look(1, {0});
  }
  EXPECT_TRUE(told_.empty());
}

TEST_F(WatchedRanks, AreNotToldIfNobodyIsAwaited) {
  for (int i = 0; i < 10; ++i) look(0, {});
  EXPECT_TRUE(told_.empty());
}

TEST_F(WatchedRanks, AreNotToldIfOneHasDied) {
  look_both(2);
  ends_[1].death.publish(1);
  ends_[1].ended.publish(1);
  look_both(10);
  EXPECT_TRUE(told_.empty());
}

TEST_F(WatchedRanks, AreToldOfRanksThatHaveEnded) {
  ends_[2].ended.publish(1);
  ends_[3].ended.publish(1);
  for (int i = 0; i < 6; ++i) look(0, {2});
  ASSERT_EQ(told_.size(), 1u);
  EXPECT_EQ(ranks_told(), (std::vector<int>{0}));
  EXPECT_EQ(told_[0].ended, (std::vector<int>{2}));
}

TEST_F(WatchedRanks, AreToldByTheLowestThatWaits) {
  look(0, {3});  // which runs
  for (int i = 0; i < 10; ++i) {
    look(1, {2});
    look(2, {1});
  }
  EXPECT_TRUE(told_.empty()) << "that is for 0 to do";
  look(0, {3});
  for (int i = 0; i < 2; ++i) {
    look(1, {2});
    look(2, {1});
  }
  look(0, {3});
  ASSERT_EQ(told_.size(), 1u);
  EXPECT_EQ(ranks_told(), (std::vector<int>{1, 2}));
  EXPECT_NE(records_[0].reported.observe(), 0u);
}

TEST_F(WatchedRanks, AreNotToldAgainByAnother) {
  for (int i = 0; i < 6; ++i) {
    look(1, {2});
    look(2, {1});
  }
  for (int i = 0; i < 6; ++i) {
    look(0, {3});
    look(1, {2});
    look(2, {1});
  }
  EXPECT_EQ(told_.size(), 1u);
}

TEST_F(WatchedRanks, AreToldAsProbableWithThreads) {
  watches_[1]->allow_threads();
  look_both(4);
  EXPECT_TRUE(told_.empty()) << "a thread may be busy with what they wait for";
  clock_ns += 10000;
  look_both(1);
  ASSERT_EQ(told_.size(), 1u);
  EXPECT_FALSE(told_[0].is_certain);
}

TEST_F(WatchedRanks, AreNotToldWhileTwoThreadsWait) {
  look(1, {0}, 1);
  look_both(10);
  EXPECT_TRUE(told_.empty());
  leave(1, 1);
  look_both(6);
  EXPECT_EQ(told_.size(), 1u);
}

// ---- who may have to go on before this one can

TEST_F(WatchedRanks, DependOnWhomTheyAwait) {
  EXPECT_TRUE(watches_[0]->may_depend_on({2, 1}, {1}));
  EXPECT_FALSE(watches_[0]->may_depend_on({2}, {1})) << "2 runs";
  EXPECT_FALSE(watches_[0]->may_depend_on({}, {1}));
}

TEST_F(WatchedRanks, DependOnWhoWaitsAtTheEndOfAChain) {
  look(2, {3});
  look(3, {1});
  EXPECT_FALSE(watches_[0]->may_depend_on({2}, {1})) << "1 runs";
  look(1, {0});
  EXPECT_TRUE(watches_[0]->may_depend_on({2}, {1}));
  leave(3);
  EXPECT_FALSE(watches_[0]->may_depend_on({2}, {1}));
}

TEST_F(WatchedRanks, MayDependOnAnybodyIfOneOfTheirOwnThreadsIsAwaited) {
  EXPECT_TRUE(watches_[0]->may_depend_on({0}, {1}));
}

TEST_F(WatchedRanks, DependOnNobodyInACircleOfOthers) {
  look_both(1);
  EXPECT_FALSE(watches_[3]->may_depend_on({0}, {2}));
}

TEST_F(WatchedRanks, MayDependOnAnybodyThroughOneThatDoesNotSayForWhomItWaits) {
  look(2, {3}, 0);
  look(2, {3}, 1);
  EXPECT_TRUE(watches_[0]->may_depend_on({2}, {1})) << "two threads wait";
  leave(2, 0);
  leave(2, 1);
  EXPECT_FALSE(watches_[0]->may_depend_on({2}, {1}));
  look(2, {kNoRank});
  EXPECT_TRUE(watches_[0]->may_depend_on({2}, {1}));
  leave(2);
  watches_[2]->looks_in_vain(true);
  EXPECT_TRUE(watches_[0]->may_depend_on({2}, {1}));
  watches_[2]->looks_in_vain(false);
  EXPECT_FALSE(watches_[0]->may_depend_on({2}, {1}));
}

TEST_F(WatchedRanks, AreDescribedIfNobodyIsToBeTold) {
  DeadlockWatch quiet(places_, 0, DeadlockPolicy::off, kTimes, read_clock);
  const auto describe = [](WaitNote& note) { note.awaits(1); };
  look(1, {0});
  for (int i = 0; i < 10; ++i) {
    clock_ns += 200;
    quiet.goes_on(&threads_[0][0], 0, describe);
    look(1, {0});
  }
  EXPECT_TRUE(told_.empty());
  EXPECT_TRUE(watches_[3]->may_depend_on({1}, {0}));
}

TEST_F(WatchedRanks, LookOnlyAfterAWhile) {
  const auto describe = [](WaitNote& note) { note.awaited = {0}; };
  for (int i = 0; i < 90; ++i) {
    ++clock_ns;
    watches_[0]->goes_on(&threads_[0][0], 0, describe);
  }
  EXPECT_TRUE(told_.empty());
  for (int i = 0; i < 20; ++i) {
    ++clock_ns;
    watches_[0]->goes_on(&threads_[0][0], 0, describe);
  }
  EXPECT_EQ(told_.size(), 1u);
}

}  // namespace
}  // namespace foldlane::engine
