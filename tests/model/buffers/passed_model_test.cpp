// Data that two members pass each other, or one the other one, and that are not put into boxes: who takes
// them pulls them, or copies them out of common memory (engine/moves/pair/pair_turns.hpp,
// engine/algorithms/fold_pair.hpp). Callers write to their buffers right before and right after each call.
// Under the explorer, with mutants of what protects those buffers.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "engine/algorithms/boxes_turn.hpp"
#include "engine/algorithms/exchange.hpp"
#include "engine/algorithms/fold_pair.hpp"
#include "engine/moves/pair/pair_turns.hpp"
#include "heap_program.hpp"
#include "model/ordered_fold.hpp"
#include "pulling_team.hpp"
#include "report.hpp"

namespace foldlane::model {
namespace {

/// `told`: by lists, of which a line tells the length. `shared`: folds of which both members do pieces.
/// `scan`: a fold whose giver keeps what it gives.
enum class Form : std::uint8_t { move, told, fold, shared, scan, exchange, told_exchange };

struct Pass {
  Form form;
  int taker = 0;           // of what goes one way
  bool is_common = false;  // the giver's block
  bool stepped = false;
  bool is_refused = false;  // the second member expects less than the first one gives

  bool exchanges() const { return form == Form::exchange || form == Form::told_exchange; }
  bool takes(int rank) const { return exchanges() || rank == taker; }
  bool gives(int rank) const { return exchanges() || rank != taker; }
  bool folds() const { return form == Form::fold || form == Form::shared || form == Form::scan; }
  /// Elements. A box holds fewer, but for folds: two are not shared.
  std::size_t count() const { return form == Form::fold || form == Form::scan ? 2 : 3; }
  std::uint64_t bytes() const { return count() * sizeof(std::uint64_t); }
};

template <class AnyTeam>
class PassProgram final : public HeapProgram<AnyTeam> {
 public:
  using Base = HeapProgram<AnyTeam>;
  using typename Base::Atoms;

  PassProgram(const std::vector<Pass>& passes, std::optional<engine::Arm> arm, const Refused& refuses)
      : Base(2, kBox, kMost, forced(arm)), passes_(passes) {
    refused = refuses;
  }

  void run(int rank) override {
    if (!meet(rank)) return;
    for (std::size_t p = 0; p < passes_.size(); ++p) {
      std::uint64_t* const send = this->buffer(rank, !passes_[p].is_common, false);
      std::uint64_t* const recv = this->buffer(rank, true, true);
      this->write(recv, Elements(passes_[p].count(), 0));
      this->write(send, input(p, rank));
      const bool is_done = perform(rank, passes_[p], send, recv);
      if (passes_[p].takes(rank)) check_refusal(rank, passes_[p]);
      if (passes_[p].is_refused) this->write(send, input(p, 1 - rank));
      if (!is_done || this->team(rank).agreement().broken()) return;
      if (passes_[p].takes(rank) || passes_[p].form == Form::scan) check(p, rank, recv);
    }
  }

 private:
  /// Elements. A piece of a move is one.
  static constexpr std::size_t kMost = 3, kBox = 2;

  /// After that the giver knows what the taker wants.
  bool meet(int rank) {
    return engine::run_turns(engine::BoxesTurn<AnyTeam>(this->team(rank))) &&
           engine::run_turns(engine::Exchange<AnyTeam>(this->team(rank)));
  }
  static engine::ForcedArms forced(std::optional<engine::Arm> arm) {
    engine::ForcedArms arms;
    arms[static_cast<std::size_t>(engine::Decision::pass_way)] = arm;
    return arms;
  }
  Elements input(std::size_t pass, int member) const {
    Elements elements(passes_[pass].count());
    for (std::size_t i = 0; i < elements.size(); ++i)
      elements[i] = mix(pass * 64 + static_cast<std::uint64_t>(member), i + 1);
    return elements;
  }

  bool perform(int rank, const Pass& pass, std::uint64_t* send, std::uint64_t* recv) {
    auto* const given = reinterpret_cast<std::byte*>(send);
    auto* const taken = reinterpret_cast<std::byte*>(recv);
    return pass.folds() ? fold(rank, pass, given, taken) : move(rank, pass, given, taken);
  }
  bool move(int rank, const Pass& pass, std::byte* given, std::byte* taken) {
    engine::PairMove move{};
    move.takes = pass.takes(rank);
    move.gives = pass.gives(rank);
    if (move.gives) move.out = {given, pass.bytes()};
    if (move.takes) move.in = {taken, pass.bytes()};
    if (pass.is_refused && rank == 1) move.in.bytes -= sizeof(std::uint64_t);
    move.tells_length = pass.form == Form::told || pass.form == Form::told_exchange;
    move.most_in_boxes = pass.bytes();
    move.chunk_bytes = sizeof(std::uint64_t);
    if (move.gives && pass.is_common)
      move.out_in_common = this->team(rank).process().common().offset_of(given);
    return perform_turns<engine::PairMoveTurns<AnyTeam>>(rank, pass, move);
  }
  bool fold(int rank, const Pass& pass, const std::byte* given, std::byte* taken) {
    const engine::Piece all{0, pass.count()}, none{0, 0};
    const bool takes = rank == pass.taker;
    const engine::PairFold fold{.send = given,
                                .recv = taken,
                                .mine = takes ? all : none,
                                .theirs = takes ? none : all,
                                .reduction = &reduction_,
                                .box_count = 1,
                                .streaming = false,
                                .keeps = pass.form == Form::scan && !takes};
    return perform_turns<engine::PairTurns<AnyTeam, false>>(rank, pass, fold);
  }
  template <class Turns, class Argument>
  bool perform_turns(int rank, const Pass& pass, const Argument& argument) {
    if (!pass.stepped) return engine::run_turns(Turns(this->team(rank), argument));
    engine::SteppedTurns<Turns> turns(this->team(rank), argument);
    for (;;) {
      const engine::Progress progress = turns.step();
      if (progress != engine::Progress::waiting) return progress == engine::Progress::done;
      Execution::current().await_news();
    }
  }

  void check_refusal(int rank, const Pass& pass) {
    if (refused.from_bytes <= pass.bytes() && !pass.folds() && !this->team(rank).agreement().broken())
      Execution::current().fail("what is refused does not give the team up");
  }
  void check(std::size_t number, int rank, const std::uint64_t* recv) const {
    const std::array<Elements, 2> inputs{input(number, 0), input(number, 1)};
    Elements expected = inputs[static_cast<std::size_t>(1 - rank)];
    if (!passes_[number].takes(rank)) {
      expected = inputs[static_cast<std::size_t>(rank)];
    } else if (passes_[number].folds()) {
      const std::array<const void*, 2> sources{inputs[0].data(), inputs[1].data()};
      ordered_fold(expected.data(), sources.data(), 2, expected.size());
    }
    Atoms::reads(recv, passes_[number].bytes());
    if (!std::equal(expected.begin(), expected.end(), recv))
      Execution::current().fail(fmt::format("wrong value in call {}", number));
  }

  const std::vector<Pass>& passes_;
  engine::Reduction reduction_{.elem_bytes = sizeof(std::uint64_t), .builtin = ordered_fold};
};

template <class AnyTeam = PullingTeam>
Verdict check(const std::vector<Pass>& passes, std::optional<engine::Arm> arm = engine::Arm::second,
              const Settings& settings = {}, const Refused& refuses = {}) {
  return explore([&] { return std::make_unique<PassProgram<AnyTeam>>(passes, arm, refuses); }, settings);
}

std::vector<Pass> alphabet() {
  std::vector<Pass> passes;
  for (const int taker : {0, 1})
    for (const bool stepped : {false, true}) {
      for (const Form form : {Form::move, Form::told, Form::fold})
        passes.push_back({form, taker, false, stepped});
      passes.push_back({Form::move, taker, true, stepped});
    }
  passes.push_back({.form = Form::scan, .taker = 1});
  passes.push_back({.form = Form::exchange});
  passes.push_back({.form = Form::told_exchange, .stepped = true});
  return passes;
}

TEST(Passes, PulledInEveryOrder) {
  Verdict sum;
  for (const Pass& a : alphabet())
    for (const Pass& b : alphabet()) {
      const Verdict one = check({a, b, a});
      sum.executions += one.executions;
      ASSERT_TRUE(one.passed()) << one.problem;
    }
  expect_pass("2 ranks, every sequence a, b, a of what one passes the other, pulled or copied", sum);
}

/// Trials go on with boxes and pulling by turns.
TEST(Passes, InBothWaysByTurns) {
  Verdict sum;
  for (const Pass& pass : alphabet()) {
    const Verdict one = check(std::vector<Pass>(20, pass), {});
    sum.executions += one.executions;
    ASSERT_TRUE(one.passed()) << one.problem;
  }
  expect_pass("2 ranks, each 20 times, as trials have it", sum);
}

TEST(Passes, EveryMessage) {
  Settings settings;
  settings.search = Search::reads_from;
  for (const Form form : {Form::move, Form::told, Form::fold, Form::scan, Form::exchange}) {
    const Verdict verdict = check({{form}}, engine::Arm::second, settings);
    ASSERT_TRUE(verdict.passed()) << verdict.problem;
  }
}

/// Who claims which piece decides how they go on: every order of what both write.
Settings in_every_order() {
  Settings settings;
  settings.search = Search::interleavings;
  return settings;
}

TEST(Passes, SharedInEveryOrder) {
  const Verdict verdict = check({{Form::shared}}, engine::Arm::second, in_every_order());
  expect_pass("2 ranks, a fold of which both do pieces", verdict);
}

/// What the giver may not write the taker folds after all.
TEST(Passes, WhatMayNotBePushedIsPulled) {
  const Verdict verdict = check({{Form::shared}}, engine::Arm::second, in_every_order(), {.pushes = true});
  expect_pass("2 ranks, a fold whose giver may not write", verdict);
}

/// The giver of a fold hears of it from a word that long waits look at, which have no part here.
TEST(Passes, WhatIsRefusedEndsTheTeam) {
  for (const Form form : {Form::move, Form::told, Form::exchange}) {
    const Verdict verdict =
        check({{form}}, engine::Arm::second, {}, {.from_bytes = sizeof(std::uint64_t) + 1});
    EXPECT_TRUE(verdict.passed()) << verdict.problem;
  }
}

/// Who is told of another length gives the team up, but not what it has offered, which the other one may
/// read.
TEST(Passes, WhoRefusesALengthStaysUntilItsOwnBlockIsRead) {
  for (const bool stepped : {false, true}) {
    const Pass pass{.form = Form::told_exchange, .stepped = stepped, .is_refused = true};
    const Verdict verdict = check({pass}, engine::Arm::second, in_every_order());
    EXPECT_TRUE(verdict.passed()) << verdict.problem;
  }
}

TEST(Passes, DeathAnywhere) {
  for (int rank = 0; rank < 2; ++rank) {
    Settings settings;
    settings.dying_thread = rank;
    bool died = true;
    for (settings.dying_step = 0; died; ++settings.dying_step) {
      const Verdict verdict =
          check({{Form::move}, {Form::fold, 1}, {Form::exchange}}, engine::Arm::second, settings);
      ASSERT_TRUE(verdict.passed()) << verdict.problem;
      died = verdict.died;
    }
  }
}

// ---- mutants

/// Its giver returns while the other one may still read its buffer.
struct Impatient : PullingTeam {
  using PullingTeam::PullingTeam;
  struct Waits : Team::Waits {
    Await finished_by(int member, std::uint64_t) const { return Team::Waits::finished_by(member, 0); }
  };
  Waits waits() { return {Team::waits()}; }
};

TEST(PassesMutants, Teams) {
  for (const Form form : {Form::move, Form::told, Form::fold, Form::scan, Form::exchange}) {
    const Pass pass{form};
    expect_caught("passes: returns while the other one reads", check<Impatient>({pass, pass}), "race");
  }
}

TEST(PassesMutants, Words) {
  struct Script {
    Pass pass;
    Kind kind;
  };
  for (const Script& script :
       {Script{{Form::move}, Kind::filled}, Script{{Form::fold}, Kind::filled},
        Script{{Form::told}, Kind::shown}, Script{{Form::move}, Kind::finished},
        Script{{Form::told}, Kind::finished}, Script{{Form::fold}, Kind::finished},
        Script{{Form::exchange}, Kind::filled}, Script{{Form::exchange}, Kind::finished}}) {
    Settings publish, observe, satisfied;
    publish.mutation.relaxed_publish = mask(script.kind);
    observe.mutation.relaxed_observe = mask(script.kind);
    satisfied.mutation.satisfied = mask(script.kind);
    const std::vector<Pass> passes(3, script.pass);
    expect_caught("passes: published relaxed", check(passes, engine::Arm::second, publish), "race");
    expect_caught("passes: observed relaxed", check(passes, engine::Arm::second, observe), "race");
    // What is read too early out of a line gives the team up: the handoff models have that.
    if (script.kind == Kind::shown) continue;
    EXPECT_FALSE(check(passes, engine::Arm::second, satisfied).passed()) << "passes: not awaited";
  }
}

/// [X2] of folds that are shared: the taker leaves while the giver still writes to its result.
TEST(PassesMutants, SharedFolds) {
  Settings finished = in_every_order(), answered = in_every_order();
  finished.mutation.relaxed_observe = mask(Kind::finished);
  answered.mutation.relaxed_observe = mask(Kind::filled);
  expect_caught("passes, shared: finished observed relaxed",
                check({{Form::shared}}, engine::Arm::second, finished), "race");
  expect_caught("passes, shared: the offer and the answer observed relaxed",
                check({{Form::shared}}, engine::Arm::second, answered), "race");
}

}  // namespace
}  // namespace foldlane::model
