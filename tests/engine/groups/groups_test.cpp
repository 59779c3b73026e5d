#include "engine/groups/groups.hpp"

#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <set>

#include "engine/groups/hierarchy.hpp"
#include "engine/groups/subtree_fold.hpp"
#include "support/counted_crowd.hpp"

namespace foldlane::engine {
namespace {

using testing::seats_on;

Groups groups_on(const char* topology, int ranks) { return groups_of(seats_on(topology, ranks)); }

TEST(Groups, OfMachines) {
  EXPECT_EQ(describe(groups_on("package:2 l3:8 core:8", 128)), "2 groups of 64, 16 groups of 8");
  EXPECT_EQ(describe(groups_on("package:1 l3:24 core:8", 192)), "24 groups of 8");
  EXPECT_EQ(describe(groups_on("package:4 l3:1 core:32", 128)), "4 groups of 32");
  EXPECT_EQ(describe(groups_on("package:2 l3:1 numa:4 core:14", 112)), "2 groups of 56, 8 groups of 14");
  EXPECT_EQ(describe(groups_on("package:2 l3:8 core:8", 100)), "2 groups of 50, 16 groups of 6-7");
  EXPECT_EQ(describe(groups_on("package:2 l3:8 core:8", 16)), "2 groups of 8");
}

TEST(Groups, WhyThereAreNone) {
  EXPECT_STREQ(groups_on("package:2 l3:8 core:8", 8).why, "few ranks");
  EXPECT_STREQ(groups_on("package:1 l3:1 core:64", 64).why, "all ranks share one cache and one package");
  std::vector<Seat> alternating(16);
  for (std::size_t i = 0; i < 16; ++i) alternating[i].package = static_cast<int>(i % 2);
  EXPECT_STREQ(groups_of(alternating).why, "neighbouring ranks do not share caches or packages");
  std::vector<Seat> alone(16);
  for (std::size_t i = 0; i < 16; ++i) alone[i].package = static_cast<int>(i);
  EXPECT_STREQ(groups_of(alone).why, "groups of so few ranks would pass on as much as they read");
}

TEST(Groups, SubtreesOfARange) {
  using List = std::vector<Members>;
  EXPECT_EQ(subtrees_of({0, 64}, 128), (List{{0, 64}}));
  EXPECT_EQ(subtrees_of({0, 56}, 112), (List{{0, 32}, {32, 16}, {48, 8}}));
  EXPECT_EQ(subtrees_of({56, 56}, 112), (List{{56, 8}, {64, 48}}));
  EXPECT_EQ(subtrees_of({5, 1}, 9), (List{{5, 1}}));
}

TEST(SubtreeFold, IsOneKernelCallWhereTheTreeAllowsIt) {
  const auto steps = [](std::vector<Members> parts) { return SubtreeFold(parts).steps(); };
  EXPECT_EQ(steps({{0, 64}, {64, 64}}), 1u);
  EXPECT_EQ(steps({{0, 8}, {8, 8}, {16, 8}}), 1u);
  EXPECT_EQ(steps({{0, 32}, {32, 16}, {48, 8}, {56, 8}, {64, 48}}), 4u);
  EXPECT_EQ(steps({{8, 1}}), 1u);
}

std::vector<Hierarchy> views_on(const char* topology, int ranks) {
  const Groups groups = groups_on(topology, ranks);
  std::vector<Hierarchy> views;
  for (int rank = 0; rank < ranks; ++rank) views.emplace_back(groups, ranks, rank);
  return views;
}

const std::pair<const char*, int> kMachines[] = {{"package:2 l3:8 core:8", 128},
                                                 {"package:2 l3:8 core:8", 100},
                                                 {"package:4 l3:1 core:32", 128},
                                                 {"package:2 l3:1 numa:2 core:28", 112},
                                                 {"package:2 l3:1 numa:4 core:14", 112}};

/// What a member folds in phase `at`: the part of a part, counted through; nothing if it got none on the way.
std::optional<std::size_t> portion_of(const Hierarchy& view, std::size_t at) {
  std::size_t portion = 0;
  for (std::size_t phase = 0; phase <= at; ++phase) {
    const std::size_t part = view.part_of(phase, view.phase(phase).index);
    if (part >= view.parts(phase)) return {};
    portion = portion * view.parts(phase) + part;
  }
  return portion;
}

/// By the first members of the groups that combine in phase `at`.
std::map<int, std::multiset<std::size_t>> portions_of_groups(const std::vector<Hierarchy>& views,
                                                             std::size_t at) {
  std::map<int, std::multiset<std::size_t>> portions;
  for (const Hierarchy& view : views) {
    auto& of_group = portions[view.phase(at).children.front().first];
    if (const auto portion = portion_of(view, at)) of_group.insert(*portion);
  }
  return portions;
}

/// In each group that combines, one member folds each portion; in the last phase it may be one of each child.
TEST(Hierarchy, EveryPortionIsSomebodys) {
  for (const auto& [topology, ranks] : kMachines) {
    const auto views = views_on(topology, ranks);
    std::size_t portions = 1;
    for (std::size_t at = 0; at < views[0].phases(); ++at) {
      portions *= views[0].parts(at);
      const auto& phase = views[0].phase(at);
      std::multiset<std::size_t> all;
      for (std::size_t copy = 0; copy < (phase.everybody ? phase.children.size() : 1); ++copy) {
        for (std::size_t portion = 0; portion < portions; ++portion) all.insert(portion);
      }
      for (const auto& [first, of_group] : portions_of_groups(views, at))
        EXPECT_EQ(of_group, all) << topology << ", phase " << at << ", the group of " << first;
    }
  }
}

/// In every phase the members' views fit: peers are each other's peers, and mean the same parts.
TEST(Hierarchy, ViewsOfAllMembersAgree) {
  for (const auto& [topology, ranks] : kMachines) {
    const auto views = views_on(topology, ranks);
    for (const Hierarchy& view : views) {
      for (std::size_t at = 0; at < view.phases(); ++at) {
        const auto& phase = view.phase(at);
        EXPECT_EQ(view.parts(at), views[0].parts(at));
        for (const int peer : phase.peers) {
          const Hierarchy& other = views[static_cast<std::size_t>(peer)];
          EXPECT_EQ(other.phase(at).peers, phase.peers);
          EXPECT_EQ(other.part_of(at, phase.index), view.part_of(at, phase.index));
        }
      }
    }
  }
}

TEST(Hierarchy, ManyGroupsShareTheLastPhase) {
  const auto last = [](const char* topology, int ranks) {
    return Hierarchy(groups_on(topology, ranks), ranks, 0).last();
  };
  EXPECT_TRUE(last("package:2 l3:8 core:8", 128).everybody);
  EXPECT_FALSE(last("package:4 l3:1 core:32", 128).everybody);
  EXPECT_EQ(last("package:4 l3:1 core:32", 128).owners.size(), 4u);
  // Three values one way and two the other: the first package folds, which takes two and the result.
  EXPECT_EQ(last("package:2 l3:1 numa:2 core:28", 112).owners, std::vector<int>{0});
}

}  // namespace
}  // namespace foldlane::engine
