// Long blocks (engine/moves/chunked_blocks.hpp, engine/moves/pair/long_exchange.hpp) under the explorer: out
// of common and of private memory, with callers that write to their buffers right before and right after each
// call, and mutants of what protects those buffers.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "engine/moves/pair/long_exchange.hpp"
#include "engine/moves/shown_move.hpp"
#include "heap_program.hpp"
#include "pulling_team.hpp"
#include "report.hpp"
#include "support/vector_blocks.hpp"

namespace foldlane::model {
namespace {

struct Move {
  engine::Call call;
  int root = 0;
  int private_rank = -1;  // whose buffers the others cannot reach
  bool everybody_private = false;
  int disagreeing = -1;  // expects less than the other one gives: of exchanges

  bool is_private(int rank) const { return everybody_private || private_rank == rank; }
};

template <class AnyTeam>
class MoveProgram final : public HeapProgram<AnyTeam> {
 public:
  using Base = HeapProgram<AnyTeam>;
  using typename Base::Atoms;

  /// `arm`: of "exchange-way"; none: blocks go in chunks. `refusing`: who cannot pull after all.
  MoveProgram(int ranks, const std::vector<Move>& moves, std::optional<engine::Arm> arm, int refusing)
      : Base(ranks, static_cast<std::size_t>(ranks), kBlock * static_cast<std::size_t>(ranks), forced(arm)),
        count_(static_cast<std::size_t>(ranks)),
        moves_(moves),
        is_exchange_(arm.has_value()) {
    refused = {};
    if (refusing < 0) return;
    const auto* const buffer = reinterpret_cast<const std::byte*>(this->buffer(refusing, true, true));
    refused = {buffer, buffer + kBlockBytes * count_};
  }

  void run(int rank) override {
    for (std::size_t m = 0; m < moves_.size(); ++m) {
      std::uint64_t* const send = this->buffer(rank, moves_[m].is_private(rank), false);
      std::uint64_t* const recv = this->buffer(rank, moves_[m].is_private(rank), true);
      this->write(recv, Elements(kBlock * count_, 0));
      this->write(send, input(m, rank));
      const bool is_done = perform(rank, moves_[m], send, recv);
      if (moves_[m].disagreeing >= 0) this->write(send, input(m, 1 - rank));
      if (moves_[m].disagreeing == rank) refuse(rank);
      if (!is_done) return;
      check(m, rank, recv);
    }
  }

 private:
  static constexpr std::size_t kBlock = 2;  // elements, of which one goes in a turn
  static constexpr std::size_t kBlockBytes = kBlock * sizeof(std::uint64_t);

  static engine::ForcedArms forced(std::optional<engine::Arm> arm) {
    engine::ForcedArms arms;
    arms[static_cast<std::size_t>(engine::Decision::exchange_way)] = arm;
    return arms;
  }
  Elements input(std::size_t move, int member) const {
    Elements elements(kBlock * count_);
    for (std::size_t i = 0; i < elements.size(); ++i)
      elements[i] = mix(move * 64 + static_cast<std::uint64_t>(member), i + 1);
    return elements;
  }

  bool perform(int rank, const Move& move, std::uint64_t* send, std::uint64_t* recv) {
    AnyTeam& team = this->team(rank);
    const testing::VectorMove sides(move.call, move.root, team.size(), rank, kBlockBytes,
                                    reinterpret_cast<std::byte*>(send), reinterpret_cast<std::byte*>(recv));
    if (is_exchange_) return exchange(team, sides.movement, move.disagreeing == rank);
    const std::size_t chunk_bytes = sizeof(std::uint64_t);
    const auto stores = engine::streaming_if(move.everybody_private);
    return engine::run_turns(engine::ChunkedMove<AnyTeam, 1>(team, move.call, move.root, sides.movement,
                                                             team.process().common(), chunk_bytes, stores));
  }
  bool exchange(AnyTeam& team, const engine::Movement& movement, bool disagrees) {
    const auto other = static_cast<std::size_t>(1 - team.rank());
    const auto own = static_cast<std::size_t>(team.rank());
    const auto block = [&](const engine::Blocks& blocks, std::size_t i) {
      return blocks.at(static_cast<int>(i)).buffer;
    };
    const engine::UserBuffer own_blocks[] = {block(*movement.sends, own), block(*movement.receives, own)};
    engine::PairMove pair{};
    pair.out = block(*movement.sends, other);
    pair.in = block(*movement.receives, other);
    if (disagrees) pair.in.bytes -= sizeof(std::uint64_t);
    pair.own = own_blocks;
    pair.gives = pair.takes = true;
    pair.chunk_bytes = sizeof(std::uint64_t);
    return engine::exchange_long(team, pair, false).run();
  }

  void refuse(int rank) {
    if (!this->team(rank).agreement().broken())
      Execution::current().fail("another length does not give the team up");
    this->end_job();
  }
  void check(std::size_t number, int rank, const std::uint64_t* recv) const {
    const Move& move = moves_[number];
    if (move.disagreeing == rank) return;
    if (!engine::takes_in(move.call, rank == move.root)) return;
    const bool scatters = move.call == engine::Call::scatter;
    const std::size_t blocks = scatters ? 1 : count_;
    const std::size_t from =
        engine::gives_block_for_each(move.call) ? static_cast<std::size_t>(rank) * kBlock : 0;
    Atoms::reads(recv, blocks * kBlockBytes);
    for (std::size_t b = 0; b < blocks; ++b) {
      const Elements given = input(number, scatters ? move.root : static_cast<int>(b));
      if (!std::equal(recv + b * kBlock, recv + (b + 1) * kBlock,
                      given.begin() + static_cast<std::ptrdiff_t>(from)))
        return Execution::current().fail(fmt::format("wrong value in call {}", number));
    }
  }

  std::size_t count_;
  const std::vector<Move>& moves_;
  bool is_exchange_;
};

template <class AnyTeam = PullingTeam>
Verdict check(int ranks, const std::vector<Move>& moves, std::optional<engine::Arm> arm = {},
              const Settings& settings = {}, int refusing = -1) {
  return explore([&] { return std::make_unique<MoveProgram<AnyTeam>>(ranks, moves, arm, refusing); },
                 settings);
}

Settings in_every_order() {
  Settings settings;
  settings.search = Search::interleavings;
  return settings;
}

std::vector<Move> alphabet(int ranks) {
  std::vector<Move> moves;
  for (const engine::Call call :
       {engine::Call::gather, engine::Call::scatter, engine::Call::allgather, engine::Call::alltoall})
    for (int root = 0; root < (engine::moves_from_or_to_root(call) ? ranks : 1); ++root) {
      moves.push_back({call, root, -1, true});
      for (int hidden = -1; hidden < ranks; ++hidden) moves.push_back({call, root, hidden});
    }
  return moves;
}

TEST(LongMoves, InChunksInEveryOrder) {
  Verdict sum;
  for (const int ranks : {2, 3})
    for (const Move& a : alphabet(ranks))
      for (const Move& b : alphabet(ranks)) {
        const Verdict one = check(ranks, {a, b, a});
        sum.executions += one.executions;
        ASSERT_TRUE(one.passed()) << one.problem;
      }
  expect_pass("2 and 3 ranks, every sequence a, b, a of moves in chunks", sum);
}

std::vector<Move> exchanges() {
  std::vector<Move> moves;
  for (const engine::Call call : {engine::Call::allgather, engine::Call::alltoall}) {
    moves.push_back({call, 0, -1, true});
    for (int hidden = -1; hidden < 2; ++hidden) moves.push_back({call, 0, hidden});
  }
  return moves;
}

TEST(LongMoves, ExchangesInEveryOrder) {
  Verdict sum;
  for (const engine::Arm arm : {engine::Arm::first, engine::Arm::second})
    for (const Move& a : exchanges())
      for (const Move& b : exchanges())
        for (const Move& c : exchanges()) {
          const Verdict one = check(2, {a, b, c}, arm);
          sum.executions += one.executions;
          ASSERT_TRUE(one.passed()) << one.problem;
        }
  expect_pass("2 ranks, every sequence of 3 exchanges, pulled, straight, through boxes", sum);
}

TEST(LongMoves, WhatIsRefusedGoesThroughBoxes) {
  const Move pulled{engine::Call::alltoall, 0, -1, true};
  for (int refusing = 0; refusing < 2; ++refusing)
    for (const Move& last : exchanges()) {
      const Verdict verdict = check(2, {pulled, pulled, last, pulled}, engine::Arm::second, {}, refusing);
      ASSERT_TRUE(verdict.passed()) << verdict.problem;
    }
}

/// Who is told of another length gives the team up, but not its block, which the other one may read.
TEST(LongMoves, WhoRefusesALengthStaysUntilItsOwnBlockIsRead) {
  for (Move move : exchanges())
    for (move.disagreeing = 0; move.disagreeing < 2; ++move.disagreeing) {
      const Verdict verdict = check(2, {move, move}, engine::Arm::second, in_every_order());
      EXPECT_TRUE(verdict.passed()) << verdict.problem;
    }
}

TEST(LongMoves, EveryMessage) {
  Settings settings;
  settings.search = Search::reads_from;
  for (const Move& move : alphabet(2)) {
    const Verdict verdict = check(2, {move, move}, {}, settings);
    ASSERT_TRUE(verdict.passed()) << verdict.problem;
  }
  for (const Move& move : exchanges()) {
    const Verdict verdict = check(2, {move, move}, engine::Arm::second, settings);
    ASSERT_TRUE(verdict.passed()) << verdict.problem;
  }
}

TEST(LongMoves, DeathAnywhere) {
  const auto survive = [](int ranks, const std::vector<Move>& moves, std::optional<engine::Arm> arm) {
    for (int rank = 0; rank < ranks; ++rank) {
      Settings settings;
      settings.dying_thread = rank;
      bool died = true;
      for (settings.dying_step = 0; died; ++settings.dying_step) {
        const Verdict verdict = check(ranks, moves, arm, settings);
        ASSERT_TRUE(verdict.passed()) << verdict.problem;
        died = verdict.died;
      }
    }
  };
  survive(3, {{engine::Call::alltoall}, {engine::Call::gather, 1, 0}}, {});
  const Move exchange{engine::Call::alltoall, 0, -1, true};
  survive(2, {exchange, exchange, {engine::Call::alltoall}}, engine::Arm::second);
}

// ---- mutants

/// Returns while others may still read its buffers.
struct Impatient : PullingTeam {
  using PullingTeam::PullingTeam;
  struct Waits : Team::Waits {
    Await all_finished(std::uint64_t) const { return Team::Waits::all_finished(0); }
    Await finished_by(int member, std::uint64_t) const { return Team::Waits::finished_by(member, 0); }
  };
  Waits waits() { return {Team::waits()}; }
};

TEST(LongMovesMutants, Teams) {
  for (const Move& move : {Move{engine::Call::gather}, Move{engine::Call::scatter},
                           Move{engine::Call::allgather}, Move{engine::Call::alltoall}})
    expect_caught("chunks: returns while others read", check<Impatient>(2, {move, move}), "race");
  const Move straight{engine::Call::alltoall};
  expect_caught("exchange: returns while the other one reads",
                check<Impatient>(2, {straight, straight}, engine::Arm::first), "race");
  Move refused = straight;
  refused.disagreeing = 1;
  expect_caught("exchange: refuses a length and leaves",
                check<Impatient>(2, {refused}, engine::Arm::first, in_every_order()), "race");
}

TEST(LongMovesMutants, Words) {
  const Move straight{engine::Call::alltoall}, pulled{engine::Call::alltoall, 0, -1, true};
  struct Script {
    std::vector<Move> moves;
    std::optional<engine::Arm> arm;
    Kind kind;
  };
  for (const Script& script :
       {Script{{straight, straight}, {}, Kind::filled}, Script{{straight, straight}, {}, Kind::finished},
        Script{{pulled, pulled, pulled}, engine::Arm::second, Kind::shown},
        Script{{straight, straight}, engine::Arm::second, Kind::finished}}) {
    Settings publish, observe, satisfied;
    publish.mutation.relaxed_publish = mask(script.kind);
    observe.mutation.relaxed_observe = mask(script.kind);
    satisfied.mutation.satisfied = mask(script.kind);
    expect_caught("long moves: published relaxed", check(2, script.moves, script.arm, publish), "race");
    expect_caught("long moves: observed relaxed", check(2, script.moves, script.arm, observe), "race");
    expect_caught("long moves: not awaited", check(2, script.moves, script.arm, satisfied),
                  script.kind == Kind::finished ? "race" : "unpublished");
  }
}

}  // namespace
}  // namespace foldlane::model
