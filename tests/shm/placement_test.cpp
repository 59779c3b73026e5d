#include "shm/machine/placement.hpp"

#include <gtest/gtest.h>

#include <set>

namespace foldlane::shm {
namespace {

Topology machine(const std::string& description) { return synthetic_topology(description).value(); }

UsableCpus all_of(const Topology& topology) {
  const int count = static_cast<int>(topology.pus.size());
  return {count, 0, count};
}

Placement place(const std::string& description, int ranks, BindTo bind_to) {
  const Topology topology = machine(description);
  return place_ranks(topology, all_of(topology), ranks, bind_to);
}

TEST(Placement, RanksThatFitGetDisjointContiguousSlices) {
  const Placement placement = place("package:2 l3:4 core:8 pu:2", 12, BindTo::automatic);
  EXPECT_FALSE(placement.oversubscribed);
  std::set<int> used;
  int next = 0;
  for (const RankPlace& rank : placement.ranks) {
    EXPECT_TRUE(rank.os_cpus.size() == 10 || rank.os_cpus.size() == 12) << rank.os_cpus.size();
    EXPECT_EQ(rank.os_cpus.front(), next);
    next = rank.os_cpus.back() + 1;
    used.insert(rank.os_cpus.begin(), rank.os_cpus.end());
  }
  EXPECT_EQ(used.size(), 128u);
}

TEST(Placement, GivesRanksAsManyCpusAsAskedFor) {
  const Topology topology = machine("package:2 l3:1 core:4 pu:1");
  const Placement placement = place_ranks(topology, all_of(topology), 2, BindTo::automatic, 3);
  EXPECT_EQ(placement.ranks[0].os_cpus, (std::vector{0, 1, 2}));
  EXPECT_EQ(placement.ranks[1].os_cpus, (std::vector{3, 4, 5}));
  EXPECT_EQ(placement.cpus, 6);
  EXPECT_FALSE(placement.oversubscribed);
  const Placement alone = place_ranks(topology, all_of(topology), 1, BindTo::automatic, 2);
  EXPECT_EQ(alone.ranks[0].os_cpus, (std::vector{0, 1}));
}

TEST(Placement, FollowsTheNodesOfTheMachine) {
  const Placement placement = place("package:2 numa:2 l3:2 core:4 pu:1", 8, BindTo::automatic);
  for (int rank = 0; rank < 8; ++rank) {
    const RankPlace& where = placement.ranks[static_cast<std::size_t>(rank)];
    EXPECT_EQ(where.llc, rank);
    EXPECT_EQ(where.numa, rank / 2);
    EXPECT_EQ(where.package, rank / 4);
  }
}

TEST(Placement, MoreRanksThanCoresAreNotBound) {
  const Placement placement = place("package:1 core:4 pu:2", 5, BindTo::automatic);
  EXPECT_FALSE(placement.oversubscribed);  // five ranks have eight hardware threads
  EXPECT_TRUE(placement.ranks[0].os_cpus.empty());
  EXPECT_EQ(placement.ranks[0].numa, -1);
  EXPECT_TRUE(place("package:1 core:4 pu:2", 9, BindTo::automatic).oversubscribed);
  EXPECT_EQ(place("package:1 core:4 pu:2", 9, BindTo::automatic).cpus, 8);
}

TEST(Placement, ACpuQuotaCountsLikeMissingCpus) {
  const Topology topology = machine("package:1 core:8 pu:1");
  const Placement placement = place_ranks(topology, {8, 2, 2}, 4, BindTo::automatic);
  EXPECT_TRUE(placement.oversubscribed);
  EXPECT_TRUE(placement.ranks[0].os_cpus.empty());
}

TEST(Placement, ASingleRankIsNotBoundUnlessAsked) {
  EXPECT_TRUE(place("package:1 core:4 pu:1", 1, BindTo::automatic).ranks[0].os_cpus.empty());
  EXPECT_EQ(place("package:1 core:4 pu:1", 1, BindTo::core).ranks[0].os_cpus, std::vector<int>{0});
}

TEST(Placement, EveryExplicitBinding) {
  const std::string description = "package:2 numa:1 l3:2 core:2 pu:2";
  EXPECT_EQ(place(description, 4, BindTo::core).ranks[3].os_cpus, (std::vector<int>{6, 7}));
  EXPECT_EQ(place(description, 4, BindTo::hwthread).ranks[3].os_cpus, std::vector<int>{3});
  EXPECT_EQ(place(description, 4, BindTo::llc).ranks[1].os_cpus, (std::vector<int>{4, 5, 6, 7}));
  EXPECT_EQ(place(description, 2, BindTo::package).ranks[1].os_cpus.size(), 8u);
  EXPECT_EQ(place(description, 2, BindTo::numa).ranks[1].os_cpus.size(), 8u);
  EXPECT_TRUE(place(description, 2, BindTo::none).ranks[1].os_cpus.empty());
  EXPECT_EQ(place(description, 17, BindTo::hwthread).ranks[16].os_cpus, std::vector<int>{0});  // wraps
}

TEST(Placement, RanksThatShareACpuByBindingAreOversubscribed) {
  EXPECT_FALSE(place("package:1 core:2 pu:2", 4, BindTo::core).oversubscribed);
  Topology cut = machine("package:1 core:2 pu:2");
  cut.pus.pop_back();  // an affinity mask that leaves one core a single thread
  EXPECT_FALSE(place_ranks(cut, {3, 0, 3}, 3, BindTo::core).oversubscribed);
  EXPECT_TRUE(place_ranks(cut, {4, 0, 4}, 4, BindTo::core).oversubscribed);
  EXPECT_EQ(place_ranks(cut, {4, 0, 4}, 4, BindTo::core).cpus, 3);
  EXPECT_EQ(place("package:1 core:4 pu:1", 5, BindTo::none).cpus, 4);
  EXPECT_EQ(place_ranks(machine("core:4 pu:1"), {4, 0, 4}, 2, BindTo::automatic).cpus, 4);
}

CpuMask cpus(const std::vector<int>& numbers) {
  CpuMask mask;
  for (const int cpu : numbers) mask.add(cpu);
  return mask;
}

Placement bound(const std::vector<CpuMask>& ranks, UsableCpus usable = {1, 0, 1}) {
  return place_bound_ranks(machine("package:2 numa:2 l3:2 core:2 pu:1"), usable, ranks);
}

TEST(BoundPlacement, SaysWhereRanksAre) {
  const Placement placement = bound({cpus({0}), cpus({6, 7}), cpus({12})});
  EXPECT_EQ(placement.ranks[1].llc, 3);
  EXPECT_EQ(placement.ranks[1].numa, 1);
  EXPECT_EQ(placement.ranks[2].package, 1);
  EXPECT_EQ(placement.cpus, 4);
  EXPECT_FALSE(placement.oversubscribed);
}

TEST(BoundPlacement, RanksWithTheSameCpusAreInOnePlace) {
  const CpuMask everywhere = cpus({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15});
  const Placement placement = bound({everywhere, everywhere});
  EXPECT_EQ(placement.ranks[0].llc, placement.ranks[1].llc);
  EXPECT_EQ(placement.ranks[0].numa, -1) << "its memory must not all go to the first node";
  EXPECT_FALSE(placement.oversubscribed);
}

TEST(BoundPlacement, NoticesThatRanksShareCpus) {
  EXPECT_TRUE(bound({cpus({0}), cpus({0}), cpus({1, 2})}).oversubscribed);
  EXPECT_TRUE(bound({cpus({0, 1}), cpus({0, 1}), cpus({0, 1})}).oversubscribed);
  EXPECT_TRUE(bound({cpus({0}), cpus({1}), cpus({2})}, {1, 2, 1}).oversubscribed) << "a quota of two";
}

TEST(BoundPlacement, ARankWithoutKnownCpusIsAnywhere) {
  const Placement placement = bound({CpuMask{}});
  EXPECT_EQ(placement.ranks[0].numa, -1);
  EXPECT_TRUE(placement.ranks[0].os_cpus.empty());
}

}  // namespace
}  // namespace foldlane::shm
