// What leaves of rooted calls do from one block (engine/moves/rooted/leaf_move.hpp), beside a root with
// lists, under the explorer: in lines and in slots, with callers that write to their buffers right before and
// right after each call, and mutants of what protects places.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "engine/moves/rooted/gather_root.hpp"
#include "engine/moves/rooted/leaf_move.hpp"
#include "engine/moves/shown_move.hpp"
#include "heap_program.hpp"
#include "report.hpp"
#include "support/vector_blocks.hpp"

namespace foldlane::model {
namespace {

using engine::Call;

struct Move {
  Call call;
  std::size_t block;  // elements
  int root = 0;
};

class LeafProgram final : public HeapProgram<Team> {
 public:
  /// Of a gatherv a line carries the shorter one, a slot the longer one.
  static constexpr std::size_t kShort = 1, kLong = 15;

  LeafProgram(int ranks, const std::vector<Move>& moves)
      : HeapProgram(ranks, kLong, kLong * static_cast<std::size_t>(ranks)),
        count_(static_cast<std::size_t>(ranks)),
        moves_(moves) {}

  void run(int rank) override {
    for (std::size_t m = 0; m < moves_.size(); ++m) {
      std::uint64_t* const send = buffer(rank, true, false);
      std::uint64_t* const recv = buffer(rank, true, true);
      write(recv, Elements(kLong * count_, 0));
      write(send, input(m, rank));
      if (!perform(rank, moves_[m], send, recv)) return Execution::current().fail("a call failed");
      check(m, rank, recv);
    }
  }

 private:
  Elements input(std::size_t move, int member) const {
    Elements elements(moves_[move].block * count_);
    for (std::size_t i = 0; i < elements.size(); ++i)
      elements[i] = mix(move * 64 + static_cast<std::uint64_t>(member), i + 1);
    return elements;
  }

  bool perform(int rank, const Move& move, std::uint64_t* send, std::uint64_t* recv) {
    const bool gathers = move.call != Call::scatter;
    auto* const given = reinterpret_cast<std::byte*>(send);
    auto* const taken = reinterpret_cast<std::byte*>(recv);
    const std::size_t bytes = move.block * sizeof(std::uint64_t);
    if (rank != move.root) return perform_leaf(rank, move, {gathers ? given : taken, bytes});
    const testing::VectorMove sides(move.call, move.root, static_cast<int>(count_), rank, bytes, given,
                                    taken);
    if (move.call == Call::gatherv)
      return engine::run_turns(engine::GatherRoot<Team>(team(rank), sides.movement, false));
    return engine::run_turns(engine::InlineMove<Team>(team(rank), move.call, move.root, sides.movement));
  }
  bool perform_leaf(int rank, const Move& move, const engine::UserBuffer& block) {
    if (move.call == Call::scatter)
      return engine::run_turns(engine::LeafTake<Team>(team(rank), move.root, block, false));
    return engine::run_turns(
        engine::LeafMove<Team>(team(rank), move.root, block, move.call == Call::gatherv));
  }

  void check(std::size_t number, int rank, const std::uint64_t* recv) const {
    const Move& move = moves_[number];
    const bool gathers = move.call != Call::scatter;
    if (gathers && rank != move.root) return;
    const std::size_t blocks = gathers ? count_ : 1;
    Atoms::reads(recv, blocks * move.block * sizeof(std::uint64_t));
    for (std::size_t b = 0; b < blocks; ++b) {
      const Elements given = input(number, gathers ? static_cast<int>(b) : move.root);
      const std::size_t from = gathers ? 0 : static_cast<std::size_t>(rank) * move.block;
      if (!std::equal(recv + b * move.block, recv + (b + 1) * move.block,
                      given.begin() + static_cast<std::ptrdiff_t>(from)))
        return Execution::current().fail(fmt::format("wrong value in call {}", number));
    }
  }

  std::size_t count_;
  const std::vector<Move>& moves_;
};

Verdict check(int ranks, const std::vector<Move>& moves, const Settings& settings = {}) {
  return explore([&] { return std::make_unique<LeafProgram>(ranks, moves); }, settings);
}

constexpr std::size_t kShort = LeafProgram::kShort, kLong = LeafProgram::kLong;
static_assert(kShort * sizeof(std::uint64_t) <= engine::Team::InlineLines::kBytesBesideNumber &&
              kLong * sizeof(std::uint64_t) > engine::Team::InlineLines::kBytesBesideNumber);

std::vector<Move> alphabet(int ranks) {
  std::vector<Move> moves;
  for (const int root : {0, ranks - 1})
    for (const Move& move : {Move{Call::gather, kShort}, Move{Call::gatherv, kShort},
                             Move{Call::gatherv, kLong}, Move{Call::scatter, kShort}})
      moves.push_back({move.call, move.block, root});
  return moves;
}

TEST(LeafMoves, InEveryOrder) {
  Verdict sum;
  for (const int ranks : {2, 3})
    for (const Move& a : alphabet(ranks))
      for (const Move& b : alphabet(ranks)) {
        const Verdict one = check(ranks, {a, b, a});
        sum.executions += one.executions;
        ASSERT_TRUE(one.passed()) << one.problem;
      }
  expect_pass("2 and 3 ranks, every sequence a, b, a of leaves' calls", sum);
}

TEST(LeafMoves, MoreOftenThanThereArePlaces) {
  Verdict sum;
  for (const Move& move : alphabet(2)) {
    const Verdict one = check(2, std::vector<Move>(35, move));
    sum.executions += one.executions;
    ASSERT_TRUE(one.passed()) << one.problem;
  }
  expect_pass("2 ranks, each call of a leaf 35 times", sum);
}

TEST(LeafMovesMutants, Words) {
  for (const Move& move : alphabet(2)) {
    const std::vector<Move> moves(9, move);
    Settings publish, observe, satisfied, finished;
    publish.mutation.relaxed_publish = mask(Kind::shown);
    observe.mutation.relaxed_observe = mask(Kind::shown);
    satisfied.mutation.satisfied = mask(Kind::shown);
    finished.mutation.satisfied = mask(Kind::finished);
    expect_caught("leaves: line published relaxed", check(2, moves, publish), "race");
    expect_caught("leaves: line observed relaxed", check(2, moves, observe), "race");
    EXPECT_FALSE(check(2, moves, satisfied).passed()) << "leaves: line not awaited";
    expect_caught("leaves: place not awaited", check(2, moves, finished), "race");
  }
}

}  // namespace
}  // namespace foldlane::model
