// Groups of up to 4096 ranks, made in a world of one: what the calls give, and what they refuse.
#include "api/group/group.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <vector>

#include "support/mpi_world.hpp"

namespace {

using foldlane::testing::error_string;
using Ranks = std::vector<int>;

MPI_Group group_with(Ranks ranks) {
  return foldlane::api::new_group_handle(foldlane::api::make_group(std::move(ranks), MPI_SESSION_NULL));
}

Ranks members(MPI_Group group) { return foldlane::api::check_group(group)->ranks; }

MPI_Group stale_group() {
  MPI_Group group = group_with({0, 1}), copy = group;
  EXPECT_EQ(MPI_Group_free(&group), MPI_SUCCESS);
  return copy;
}

class GroupTest : public ::testing::Test {
 protected:
  // Group a: not in the order of the world, this process (rank 0) at position 2.
  MPI_Group a = group_with({7, 3, 0, 5, 9});
  MPI_Group b = group_with({5, 8, 7});
  MPI_Group made = MPI_GROUP_NULL;

  void TearDown() override {
    const std::uint64_t before = foldlane::api::live_groups();
    if (made != MPI_GROUP_NULL) {
      const bool empty = made == MPI_GROUP_EMPTY;
      EXPECT_EQ(MPI_Group_free(&made), MPI_SUCCESS);
      EXPECT_EQ(foldlane::api::live_groups(), before - (empty ? 0 : 1));
    }
    EXPECT_EQ(MPI_Group_free(&a), MPI_SUCCESS);
    EXPECT_EQ(MPI_Group_free(&b), MPI_SUCCESS);
  }

  // The members of what a call has made, freed at once.
  Ranks take() {
    const Ranks ranks = members(made);
    EXPECT_EQ(MPI_Group_free(&made), MPI_SUCCESS);
    EXPECT_EQ(made, MPI_GROUP_NULL);
    return ranks;
  }

 private:
  foldlane::testing::ErrorsReturn errors_return_;
};

TEST_F(GroupTest, SizeAndRank) {
  int value = -1;
  EXPECT_EQ(MPI_Group_size(a, &value), MPI_SUCCESS);
  EXPECT_EQ(value, 5);
  EXPECT_EQ(MPI_Group_rank(a, &value), MPI_SUCCESS);
  EXPECT_EQ(value, 2);
  EXPECT_EQ(MPI_Group_rank(b, &value), MPI_SUCCESS);
  EXPECT_EQ(value, MPI_UNDEFINED);
  EXPECT_EQ(MPI_Group_size(MPI_GROUP_EMPTY, &value), MPI_SUCCESS);
  EXPECT_EQ(value, 0);
  EXPECT_EQ(MPI_Group_rank(MPI_GROUP_EMPTY, &value), MPI_SUCCESS);
  EXPECT_EQ(value, MPI_UNDEFINED);
}

TEST_F(GroupTest, TranslateRanks) {
  const Ranks from{4, 0, MPI_PROC_NULL, 3, 0};
  Ranks to(5, -1);
  EXPECT_EQ(MPI_Group_translate_ranks(a, 5, from.data(), b, to.data()), MPI_SUCCESS);
  EXPECT_EQ(to, (Ranks{MPI_UNDEFINED, 2, MPI_PROC_NULL, 0, 2}));
  EXPECT_EQ(MPI_Group_translate_ranks(a, 5, from.data(), MPI_GROUP_EMPTY, to.data()), MPI_SUCCESS);
  EXPECT_EQ(to, (Ranks{MPI_UNDEFINED, MPI_UNDEFINED, MPI_PROC_NULL, MPI_UNDEFINED, MPI_UNDEFINED}));
  EXPECT_EQ(MPI_Group_translate_ranks(a, 0, nullptr, b, nullptr), MPI_SUCCESS);
}

TEST_F(GroupTest, TranslateRanksRefusesAndLeavesTheResultAlone) {
  const Ranks beyond{0, 5}, negative{0, -1}, none{0};
  Ranks to{-7, -7};
  EXPECT_EQ(MPI_Group_translate_ranks(a, 2, beyond.data(), b, to.data()), MPI_ERR_RANK);
  EXPECT_NE(error_string(MPI_ERR_RANK).find("rank 5 does not exist; group1 has the ranks 0 to 4"),
            std::string::npos);
  EXPECT_EQ(MPI_Group_translate_ranks(a, 2, negative.data(), b, to.data()), MPI_ERR_RANK);
  EXPECT_EQ(MPI_Group_translate_ranks(MPI_GROUP_EMPTY, 1, none.data(), b, to.data()), MPI_ERR_RANK);
  EXPECT_EQ(MPI_Group_translate_ranks(a, -1, none.data(), b, to.data()), MPI_ERR_ARG);
  EXPECT_EQ(MPI_Group_translate_ranks(a, 1, nullptr, b, to.data()), MPI_ERR_ARG);
  EXPECT_EQ(MPI_Group_translate_ranks(a, 1, none.data(), b, nullptr), MPI_ERR_ARG);
  EXPECT_EQ(to, (Ranks{-7, -7}));
}

TEST_F(GroupTest, Compare) {
  const auto compared = [](MPI_Group left, MPI_Group right) {
    int result = -1;
    EXPECT_EQ(MPI_Group_compare(left, right, &result), MPI_SUCCESS);
    return result;
  };
  EXPECT_EQ(compared(a, a), MPI_IDENT);
  EXPECT_EQ(compared(a, b), MPI_UNEQUAL);
  EXPECT_EQ(compared(MPI_GROUP_EMPTY, MPI_GROUP_EMPTY), MPI_IDENT);
  EXPECT_EQ(compared(a, MPI_GROUP_EMPTY), MPI_UNEQUAL);
  for (const auto& [ranks, expected] :
       {std::pair(Ranks{7, 3, 0, 5, 9}, MPI_IDENT), std::pair(Ranks{3, 7, 0, 5, 9}, MPI_SIMILAR),
        std::pair(Ranks{7, 3, 0, 5, 8}, MPI_UNEQUAL)}) {
    made = group_with(ranks);
    EXPECT_EQ(compared(a, made), expected);
    EXPECT_EQ(compared(made, a), expected);
    take();
  }
}

TEST_F(GroupTest, SetOperationsKeepTheOrderOfTheFirstGroup) {
  EXPECT_EQ(MPI_Group_union(a, b, &made), MPI_SUCCESS);
  EXPECT_EQ(take(), (Ranks{7, 3, 0, 5, 9, 8}));
  EXPECT_EQ(MPI_Group_union(b, a, &made), MPI_SUCCESS);
  EXPECT_EQ(take(), (Ranks{5, 8, 7, 3, 0, 9}));
  EXPECT_EQ(MPI_Group_intersection(a, b, &made), MPI_SUCCESS);
  EXPECT_EQ(take(), (Ranks{7, 5}));
  EXPECT_EQ(MPI_Group_intersection(b, a, &made), MPI_SUCCESS);
  EXPECT_EQ(take(), (Ranks{5, 7}));
  EXPECT_EQ(MPI_Group_difference(a, b, &made), MPI_SUCCESS);
  EXPECT_EQ(take(), (Ranks{3, 0, 9}));
  EXPECT_EQ(MPI_Group_difference(b, a, &made), MPI_SUCCESS);
  EXPECT_EQ(take(), (Ranks{8}));
}

TEST_F(GroupTest, ANewGroupKnowsThisProcess) {
  int rank = -1;
  EXPECT_EQ(MPI_Group_union(b, a, &made), MPI_SUCCESS);
  EXPECT_EQ(MPI_Group_rank(made, &rank), MPI_SUCCESS);
  EXPECT_EQ(rank, 4);
  take();
  const int others[] = {2};
  EXPECT_EQ(MPI_Group_excl(a, 1, others, &made), MPI_SUCCESS);
  EXPECT_EQ(MPI_Group_rank(made, &rank), MPI_SUCCESS);
  EXPECT_EQ(rank, MPI_UNDEFINED);
}

TEST_F(GroupTest, NothingLeftIsTheEmptyGroup) {
  const int all[] = {0, 1, 2};
  int range[][3] = {{2, 0, -1}};
  const std::uint64_t live = foldlane::api::live_groups();
  for (const auto& call :
       {+[](MPI_Group g, MPI_Group*m) { return MPI_Group_difference(g, g, m); },
        +[](MPI_Group g, MPI_Group*m) { return MPI_Group_incl(g, 0, nullptr, m); },
        +[](MPI_Group g, MPI_Group*m) { return MPI_Group_range_incl(g, 0, nullptr, m); },
        +[](MPI_Group g, MPI_Group*m) { return MPI_Group_intersection(g, MPI_GROUP_EMPTY, m); }}) {
    made = MPI_GROUP_NULL;
    EXPECT_EQ(call(b, &made), MPI_SUCCESS);
    EXPECT_EQ(made, MPI_GROUP_EMPTY);
  }
  EXPECT_EQ(MPI_Group_excl(b, 3, all, &made), MPI_SUCCESS);
  EXPECT_EQ(made, MPI_GROUP_EMPTY);
  EXPECT_EQ(MPI_Group_range_excl(b, 1, range, &made), MPI_SUCCESS);
  EXPECT_EQ(made, MPI_GROUP_EMPTY);
  EXPECT_EQ(foldlane::api::live_groups(), live);
}

TEST_F(GroupTest, InclAndExcl) {
  const int ranks[] = {4, 0, 2};
  EXPECT_EQ(MPI_Group_incl(a, 3, ranks, &made), MPI_SUCCESS);
  EXPECT_EQ(take(), (Ranks{9, 7, 0}));
  EXPECT_EQ(MPI_Group_excl(a, 3, ranks, &made), MPI_SUCCESS);
  EXPECT_EQ(take(), (Ranks{3, 5}));
  EXPECT_EQ(MPI_Group_excl(a, 0, nullptr, &made), MPI_SUCCESS);
  EXPECT_EQ(take(), (Ranks{7, 3, 0, 5, 9}));
}

TEST_F(GroupTest, Ranges) {
  // Up by two; down; a single one with any stride. The end of a range need not be met.
  int ranges[][3] = {{0, 3, 2}, {4, 3, -1}, {1, 1, -9}};
  EXPECT_EQ(MPI_Group_range_incl(a, 3, ranges, &made), MPI_SUCCESS);
  EXPECT_EQ(take(), (Ranks{7, 0, 9, 5, 3}));
  EXPECT_EQ(MPI_Group_range_excl(a, 1, ranges, &made), MPI_SUCCESS);
  EXPECT_EQ(take(), (Ranks{3, 5, 9}));
  int beyond[][3] = {{1, 6, 3}};  // 1 and 4: the end itself does not exist, and is not met
  EXPECT_EQ(MPI_Group_range_incl(a, 1, beyond, &made), MPI_SUCCESS);
  EXPECT_EQ(take(), (Ranks{3, 9}));
}

TEST_F(GroupTest, InclAndExclRefuse) {
  const int twice[] = {1, 0, 1}, beyond[] = {0, 5}, negative[] = {-1}, special[] = {MPI_PROC_NULL};
  for (auto* call : {MPI_Group_incl, MPI_Group_excl}) {
    EXPECT_EQ(call(a, 3, twice, &made), MPI_ERR_RANK);
    EXPECT_NE(error_string(MPI_ERR_RANK).find("rank 1 is given twice"), std::string::npos);
    EXPECT_EQ(call(a, 2, beyond, &made), MPI_ERR_RANK);
    EXPECT_NE(error_string(MPI_ERR_RANK).find("rank 5 does not exist; the group has the ranks 0 to 4"),
              std::string::npos);
    EXPECT_EQ(call(a, 1, negative, &made), MPI_ERR_RANK);
    EXPECT_EQ(call(a, 1, special, &made), MPI_ERR_RANK);
    EXPECT_EQ(call(MPI_GROUP_EMPTY, 1, twice, &made), MPI_ERR_RANK);
    EXPECT_EQ(call(a, -1, twice, &made), MPI_ERR_ARG);
    EXPECT_EQ(call(a, 1, nullptr, &made), MPI_ERR_ARG);
    EXPECT_EQ(call(a, 1, twice, nullptr), MPI_ERR_ARG);
  }
  EXPECT_EQ(made, MPI_GROUP_NULL);
}

TEST_F(GroupTest, RangesRefuse) {
  constexpr int kLow = std::numeric_limits<int>::min(), kHigh = std::numeric_limits<int>::max();
  int still[][3] = {{0, 2, 0}}, away[][3] = {{0, 2, -1}}, back[][3] = {{2, 0, 1}};
  int twice[][3] = {{0, 2, 1}, {4, 2, -2}}, beyond[][3] = {{0, 5, 1}}, huge[][3] = {{kLow, kHigh, 1}};
  int before[][3] = {{3, -1, -1}};
  for (auto* call : {MPI_Group_range_incl, MPI_Group_range_excl}) {
    EXPECT_EQ(call(a, 1, still, &made), MPI_ERR_ARG);
    EXPECT_NE(error_string(MPI_ERR_ARG).find("the range (0, 2, 0) has the stride 0"), std::string::npos);
    EXPECT_EQ(call(a, 1, away, &made), MPI_ERR_ARG);
    EXPECT_NE(error_string(MPI_ERR_ARG).find("the stride -1 does not lead from 0 to 2"), std::string::npos);
    EXPECT_EQ(call(a, 1, back, &made), MPI_ERR_ARG);
    EXPECT_EQ(call(a, 2, twice, &made), MPI_ERR_RANK);
    EXPECT_EQ(call(a, 1, beyond, &made), MPI_ERR_RANK);
    EXPECT_EQ(call(a, 1, before, &made), MPI_ERR_RANK);
    EXPECT_EQ(call(a, 1, huge, &made), MPI_ERR_RANK);
    EXPECT_EQ(call(a, -1, still, &made), MPI_ERR_ARG);
    EXPECT_EQ(call(a, 1, nullptr, &made), MPI_ERR_ARG);
    EXPECT_EQ(call(a, 1, away, nullptr), MPI_ERR_ARG);
  }
  EXPECT_EQ(made, MPI_GROUP_NULL);
}

TEST_F(GroupTest, EveryCallRefusesWhatIsNoGroup) {
  const int ranks[] = {0};
  int range[][3] = {{0, 0, 1}}, out[] = {-7};
  for (MPI_Group bad : {MPI_GROUP_NULL, static_cast<MPI_Group>(nullptr), stale_group()}) {
    MPI_Group freed = bad;
    EXPECT_EQ(MPI_Group_size(bad, out), MPI_ERR_GROUP);
    EXPECT_EQ(MPI_Group_rank(bad, out), MPI_ERR_GROUP);
    EXPECT_EQ(MPI_Group_translate_ranks(bad, 1, ranks, a, out), MPI_ERR_GROUP);
    EXPECT_EQ(MPI_Group_translate_ranks(a, 1, ranks, bad, out), MPI_ERR_GROUP);
    for (auto* call : {MPI_Group_union, MPI_Group_intersection, MPI_Group_difference}) {
      EXPECT_EQ(call(bad, a, &made), MPI_ERR_GROUP);
      EXPECT_EQ(call(a, bad, &made), MPI_ERR_GROUP);
    }
    EXPECT_EQ(MPI_Group_compare(bad, a, out), MPI_ERR_GROUP);
    EXPECT_EQ(MPI_Group_compare(a, bad, out), MPI_ERR_GROUP);
    EXPECT_EQ(MPI_Group_incl(bad, 1, ranks, &made), MPI_ERR_GROUP);
    EXPECT_EQ(MPI_Group_excl(bad, 1, ranks, &made), MPI_ERR_GROUP);
    EXPECT_EQ(MPI_Group_range_incl(bad, 1, range, &made), MPI_ERR_GROUP);
    EXPECT_EQ(MPI_Group_range_excl(bad, 1, range, &made), MPI_ERR_GROUP);
    EXPECT_EQ(MPI_Group_free(&freed), MPI_ERR_GROUP);
    EXPECT_EQ(freed, bad);
  }
  EXPECT_NE(error_string(MPI_ERR_GROUP).find("it may have been freed"), std::string::npos);
  EXPECT_EQ(out[0], -7);
  EXPECT_EQ(made, MPI_GROUP_NULL);
}

TEST_F(GroupTest, NullResults) {
  EXPECT_EQ(MPI_Group_size(a, nullptr), MPI_ERR_ARG);
  EXPECT_EQ(MPI_Group_rank(a, nullptr), MPI_ERR_ARG);
  EXPECT_EQ(MPI_Group_compare(a, b, nullptr), MPI_ERR_ARG);
  EXPECT_EQ(MPI_Group_union(a, b, nullptr), MPI_ERR_ARG);
  EXPECT_EQ(MPI_Group_free(nullptr), MPI_ERR_ARG);
  EXPECT_EQ(MPI_Comm_group(MPI_COMM_WORLD, nullptr), MPI_ERR_ARG);
  EXPECT_EQ(MPI_Comm_group(MPI_COMM_NULL, &made), MPI_ERR_COMM);
}

TEST_F(GroupTest, HandlesRunOut) {
  std::vector<MPI_Group> groups;
  MPI_Group group = MPI_GROUP_NULL;
  int error = MPI_SUCCESS;
  while ((error = MPI_Comm_group(MPI_COMM_SELF, &group)) == MPI_SUCCESS && groups.size() < 1000000) {
    groups.push_back(group);
  }
  EXPECT_EQ(error, MPI_ERR_NO_MEM);
  EXPECT_NE(error_string(MPI_ERR_NO_MEM).find("too many groups exist"), std::string::npos);
  for (MPI_Group& each : groups) ASSERT_EQ(MPI_Group_free(&each), MPI_SUCCESS);
}

TEST_F(GroupTest, AMadeGroupOutlivesItsSources) {
  MPI_Group source = group_with({4, 0});
  EXPECT_EQ(MPI_Group_union(source, MPI_GROUP_EMPTY, &made), MPI_SUCCESS);
  EXPECT_EQ(MPI_Group_free(&source), MPI_SUCCESS);
  EXPECT_EQ(members(made), (Ranks{4, 0}));
}

// Linear calls need a quarter of a second; quadratic ones, 16 million steps each, run into the timeout.
TEST_F(GroupTest, ManyRanksAreNotQuadratic) {
  constexpr int kRanks = 4096;
  Ranks ranks(kRanks);
  std::iota(ranks.begin(), ranks.end(), 0);
  MPI_Group up = group_with(ranks);
  std::reverse(ranks.begin(), ranks.end());
  MPI_Group down = group_with(ranks);
  Ranks translated(kRanks);
  for (int round = 0; round < 5000; ++round) {
    int result = -1;
    ASSERT_EQ(MPI_Group_compare(up, down, &result), MPI_SUCCESS);
    ASSERT_EQ(result, MPI_SIMILAR);
    ASSERT_EQ(MPI_Group_translate_ranks(up, kRanks, ranks.data(), down, translated.data()), MPI_SUCCESS);
    ASSERT_EQ(translated.front(), 0);
    ASSERT_EQ(MPI_Group_incl(up, kRanks, ranks.data(), &made), MPI_SUCCESS);
    ASSERT_EQ(take(), ranks);
    ASSERT_EQ(MPI_Group_union(up, down, &made), MPI_SUCCESS);
    ASSERT_EQ(take().size(), ranks.size());
  }
  EXPECT_EQ(MPI_Group_free(&up), MPI_SUCCESS);
  EXPECT_EQ(MPI_Group_free(&down), MPI_SUCCESS);
}

}  // namespace
