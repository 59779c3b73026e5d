#include "engine/mapping/mapping.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <random>
#include <string>
#include <utility>

#include "support/counted_crowd.hpp"

namespace foldlane::engine {

void PrintTo(const Crossings& crossings, std::ostream* out) {
  *out << crossings.caches << " between caches, " << crossings.numa_nodes << " between NUMA nodes, "
       << crossings.packages << " between packages";
}

namespace {

using testing::seats_on;

/// As a launcher does that gives one rank to each group in turn.
std::vector<Seat> round_robin(const std::vector<Seat>& packed, int Seat::*shared) {
  std::vector<std::pair<int, Seat>> turns;  // in which turn each seat is given away
  std::map<int, int> given;
  for (const Seat& seat : packed) turns.emplace_back(given[seat.*shared]++, seat);
  std::stable_sort(turns.begin(), turns.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<Seat> seats;
  for (const auto& [turn, seat] : turns) seats.push_back(seat);
  return seats;
}

Grid grid_of(const std::vector<int>& extents, bool is_periodic = false) {
  Grid grid;
  for (const int extent : extents) grid.dimensions.push_back({extent, is_periodic});
  return grid;
}

using Random = std::mt19937;

/// The same in every library, unlike its distributions.
int draw(Random& random, int least, int most) {
  return least + static_cast<int>(random() % static_cast<unsigned>(most - least + 1));
}

std::vector<Edge> random_edges(Random& random, int tasks, int edges, int least_weight, int most_weight) {
  std::vector<Edge> all;
  for (int i = 0; i < edges; ++i) {
    all.push_back({draw(random, 0, tasks - 1), draw(random, 0, tasks - 1),
                   static_cast<std::uint64_t>(draw(random, least_weight, most_weight))});
  }
  return all;
}

// ---- Grids

TEST(Grid, NumbersCellsInRowMajorOrder) {
  const Grid grid = grid_of({2, 3, 4});
  for (int cell = 0; cell < grid.cells(); ++cell) {
    const std::vector<int> coordinates = grid.coordinates_of(cell);
    EXPECT_EQ((coordinates[0] * 3 + coordinates[1]) * 4 + coordinates[2], cell);
    EXPECT_EQ(grid.cell_at(coordinates), cell);
    for (std::size_t dimension = 0; dimension < 3; ++dimension)
      EXPECT_EQ(grid.coordinate_of(cell, dimension), coordinates[dimension]);
  }
  EXPECT_EQ(grid_of({}).cells(), 1);
}

TEST(Grid, EndsUnlessItIsPeriodic) {
  const Grid open = grid_of({4}), ring = grid_of({4}, true);
  EXPECT_EQ(open.neighbour_of(3, 0, 1), std::nullopt);
  EXPECT_EQ(open.neighbour_of(0, 0, -1), std::nullopt);
  EXPECT_EQ(open.neighbour_of(1, 0, 2), 3);
  EXPECT_EQ(ring.neighbour_of(3, 0, 1), 0);
  EXPECT_EQ(ring.neighbour_of(0, 0, -9), 3);
  EXPECT_EQ(ring.neighbour_of(2, 0, 4'000'000'003), 1);
  EXPECT_EQ(open.neighbour_of(2, 0, -4'000'000'003), std::nullopt);
  EXPECT_EQ(grid_of({1}, true).neighbour_of(0, 0, 7), 0);
}

// ---- Crossings

TEST(Crossings, CountsEachBorder) {
  const std::vector<Seat> seats = seats_on("package:2 numa:2 l3:2 core:1", 8);
  const std::vector<Edge> edges{{0, 1, 1}, {0, 2, 10}, {7, 0, 100}, {3, 3, 1000}};
  const std::vector<int> in_order{0, 1, 2, 3, 4, 5, 6, 7}, swapped{0, 7, 2, 3, 4, 5, 6, 1};
  EXPECT_EQ(crossings_of(edges, in_order, seats), (Crossings{111, 110, 100}));
  EXPECT_EQ(crossings_of(edges, swapped, seats), (Crossings{111, 11, 1}));
}

TEST(Crossings, IsNoImprovementIfOneLevelGetsWorse) {
  EXPECT_TRUE((Crossings{5, 3, 1}.improves({6, 3, 1})));
  EXPECT_FALSE((Crossings{5, 3, 1}.improves({5, 3, 1})));
  EXPECT_FALSE((Crossings{6, 0, 0}.improves({5, 5, 5})));
}

// ---- What must be shown: before and after

const char* const kMachine = "package:2 l3:8 core:8";

TEST(Mapping, OfAStencilPlacedRoundRobin) {
  const std::vector<Seat> packed = seats_on(kMachine, 128);
  const Grid grid = grid_of({8, 4, 4});
  const Mapping by_package = map_grid(grid, round_robin(packed, &Seat::package));
  EXPECT_EQ(by_package.before, (Crossings{416, 0, 192}));
  EXPECT_EQ(by_package.after, (Crossings{224, 0, 32}));
  const Mapping by_cache = map_grid(grid, round_robin(packed, &Seat::llc));
  EXPECT_EQ(by_cache.after, (Crossings{224, 0, 32}));
}

TEST(Mapping, OfARandomSparseGraph) {
  Random random(16);
  const std::vector<Edge> edges = random_edges(random, 128, 128 * 6, 1, 1);
  const Mapping mapping = map_graph(128, edges, round_robin(seats_on(kMachine, 128), &Seat::package));
  EXPECT_EQ(mapping.before, (Crossings{722, 0, 398}));
  EXPECT_EQ(mapping.after, (Crossings{564, 0, 232}));
}

TEST(Mapping, FindsWhatIsThere) {
  // Sixteen rings of eight, whose members are as far from each other as can be.
  std::vector<Edge> edges;
  for (int task = 0; task < 128; ++task) edges.push_back({task, (task + 16) % 128, 3});
  const Mapping mapping = map_graph(128, edges, seats_on(kMachine, 128));
  EXPECT_EQ(mapping.before.caches, 384U);
  EXPECT_EQ(mapping.after, Crossings{});
}

TEST(Mapping, LeavesWhatCannotBeBetter) {
  const std::vector<Seat> packed = seats_on(kMachine, 128);
  std::vector<int> in_order(128);
  std::iota(in_order.begin(), in_order.end(), 0);
  EXPECT_EQ(map_grid(grid_of({16, 8}), seats_on("package:1 l3:1 core:128", 128)).members, in_order);
  EXPECT_EQ(map_grid(grid_of({128}), packed).members, in_order);
  EXPECT_EQ(map_grid(grid_of({128}, true), packed).members, in_order);
  EXPECT_EQ(map_graph(128, {}, packed).members, in_order);
  EXPECT_EQ(map_graph(128, std::vector<Edge>{{0, 127, 0}}, packed).members, in_order);
  EXPECT_EQ(map_grid(grid_of({}), packed).members, std::vector<int>{0});
  EXPECT_EQ(map_graph(0, {}, packed).members, std::vector<int>{});
}

// ---- Never worse

std::vector<Seat> random_seats(Random& random) {
  const int packages = draw(random, 1, 4), nodes = draw(random, 1, 2), caches = draw(random, 1, 4),
            cores = draw(random, 1, 6), units = packages * nodes * caches * cores;
  std::vector<Seat> seats =
      seats_on(fmt::format("package:{} numa:{} l3:{} core:{}", packages, nodes, caches, cores),
               draw(random, 1, units));
  switch (draw(random, 0, 3)) {
    case 0:
      std::shuffle(seats.begin(), seats.end(), random);
      return seats;
    case 1:
      return round_robin(seats, &Seat::package);
    case 2:
      return round_robin(seats, &Seat::llc);
    default:
      return seats;
  }
}

Grid random_grid(Random& random, int most_cells) {
  Grid grid;
  for (int room = most_cells; draw(random, 0, 4) > 0;) {
    grid.dimensions.push_back({draw(random, 1, std::min(room, 8)), draw(random, 0, 1) == 1});
    room /= grid.dimensions.back().extent;
  }
  return grid;
}

/// Each task is on a member of its own, and the counts are those of the mapping.
void expect_sound(const Mapping& mapping, std::span<const Edge> edges, std::span<const Seat> seats) {
  std::vector<int> in_order(mapping.members.size());
  std::iota(in_order.begin(), in_order.end(), 0);
  std::vector<int> sorted = mapping.members;
  std::sort(sorted.begin(), sorted.end());
  ASSERT_EQ(sorted, in_order);
  ASSERT_EQ(mapping.before, crossings_of(edges, in_order, seats));
  ASSERT_EQ(mapping.after, crossings_of(edges, mapping.members, seats));
  ASSERT_LE(mapping.after.caches, mapping.before.caches);
  ASSERT_LE(mapping.after.numa_nodes, mapping.before.numa_nodes);
  ASSERT_LE(mapping.after.packages, mapping.before.packages);
  ASSERT_TRUE(mapping.members == in_order || mapping.after.cost() < mapping.before.cost());
}

TEST(Mapping, OfAGridIsNeverWorse) {
  int better = 0;
  for (unsigned seed = 0; seed < 300; ++seed) {
    Random random(seed);
    const std::vector<Seat> seats = random_seats(random);
    const Grid grid = random_grid(random, static_cast<int>(seats.size()));
    const Mapping mapping = map_grid(grid, seats);
    ASSERT_EQ(static_cast<int>(mapping.members.size()), grid.cells());
    ASSERT_NO_FATAL_FAILURE(expect_sound(mapping, edges_of(grid), seats)) << "seed " << seed;
    better += mapping.after.cost() < mapping.before.cost();
  }
  EXPECT_GT(better, 50);
}

TEST(Mapping, OfAGraphIsNeverWorse) {
  int better = 0;
  for (unsigned seed = 0; seed < 300; ++seed) {
    Random random(seed);
    const std::vector<Seat> seats = random_seats(random);
    const int tasks = draw(random, 1, static_cast<int>(seats.size()));
    const std::vector<Edge> edges = random_edges(random, tasks, draw(random, 0, 6 * tasks), 0, 9);
    const Mapping mapping = map_graph(tasks, edges, seats);
    ASSERT_EQ(static_cast<int>(mapping.members.size()), tasks);
    ASSERT_NO_FATAL_FAILURE(expect_sound(mapping, edges, seats)) << "seed " << seed;
    better += mapping.after.cost() < mapping.before.cost();
  }
  EXPECT_GT(better, 50);
}

}  // namespace
}  // namespace foldlane::engine
