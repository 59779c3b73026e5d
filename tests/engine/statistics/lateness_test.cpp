#include "engine/statistics/lateness.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace foldlane::engine {
namespace {

using Stays = std::vector<Stay>;

/// Members of a blocking call, which leave it when the last one has come.
Stays blocking(const std::vector<std::uint64_t>& entries) {
  Stays stays;
  for (const std::uint64_t entered : entries) stays.push_back({entered, entered, 1000});
  return stays;
}

std::vector<std::uint64_t> waited(const Needs& needs, const Stays& stays) {
  std::vector<std::uint64_t> times;
  for (std::size_t member = 0; member < stays.size(); ++member)
    times.push_back(lateness_of(needs, member, stays).waited);
  return times;
}

std::vector<std::uint64_t> kept(const Needs& needs, const Stays& stays) {
  std::vector<std::uint64_t> times;
  for (std::size_t member = 0; member < stays.size(); ++member)
    times.push_back(lateness_of(needs, member, stays).kept);
  return times;
}

using Times = std::vector<std::uint64_t>;

TEST(Lateness, EverybodyWaitsForTheLast) {
  const Stays stays = blocking({10, 50, 30});
  EXPECT_EQ(waited({Needs::everybody}, stays), (Times{40, 0, 20}));
  EXPECT_EQ(kept({Needs::everybody}, stays), (Times{0, 60, 0}));
}

TEST(Lateness, OfAReduceOnlyTheRootWaits) {
  const Stays stays = blocking({10, 50, 30});
  EXPECT_EQ(waited({Needs::all_at_root, 2}, stays), (Times{0, 0, 20}));
  EXPECT_EQ(kept({Needs::all_at_root, 2}, stays), (Times{0, 20, 0}));
  EXPECT_EQ(kept({Needs::all_at_root, 1}, stays), (Times{0, 0, 0})) << "the root came last";
}

TEST(Lateness, OfABroadcastTheOthersWaitForTheRoot) {
  const Stays stays = blocking({10, 50, 30});
  EXPECT_EQ(waited({Needs::root, 2}, stays), (Times{20, 0, 0}));
  EXPECT_EQ(kept({Needs::root, 2}, stays), (Times{0, 0, 20})) << "member 1 was last, and nobody needed it";
}

TEST(Lateness, OfAScanMembersWaitForThoseBefore) {
  const Stays stays = blocking({30, 10, 50, 20});
  EXPECT_EQ(waited({Needs::those_before}, stays), (Times{0, 20, 0, 30}));
  EXPECT_EQ(kept({Needs::those_before}, stays), (Times{20, 0, 30, 0}));
}

TEST(Lateness, OfCallsBetweenGroupsNothingIsKnown) {
  EXPECT_EQ(waited({Needs::unknown}, blocking({10, 50})), (Times{0, 0}));
}

/// Started at 10, waited for from 40 on, while the last one started at 50.
TEST(Lateness, ComputingIsNotWaiting) {
  const Stays stays{{10, 40, 60}, {50, 55, 60}};
  EXPECT_EQ(waited({Needs::everybody}, stays), (Times{10, 0}));
  const Stays long_done{{10, 55, 60}, {50, 55, 60}};
  EXPECT_EQ(waited({Needs::everybody}, long_done), (Times{0, 0}));
}

/// Calls without bytes: nobody waits in them.
TEST(Lateness, NobodyWaitsLongerThanItIsThere) {
  EXPECT_EQ(waited({Needs::everybody}, {{10, 10, 15}, {50, 50, 60}}), (Times{5, 0}));
}

TEST(Lateness, CallsSayWhomTheyNeed) {
  EXPECT_EQ(needs_of({.call = Call::barrier}).whom, Needs::everybody);
  EXPECT_EQ(needs_of({.call = Call::reduce_scatter}).whom, Needs::everybody);
  EXPECT_EQ(needs_of({.call = Call::exscan}).whom, Needs::those_before);
  const Needs bcast = needs_of({.call = Call::bcast, .root = 3});
  EXPECT_EQ(bcast.whom, Needs::root);
  EXPECT_EQ(bcast.root_member, 3);
  EXPECT_EQ(needs_of({.call = Call::reduce, .root = 3}).whom, Needs::all_at_root);
  EXPECT_EQ(needs_of({.call = Call::gatherv, .root = 3}).whom, Needs::all_at_root);
  EXPECT_EQ(needs_of({.call = Call::scatter, .root = 3}).whom, Needs::root);
  EXPECT_EQ(needs_of({.call = Call::alltoallw}).whom, Needs::everybody);
  EXPECT_EQ(needs_of({.call = Call::neighbor_allgather}).whom, Needs::unknown);
  EXPECT_EQ(needs_of({.call = Call::neighbor_alltoallw}).whom, Needs::unknown);
  EXPECT_EQ(needs_of({.call = Call::allreduce, .sides = {{0, 1}, {1, 1}}}).whom, Needs::unknown);
}

}  // namespace
}  // namespace foldlane::engine
