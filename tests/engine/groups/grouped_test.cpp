// Grouped folds on machines we do not have, all ranks in one thread: the same bits as the serial fold in the
// canonical order, whatever the groups. The operation is not associative: it notices any other tree.
#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <functional>
#include <memory>
#include <numeric>

#include "engine/algorithms/fold_grouped.hpp"
#include "engine/algorithms/inline_grouped.hpp"
#include "engine/moves/group_places.hpp"
#include "engine/moves/grouped_move.hpp"
#include "engine/moves/lists/announced_lists.hpp"
#include "engine/moves/shown_move.hpp"
#include "support/counted_crowd.hpp"
#include "support/vector_blocks.hpp"

namespace foldlane::engine {
namespace {

using testing::CountedCrowd;
using testing::seats_on;

std::uint64_t combine(std::uint64_t a, std::uint64_t b) {
  return (std::rotl(a, 7) + 3 * b) * 0x9e3779b97f4a7c15U;
}

void combine_all(void*, const void* in, void* inout, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    std::uint64_t a = 0, b = 0;
    std::memcpy(&a, static_cast<const std::byte*>(in) + i * sizeof a, sizeof a);
    std::memcpy(&b, static_cast<const std::byte*>(inout) + i * sizeof b, sizeof b);
    const std::uint64_t both = combine(a, b);
    std::memcpy(static_cast<std::byte*>(inout) + i * sizeof both, &both, sizeof both);
  }
}

const Reduction kTreeHash{.elem_bytes = sizeof(std::uint64_t), .user = {combine_all, nullptr}};

using Vector = std::vector<std::uint64_t>;

std::uint64_t input(int rank, std::size_t i) { return static_cast<std::uint64_t>(rank) * 1'000'003 + i; }

std::uint64_t serial(int lo, int hi, std::size_t i) {
  if (hi - lo == 1) return input(lo, i);
  const int mid = lo + static_cast<int>(std::bit_floor(static_cast<unsigned>(hi - lo - 1)));
  return combine(serial(lo, mid, i), serial(mid, hi, i));
}

std::byte* bytes(Vector& values) { return reinterpret_cast<std::byte*>(values.data()); }

struct Machine {
  const char* topology;
  int ranks;
};

void PrintTo(const Machine& machine, std::ostream* os) { *os << machine.ranks << " on " << machine.topology; }

class Grouped : public ::testing::TestWithParam<Machine> {
 protected:
  static std::vector<Vector> inputs(const CountedCrowd& crowd, std::size_t count) {
    std::vector<Vector> data;
    for (int rank = 0; rank < crowd.size(); ++rank) {
      data.emplace_back(count);
      for (std::size_t i = 0; i < count; ++i) data.back()[i] = input(rank, i);
    }
    return data;
  }
  static Vector expected(const CountedCrowd& crowd, std::size_t count) {
    Vector result;
    for (std::size_t i = 0; i < count; ++i) result.push_back(serial(0, crowd.size(), i));
    return result;
  }
};

TEST_P(Grouped, AllreduceThroughSlots) {
  CountedCrowd crowd(seats_on(GetParam().topology, GetParam().ranks), true, 4096);
  ASSERT_NE(crowd.team(0).hierarchy(), nullptr);
  const std::size_t chunk_count = GroupedPlaces::largest_chunk(*crowd.team(0).hierarchy(), 4096, {8, 8});
  for (const std::size_t count : {1u, 8u, 33u, 200u, 1000u, 3001u}) {
    auto data = inputs(crowd, count);
    ASSERT_TRUE(crowd.run([&](int rank) {
      auto& own = data[static_cast<std::size_t>(rank)];
      return fold_grouped(crowd.team(rank),
                          {bytes(own), bytes(own), count, &kTreeHash, kNobody, nullptr, chunk_count, false});
    })) << count;
    const Vector result = expected(crowd, count);
    for (const Vector& own : data) ASSERT_EQ(own, result) << count;
  }
}

TEST_P(Grouped, AllreduceBesideTheEpoch) {
  CountedCrowd crowd(seats_on(GetParam().topology, GetParam().ranks), true, 4096);
  ASSERT_NE(crowd.team(0).hierarchy(), nullptr);
  const std::size_t most = 7 / crowd.team(0).hierarchy()->most_values();
  for (std::size_t count = 0; count <= most; ++count) {
    auto data = inputs(crowd, count);
    ASSERT_TRUE(crowd.run([&](int rank) {
      auto& own = data[static_cast<std::size_t>(rank)];
      return fold_inline_grouped(crowd.team(rank),
                                 {bytes(own), bytes(own), count, &kTreeHash, kNobody, 0, count});
    })) << count;
    const Vector result = expected(crowd, count);
    for (const Vector& own : data) ASSERT_EQ(own, result) << count;
  }
}

/// Blocks of `count` elements, by `start(rank, movement)`, several times in a row; with the bytes that a
/// serial shuffle gives.
template <class Start>
void expect_moved(CountedCrowd& crowd, Call call, int root, std::size_t count, const Start& start) {
  const auto members = static_cast<std::size_t>(crowd.size());
  for (int repeat = 0; repeat < 6; ++repeat) {
    std::vector<Vector> sends(members), receives(members);
    std::vector<std::unique_ptr<testing::VectorMove>> moves;
    for (int rank = 0; rank < crowd.size(); ++rank) {
      Vector& send = sends[static_cast<std::size_t>(rank)];
      for (std::size_t i = 0; i < count * members; ++i) send.push_back(input(rank + 1000 * repeat, i));
      Vector& receive = receives[static_cast<std::size_t>(rank)];
      receive.resize(count * members);
      moves.push_back(std::make_unique<testing::VectorMove>(
          call, root, crowd.size(), rank, count * sizeof(std::uint64_t), bytes(send), bytes(receive)));
    }
    ASSERT_TRUE(
        crowd.run([&](int rank) { return start(rank, moves[static_cast<std::size_t>(rank)]->movement); }));
    for (int rank = 0; rank < crowd.size(); ++rank) {
      Vector expected(count * members);
      if (takes_in(call, rank == root)) {
        const std::size_t from = gives_block_for_each(call) ? static_cast<std::size_t>(rank) * count : 0;
        for (std::size_t sender = 0; sender < members; ++sender)
          for (std::size_t i = 0; i < count; ++i) expected[sender * count + i] = sends[sender][from + i];
      }
      ASSERT_EQ(receives[static_cast<std::size_t>(rank)], expected)
          << "repeat " << repeat << ", rank " << rank;
    }
  }
}

TEST(GroupedMove, BlocksForAGroupTouchAsFewLinesAsTheyCan) {
  EXPECT_EQ(place_behind(0, 8), 0U);
  EXPECT_EQ(place_behind(64, 64), 64U);
  EXPECT_EQ(place_behind(8, 56), 8U) << "as one line";
  EXPECT_EQ(place_behind(8, 57), 64U) << "would be two";
  EXPECT_EQ(place_behind(112, 112), 128U) << "14 blocks of 8 bytes would touch three lines";
  EXPECT_EQ(place_behind(224, 224), 224U) << "28 of them touch four lines there, too";
  const std::vector<Members> groups{{0, 14}, {14, 28}, {42, 14}};
  EXPECT_EQ(shown_in_groups(Call::alltoall, 8, groups), 56U * 8 + 3 * 64);
  EXPECT_EQ(shown_in_groups(Call::allgather, 64, groups), 64U);
  EXPECT_EQ(shown_in_groups(Call::allgather, 65, groups), 65U * 28) << "what the largest one collects";
  std::vector<std::pair<Members, std::size_t>> runs;
  for_each_run(groups, 8, [&](const Members& run, std::size_t place) { runs.emplace_back(run, place); });
  const std::vector<std::pair<Members, std::size_t>> expected{{{0, 14}, 0}, {{14, 28}, 128}, {{42, 14}, 384}};
  EXPECT_EQ(runs, expected);
  runs.clear();
  for_each_run(groups, 32, [&](const Members& run, std::size_t place) { runs.emplace_back(run, place); });
  EXPECT_EQ(runs.size(), 1U) << "whole lines: no gaps";
}

/// Of 8 and 72 bytes leaders collect them, of 64 and 400 they tell of them.
TEST_P(Grouped, BlocksThatLeadersCollectOrTellOf) {
  CountedCrowd crowd(seats_on(GetParam().topology, GetParam().ranks), true, 128 << 10);
  for (const std::size_t count : {1u, 9u, 8u, 50u}) {
    const auto move = [&](Call call, int root) {
      expect_moved(crowd, call, root, count, [&](int rank, const Movement& movement) {
        return move_in_groups(crowd.team(rank), call, root, movement);
      });
    };
    move(Call::allgather, 0);
    for (const int root : {0, 1, crowd.size() - 1}) move(Call::gather, root);
    move(Call::alltoall, 0);
    move(Call::allgather, 0);
  }
}

TEST_P(Grouped, BlocksThatEverybodyReadsInPlace) {
  CountedCrowd crowd(seats_on(GetParam().topology, GetParam().ranks), true, 32 << 10);
  for (const Call call : {Call::alltoall, Call::allgather, Call::gather, Call::alltoall})
    expect_moved(crowd, call, 3, 5, [&](int rank, const Movement& movement) {
      return as_procedure<SlotMove<CountedCrowd::Team>>(crowd.team(rank), call, 3, std::cref(movement));
    });
}

/// All fit the slot.
TEST_P(Grouped, BlocksOfLists) {
  CountedCrowd crowd(seats_on(GetParam().topology, GetParam().ranks), true, 32 << 10);
  std::vector<ChunkedLists> chunks(static_cast<std::size_t>(crowd.size()));
  std::vector<std::optional<BlockChoices::Use>> ways(chunks.size());
  for (const Call call : {Call::alltoallv, Call::allgatherv, Call::alltoallw})
    expect_moved(crowd, call, 3, 5, [&](int rank, const Movement& movement) {
      CountedCrowd::Team& team = crowd.team(rank);
      BlockChoices::Use& way = ways[static_cast<std::size_t>(rank)].emplace(team.slots().block_choices());
      ChunkedLists& lists = chunks[static_cast<std::size_t>(rank)];
      return are_lists_announced(call, team.size())
                 ? as_procedure<AnnouncedLists<CountedCrowd::Team>>(team, call, 3, std::cref(movement),
                                                                    std::ref(lists), std::ref(way))
                 : as_procedure<ListMove<CountedCrowd::Team>>(team, call, 3, std::cref(movement),
                                                              std::ref(lists), std::ref(way));
    });
  for (const ChunkedLists& each : chunks) EXPECT_EQ(each.turns, 0U);
}

INSTANTIATE_TEST_SUITE_P(
    Machines, Grouped,
    ::testing::Values(Machine{"package:2 l3:8 core:8", 128}, Machine{"package:1 l3:24 core:8", 192},
                      Machine{"package:4 l3:1 core:32", 128}, Machine{"package:2 l3:1 numa:2 core:28", 112},
                      Machine{"package:2 l3:1 numa:4 core:14", 112}, Machine{"package:2 l3:8 core:8", 100},
                      Machine{"package:3 l3:2 core:5", 30}, Machine{"package:2 l3:1 core:5", 10},
                      Machine{"package:2 l3:1 core:8", 16}));

}  // namespace
}  // namespace foldlane::engine
