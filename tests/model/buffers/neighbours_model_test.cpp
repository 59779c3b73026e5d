// Blocks among neighbours (engine/moves/neighbours) under the explorer: blocks of one size and lists, in
// lines and in slots, and the lists of edges by which places are found, on graphs in which not everybody
// awaits everybody, with callers that write to their buffers right before and right after each call, and
// mutants of what protects places.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "engine/moves/block_list.hpp"
#include "engine/moves/neighbours/edge_lists.hpp"
#include "engine/moves/neighbours/list_layout.hpp"
#include "engine/moves/neighbours/neighbour_move.hpp"
#include "heap_program.hpp"
#include "report.hpp"

namespace foldlane::model {
namespace {

enum class Shows : std::uint8_t { equal, list, edges };

/// `edges`: from the first rank to the second, of all ranks.
struct Graph {
  int ranks;
  std::vector<std::pair<int, int>> edges;
};
struct Move {
  Shows shows;
  std::size_t block;  // elements; of a list the blocks at even places have one less
};

class NeighbourProgram final : public HeapProgram<Team> {
 public:
  /// Two of the longer ones, or of lists one, have no room in a line.
  static constexpr std::size_t kShort = 2, kLong = 15;

  NeighbourProgram(const Graph& graph, const std::vector<Move>& moves)
      : HeapProgram(graph.ranks, kSlot, kLong * graph.edges.size()), graph_(graph), moves_(moves) {}

  void run(int rank) override {
    for (std::size_t m = 0; m < moves_.size(); ++m) {
      const bool is_done = moves_[m].shows == Shows::edges ? find_places(rank) : move(m, rank);
      if (!is_done) return;
    }
  }

 private:
  static constexpr std::size_t kSlot = 80;

  struct Edge {
    int number;  // among those of all
    int peer;
    std::uint32_t place, shown;  // at its giver
  };
  std::uint32_t shown_by(int giver) const {
    return static_cast<std::uint32_t>(std::count_if(graph_.edges.begin(), graph_.edges.end(),
                                                    [&](const auto& edge) { return edge.first == giver; }));
  }
  /// Of one side of a rank.
  std::vector<Edge> edges_of(int rank, bool gives) const {
    std::vector<Edge> found;
    std::vector<std::uint32_t> places(static_cast<std::size_t>(graph_.ranks));
    for (std::size_t e = 0; e < graph_.edges.size(); ++e) {
      const auto [from, to] = graph_.edges[e];
      const std::uint32_t place = places[static_cast<std::size_t>(from)]++;
      if ((gives ? from : to) == rank)
        found.push_back({static_cast<int>(e), gives ? to : from, place, shown_by(from)});
    }
    return found;
  }

  bool find_places(int rank) {
    std::vector<engine::Neighbour> sources, destinations;
    for (const Edge& edge : edges_of(rank, false)) sources.push_back({edge.peer, 0, 99, 99});
    for (const Edge& edge : edges_of(rank, true)) destinations.push_back({edge.peer, 0, 99, 99});
    using Lists = engine::EdgeLists<Team>;
    const engine::Edges edges{sources, destinations};
    Lists lists(team(rank), edges);
    if (!engine::run_turns(engine::NeighbourMove<Team, Lists>(team(rank), lists))) return false;
    return expect_places(sources, edges_of(rank, false)) && expect_places(destinations, edges_of(rank, true));
  }
  static bool expect_places(const std::vector<engine::Neighbour>& found, const std::vector<Edge>& expected) {
    for (std::size_t i = 0; i < found.size(); ++i)
      if (found[i].place != expected[i].place || found[i].shown != expected[i].shown) {
        Execution::current().fail("wrong place");
        return false;
      }
    return true;
  }

  std::size_t block_of(const Move& move, const Edge& edge) const {
    return move.block - (move.shows == Shows::list && edge.place % 2 == 0 ? 1 : 0);
  }
  Elements input(std::size_t move, const Edge& edge) const {
    Elements elements(block_of(moves_[move], edge));
    for (std::size_t i = 0; i < elements.size(); ++i)
      elements[i] = mix(move * 64 + static_cast<std::uint64_t>(edge.number), i + 1);
    return elements;
  }
  std::uint64_t* place_of(int rank, bool receives, std::size_t i) {
    return buffer(rank, true, receives) + i * kLong;
  }
  engine::BlockList blocks_of(const Move& move, int rank, bool gives, const std::vector<Edge>& edges) {
    engine::BlockList blocks;
    for (std::size_t i = 0; i < edges.size(); ++i) {
      auto* const at = reinterpret_cast<std::byte*>(place_of(rank, !gives, i));
      const std::size_t bytes = block_of(move, edges[i]) * sizeof(std::uint64_t);
      blocks.add({edges[i].peer, {at, bytes}, edges[i].place, edges[i].shown});
    }
    return blocks;
  }

  bool move(std::size_t number, int rank) {
    const Move& move = moves_[number];
    const std::vector<Edge> given = edges_of(rank, true), taken = edges_of(rank, false);
    for (std::size_t i = 0; i < given.size(); ++i) write(place_of(rank, false, i), input(number, given[i]));
    for (std::size_t i = 0; i < taken.size(); ++i) write(place_of(rank, true, i), Elements(kLong, 0));
    const engine::BlockList sends = blocks_of(move, rank, true, given);
    const engine::BlockList receives = blocks_of(move, rank, false, taken);
    engine::Movement movement;
    movement.sends = &sends;
    movement.receives = &receives;
    movement.block_bytes = move.block * sizeof(std::uint64_t);
    movement.shown_blocks = static_cast<std::uint32_t>(given.size());
    const bool went = move.shows == Shows::equal ? perform<engine::EqualLayout<Team>>(rank, movement)
                                                 : perform<engine::ListLayout<Team>>(rank, movement);
    return went && expect_taken(number, rank, taken);
  }
  template <class Layout>
  bool perform(int rank, const engine::Movement& movement) {
    Layout layout(team(rank), movement);
    return engine::run_turns(engine::NeighbourMove<Team, Layout>(team(rank), layout)) &&
           !team(rank).agreement().broken() && !layout.apart().are_there();
  }
  bool expect_taken(std::size_t number, int rank, const std::vector<Edge>& taken) {
    for (std::size_t i = 0; i < taken.size(); ++i) {
      const Elements given = input(number, taken[i]);
      const std::uint64_t* const got = place_of(rank, true, i);
      Atoms::reads(got, given.size() * sizeof(std::uint64_t));
      if (std::equal(given.begin(), given.end(), got)) continue;
      Execution::current().fail(fmt::format("wrong value in call {}", number));
      return false;
    }
    return true;
  }

  const Graph& graph_;
  const std::vector<Move>& moves_;
};

Verdict check(const Graph& graph, const std::vector<Move>& moves, const Settings& settings = {}) {
  return explore([&] { return std::make_unique<NeighbourProgram>(graph, moves); }, settings);
}

constexpr std::size_t kShort = NeighbourProgram::kShort, kLong = NeighbourProgram::kLong;
constexpr Move kEqualLine{Shows::equal, kShort}, kEqualSlot{Shows::equal, kLong},
    kListLine{Shows::list, kShort}, kListSlot{Shows::list, kLong}, kEdges{Shows::edges, 0};
const std::vector<Move> kMoves{kEqualLine, kEqualSlot, kListLine, kListSlot, kEdges};

/// A pair of which one gives twice, a ring, a chain whose ends give or take nothing and run ahead, and who
/// gives itself something.
const std::vector<Graph> kGraphs{{2, {{0, 1}, {1, 0}, {0, 1}}},
                                 {3, {{0, 1}, {1, 2}, {2, 0}}},
                                 {3, {{0, 1}, {1, 2}}},
                                 {2, {{0, 0}, {0, 1}, {1, 1}}}};
const Graph& kPair = kGraphs.front();

TEST(NeighbourMoves, InEveryOrder) {
  Verdict sum;
  for (const Graph& graph : kGraphs)
    for (const Move& a : kMoves)
      for (const Move& b : kMoves) {
        const Verdict one = check(graph, {a, b, a});
        sum.executions += one.executions;
        ASSERT_TRUE(one.passed()) << one.problem;
      }
  expect_pass("2 and 3 ranks, every sequence a, b, a among neighbours", sum);
}

TEST(NeighbourMoves, MoreOftenThanThereArePlaces) {
  Verdict sum;
  for (const Graph& graph : kGraphs)
    for (const Move& move : kMoves) {
      const Verdict one = check(graph, std::vector<Move>(9, move));
      sum.executions += one.executions;
      ASSERT_TRUE(one.passed()) << one.problem;
    }
  expect_pass("2 and 3 ranks, each call among neighbours 9 times", sum);
}

TEST(NeighbourMoves, EdgesThatFillASlot) {
  Graph graph{2, {}};
  for (int i = 0; i < 32; ++i) graph.edges.push_back({i % 3 == 0 ? 1 : 0, i % 2});
  expect_pass("2 ranks, lists of 32 edges", check(graph, std::vector<Move>(6, kEdges)));
}

TEST(NeighbourMovesMutants, Words) {
  const Graph chain = kGraphs[2];
  for (const Move& move : kMoves) {
    Settings publish, observe, satisfied, finished;
    publish.mutation.relaxed_publish = mask(Kind::shown);
    observe.mutation.relaxed_observe = mask(Kind::shown);
    satisfied.mutation.satisfied = mask(Kind::shown);
    finished.mutation.satisfied = mask(Kind::finished);
    const std::vector<Move> moves(9, move);
    expect_caught("neighbours: line published relaxed", check(kPair, moves, publish), "race");
    expect_caught("neighbours: line observed relaxed", check(kPair, moves, observe), "race");
    EXPECT_FALSE(check(kPair, moves, satisfied).passed()) << "neighbours: line not awaited";
    // Who gives and takes nothing runs ahead.
    if (move.shows != Shows::edges)
      expect_caught("neighbours: place not awaited", check(chain, moves, finished), "race");
  }
}

}  // namespace
}  // namespace foldlane::model
