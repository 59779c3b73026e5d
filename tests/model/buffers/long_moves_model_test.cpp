// Long blocks (engine/moves/chunked_blocks.hpp, long_exchange.hpp and long_pass.hpp in engine/moves/pair)
// under the explorer: out of common and of private memory, with callers that write to their buffers right
// before and right after each call, and mutants of what protects those buffers.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "engine/moves/pair/long_exchange.hpp"
#include "engine/moves/pair/long_pass.hpp"
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
  int disagreeing = -1;  // has another length in mind than the other one: of two members
  bool tells = true;     // lines tell lengths even if a message follows: of what goes one way

  bool is_private(int rank) const { return everybody_private || private_rank == rank; }
};

/// Through slots, or as calls of two that exchange blocks or pass one.
enum class Form : std::uint8_t { chunks, exchange, pass };

template <class AnyTeam>
constexpr bool kPassesAlone = requires {
  AnyTeam::kPassesAlone;
};

template <class AnyTeam>
class MoveProgram final : public HeapProgram<AnyTeam> {
 public:
  using Base = HeapProgram<AnyTeam>;
  using typename Base::Atoms;

  /// `arm`: of "exchange-way". `refusing`: who cannot pull after all.
  MoveProgram(int ranks, const std::vector<Move>& moves, Form form, std::optional<engine::Arm> arm,
              int refusing)
      : Base(ranks, static_cast<std::size_t>(ranks), kBlock * static_cast<std::size_t>(ranks), forced(arm)),
        count_(static_cast<std::size_t>(ranks)),
        moves_(moves),
        straight_(moves.size()),
        form_(form) {
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
      const bool is_done = perform(rank, m, send, recv);
      if (moves_[m].disagreeing >= 0) this->write(send, input(m, 1 - rank));
      if (must_refuse(rank, moves_[m])) {
        this->write(recv, Elements(kBlock * count_, 0));
        refuse(rank);
      }
      if (!is_done || this->team(rank).agreement().broken()) return;
      if (form_ != Form::pass || straight_[m] == true) check(m, rank, recv);
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

  bool perform(int rank, std::size_t number, std::uint64_t* send, std::uint64_t* recv) {
    AnyTeam& team = this->team(rank);
    const Move& move = moves_[number];
    const testing::VectorMove sides(move.call, move.root, team.size(), rank, kBlockBytes,
                                    reinterpret_cast<std::byte*>(send), reinterpret_cast<std::byte*>(recv));
    if (form_ == Form::pass) return pass(team, sides.movement, number);
    return perform_other(team, sides.movement, move);
  }
  /// Not of a mutant of those lines alone that a pass uses.
  bool perform_other(AnyTeam&, const engine::Movement&, const Move&) requires kPassesAlone<AnyTeam> {
    return false;
  }
  bool perform_other(AnyTeam& team, const engine::Movement& movement, const Move& move) {
    if (form_ == Form::exchange) return exchange(team, movement, move.disagreeing == team.rank());
    const std::size_t chunk_bytes = sizeof(std::uint64_t);
    const auto stores = engine::streaming_if(move.everybody_private);
    return engine::run_turns(engine::ChunkedMove<AnyTeam, 1>(team, move.call, move.root, movement,
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

  /// A message is not under the explorer: only that both see that it is to be one. The first call asks.
  bool pass(AnyTeam& team, const engine::Movement& movement, std::size_t number) {
    const Move& move = moves_[number];
    const bool is_root = team.rank() == move.root, gives = is_root == (move.call == engine::Call::scatter);
    const auto block = [](const engine::Blocks& blocks, int member) {
      return blocks.at(blocks.count() > 1 ? member : 0).buffer;
    };
    engine::PairMove pair{};
    pair.gives = gives;
    pair.takes = !gives;
    pair.is_root = is_root;
    pair.tells_length = move.tells;
    engine::UserBuffer& passed = gives ? pair.out : pair.in;
    passed = block(gives ? *movement.sends : *movement.receives, 1 - team.rank());
    if (move.disagreeing == team.rank()) passed.bytes -= sizeof(std::uint64_t);
    std::array<engine::UserBuffer, 2> own;
    if (is_root) {
      own = {block(*movement.sends, team.rank()), block(*movement.receives, team.rank())};
      pair.own = own.data();
    }
    engine::LongPassTurns<AnyTeam> turns(team, pair);
    if (!engine::run_turns(turns)) return false;
    std::optional<bool>& straight = straight_[number];
    if (move.disagreeing >= 0) return true;
    if (number == 0) straight = !move.is_private(move.root);
    if (straight.value_or(turns.is_straight()) != turns.is_straight())
      Execution::current().fail("not the way that the other member takes");
    straight = turns.is_straight();
    return true;
  }

  /// Of an exchange who has another length in mind, of what goes one way who takes it.
  bool must_refuse(int rank, const Move& move) const {
    if (form_ != Form::pass) return move.disagreeing == rank;
    const bool looks = rank != move.root || move.tells || !move.is_private(rank);
    return move.disagreeing >= 0 && looks && engine::takes_in(move.call, rank == move.root);
  }
  void refuse(int rank) {
    if (!this->team(rank).agreement().broken())
      Execution::current().fail("another length does not give the team up");
    this->end_job();
  }
  void check(std::size_t number, int rank, const std::uint64_t* recv) const {
    const Move& move = moves_[number];
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
  std::vector<std::optional<bool>> straight_;  // of passes, as a member has seen it
  Form form_;
};

/// `arm`: of exchanges; none: blocks go in chunks.
template <class AnyTeam = PullingTeam>
Verdict check(int ranks, const std::vector<Move>& moves, std::optional<engine::Arm> arm = {},
              const Settings& settings = {}, int refusing = -1) {
  const Form form = arm ? Form::exchange : Form::chunks;
  return explore([&] { return std::make_unique<MoveProgram<AnyTeam>>(ranks, moves, form, arm, refusing); },
                 settings);
}

template <class AnyTeam = PullingTeam>
Verdict check_passes(const std::vector<Move>& moves, const Settings& settings = {}) {
  return explore(
      [&] {
        return std::make_unique<MoveProgram<AnyTeam>>(2, moves, Form::pass, std::optional<engine::Arm>(), -1);
      },
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

std::vector<Move> passes() {
  std::vector<Move> moves;
  for (const engine::Call call : {engine::Call::gather, engine::Call::scatter})
    for (int root = 0; root < 2; ++root) {
      moves.push_back({call, root, -1, true});
      for (int hidden = -1; hidden < 2; ++hidden) moves.push_back({call, root, hidden});
    }
  std::vector<Move> silent = moves;
  for (Move& move : silent) move.tells = false;
  moves.insert(moves.end(), silent.begin(), silent.end());
  return moves;
}

TEST(LongMoves, OneWayInEveryOrder) {
  Verdict sum;
  for (const Move& a : passes())
    for (const Move& b : passes())
      for (const Move& c : passes()) {
        const Verdict one = check_passes({a, b, c});
        sum.executions += one.executions;
        ASSERT_TRUE(one.passed()) << one.problem;
      }
  expect_pass("2 ranks, every sequence of 3 long blocks one way", sum);
}

TEST(LongMoves, WhoExpectsAnotherLengthRefusesIt) {
  for (Move move : passes())
    for (move.disagreeing = 0; move.disagreeing < 2; ++move.disagreeing) {
      const Verdict verdict = check_passes({move, move}, in_every_order());
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
  for (const Move& move : passes()) {
    const Verdict verdict = check_passes({move, move}, settings);
    ASSERT_TRUE(verdict.passed()) << verdict.problem;
  }
}

TEST(LongMoves, DeathAnywhere) {
  const auto survive = [](int ranks, const auto& check_with) {
    for (int rank = 0; rank < ranks; ++rank) {
      Settings settings;
      settings.dying_thread = rank;
      bool died = true;
      for (settings.dying_step = 0; died; ++settings.dying_step) {
        const Verdict verdict = check_with(settings);
        ASSERT_TRUE(verdict.passed()) << verdict.problem;
        died = verdict.died;
      }
    }
  };
  const std::vector<Move> in_chunks{{engine::Call::alltoall}, {engine::Call::gather, 1, 0}};
  survive(3, [&](const Settings& settings) { return check(3, in_chunks, {}, settings); });
  const Move exchange{engine::Call::alltoall, 0, -1, true};
  const std::vector<Move> exchanged{exchange, exchange, {engine::Call::alltoall}};
  survive(2, [&](const Settings& settings) { return check(2, exchanged, engine::Arm::second, settings); });
  const std::vector<Move> passed{{engine::Call::gather}, {engine::Call::scatter}};
  survive(2, [&](const Settings& settings) { return check_passes(passed, settings); });
}

// ---- mutants

/// Returns while others may still read its buffers.
struct Impatient : PullingTeam {
  using PullingTeam::PullingTeam;
  struct Waits : Team::Waits {
    Await all_finished(std::uint64_t) const { return Team::Waits::all_finished(0); }
  };
  Waits waits() { return {Team::waits()}; }
};

TEST(LongMovesMutants, Teams) {
  for (const Move& move : {Move{engine::Call::gather}, Move{engine::Call::scatter},
                           Move{engine::Call::allgather}, Move{engine::Call::alltoall}})
    expect_caught("chunks: returns while others read", check<Impatient>(2, {move, move}), "race");
  const Move gather{engine::Call::gather}, scatter{engine::Call::scatter};
  expect_caught("one way: the root returns before the leaf has copied",
                check_passes<Impatient>({gather, gather}), "wrong value");
  expect_caught("one way: the root returns while the leaf copies",
                check_passes<Impatient>({scatter, scatter}), "race");
  const Move straight{engine::Call::alltoall};
  expect_caught("exchange: returns while the other one reads",
                check<Impatient>(2, {straight, straight}, engine::Arm::first), "race");
  Move refused = straight;
  refused.disagreeing = 1;
  expect_caught("exchange: refuses a length and leaves",
                check<Impatient>(2, {refused}, engine::Arm::first, in_every_order()), "race");
}

/// Believes that the other member has the length in mind which it has itself.
struct Trusting : PullingTeam {
  using PullingTeam::PullingTeam;
  static constexpr bool kPassesAlone = true;
  struct Lines {
    Team::InlineLines& of;
    std::uint64_t number(int, std::uint64_t) const { return 2 * sizeof(std::uint64_t); }
    template <class Value>
    void read_beside_number(int member, std::uint64_t epoch, Value& value) const {
      of.read_beside_number(member, epoch, value);
    }
    template <class Value>
    void show_value_with(std::uint64_t epoch, std::uint64_t number, const Value& value) {
      of.show_value_with(epoch, number, value);
    }
  };
  Lines inline_lines() { return {Team::inline_lines()}; }
};

TEST(LongMovesMutants, Lengths) {
  Move gather{engine::Call::gather};
  gather.disagreeing = 0;
  expect_caught("one way: the leaf writes more than its root has refused",
                check_passes<Trusting>({gather}, in_every_order()), "race");
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

TEST(LongMovesMutants, WordsOneWay) {
  const Move gather{engine::Call::gather}, scatter{engine::Call::scatter};
  for (const Move& move : {gather, scatter})
    for (const Kind kind : {Kind::shown, Kind::finished}) {
      Settings publish, observe, satisfied;
      satisfied.mutation.satisfied = mask(kind);
      publish.mutation.relaxed_publish = mask(kind);
      observe.mutation.relaxed_observe = mask(kind);
      expect_caught("one way: published relaxed", check_passes({move, move}, publish), "race");
      expect_caught("one way: observed relaxed", check_passes({move, move}, observe), "race");
      const char* const in_gather = kind == Kind::shown ? "unpublished" : "wrong value";
      const char* const unawaited = move.call == engine::Call::gather ? in_gather : "race";
      expect_caught("one way: not awaited", check_passes({move, move}, satisfied), unawaited);
    }
}

}  // namespace
}  // namespace foldlane::model
