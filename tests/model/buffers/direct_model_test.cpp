// Direct calls (engine/algorithms/direct_offer.hpp): the shipped procedures under the explorer, with callers
// that write to their buffers right before and right after each call, and mutants of what protects those
// buffers.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "engine/algorithms/broadcast_direct.hpp"
#include "engine/algorithms/fold_direct.hpp"
#include "heap_program.hpp"
#include "report.hpp"

namespace foldlane::model {
namespace {

enum class Form : std::uint8_t { all, root, own, bcast };

struct DirectCall {
  Form form;
  int root = 0;
  int private_rank = -1;  // whose buffers the others cannot reach
  bool in_place = false;

  /// Whether all members must find the call to be direct. The root of a broadcast alone decides; the result
  /// of a reduce-scatter may be private, its in-place form is never direct.
  bool is_direct() const {
    if (form == Form::bcast) return private_rank != root;
    return private_rank < 0 && !(in_place && form == Form::own);
  }
};

/// The usual way in case that a call is not direct, as the engine goes on then.
template <class AnyTeam>
class DirectProgram final : public HeapProgram<AnyTeam> {
 public:
  using Base = HeapProgram<AnyTeam>;
  using typename Base::Atoms;

  DirectProgram(int ranks, const std::vector<DirectCall>& calls)
      : Base(ranks, static_cast<std::size_t>(ranks), static_cast<std::size_t>(ranks)),
        count_(static_cast<std::size_t>(ranks)),
        calls_(calls) {}

  void run(int rank) override {
    for (std::size_t c = 0; c < calls_.size(); ++c) {
      const DirectCall& call = calls_[c];
      const bool is_private = call.private_rank == rank;
      std::uint64_t* const send = this->buffer(rank, is_private, false);
      std::uint64_t* const recv =
          call.in_place || call.form == Form::bcast ? send : this->buffer(rank, is_private, true);
      this->write(recv, Elements(count_, 0));
      this->write(send, input(c, rank));
      bool taken = false;
      if (!perform(rank, call, send, recv, taken)) return;
      check(c, rank, recv, taken);
    }
  }

 private:
  Elements input(std::size_t call, int member) const {
    Elements elements(count_);
    for (std::size_t i = 0; i < count_; ++i) {
      elements[i] = mix(call * 64 + static_cast<std::uint64_t>(member), i + 1);
    }
    return elements;
  }

  bool perform(int rank, const DirectCall& call, std::uint64_t* send, std::uint64_t* recv, bool& taken) {
    AnyTeam& team = this->team(rank);
    auto* const from = reinterpret_cast<std::byte*>(send);
    auto* const to = reinterpret_cast<std::byte*>(recv);
    const std::vector<std::int64_t> ones(count_, 1);
    const auto shares = engine::Shares::blocks(engine::BlockCounts(ones.data()), team.size());
    if (call.form == Form::bcast) {
      const std::size_t bytes = count_ * sizeof(std::uint64_t);
      const engine::Broadcast broadcast{to, nullptr, bytes, call.root, true, bytes, false};
      if (!engine::broadcast_direct(team, broadcast, taken).run()) return false;
      return taken || engine::as_procedure<engine::SlotBroadcast<AnyTeam>>(team, broadcast).run();
    }
    const auto deliver = call.form == Form::all    ? engine::Deliver::to_all
                         : call.form == Form::root ? engine::Deliver::to_root
                                                   : engine::Deliver::own_share;
    const engine::DirectFold direct{from, to, &reduction_, deliver, call.root, false};
    const engine::DirectOffer own = engine::own_offer(team, direct, count_ * sizeof *send);
    const std::uint64_t epoch = team.epochs().begin(1);
    if (!engine::run_turns(engine::OfferTurn<AnyTeam>(team, epoch, own))) return false;
    if (own.accepts() && !engine::fold_direct(team, direct, epoch, shares, taken).run()) return false;
    const engine::SharesFold usual{from, to, &reduction_, deliver, call.root, 1, false};
    return taken || engine::fold_shares(team, usual, shares).run();
  }

  /// The caller reads all of its result, whoever wrote it.
  void check(std::size_t number, int rank, const std::uint64_t* recv, bool taken) const {
    const DirectCall& call = calls_[number];
    if (taken != call.is_direct()) return Execution::current().fail("a wrong decision");
    const bool wanted = call.form != Form::root || rank == call.root;
    if (!wanted) return;
    const std::size_t results = call.form == Form::own ? 1 : count_;
    Atoms::reads(recv, results * sizeof *recv);
    const Elements expected = call.form == Form::bcast ? input(number, call.root) : folded(number);
    const std::size_t first = call.form == Form::own ? static_cast<std::size_t>(rank) : 0;
    if (!std::equal(recv, recv + results, expected.begin() + static_cast<std::ptrdiff_t>(first))) {
      Execution::current().fail(fmt::format("wrong value in call {}", number));
    }
  }
  Elements folded(std::size_t number) const {
    std::vector<Elements> inputs;
    for (std::size_t m = 0; m < count_; ++m) inputs.push_back(input(number, static_cast<int>(m)));
    std::vector<const void*> sources;
    for (const Elements& each : inputs) sources.push_back(each.data());
    Elements result(count_);
    ordered_fold(result.data(), sources.data(), count_, count_);
    return result;
  }

  std::size_t count_;  // of ranks, and of elements: a share is one element
  const std::vector<DirectCall>& calls_;
  engine::Reduction reduction_{.elem_bytes = sizeof(std::uint64_t), .builtin = ordered_fold};
};

template <class AnyTeam = Team>
Verdict check(int ranks, const std::vector<DirectCall>& calls, const Settings& settings = {}) {
  return explore([&] { return std::make_unique<DirectProgram<AnyTeam>>(ranks, calls); }, settings);
}

std::vector<DirectCall> alphabet(int ranks) {
  std::vector<DirectCall> calls;
  for (const Form form : {Form::all, Form::root, Form::own, Form::bcast}) {
    for (int root = 0; root < (form == Form::root || form == Form::bcast ? ranks : 1); ++root) {
      for (int hidden = -1; hidden < ranks; ++hidden) {
        for (const bool in_place : {false, true}) {
          if (form != Form::bcast || !in_place) calls.push_back({form, root, hidden, in_place});
        }
      }
    }
  }
  return calls;
}

TEST(Direct, EverySequence) {
  const auto calls = alphabet(2);
  Verdict sum;
  for (const DirectCall& a : calls) {
    for (const DirectCall& b : calls) {
      for (const DirectCall& c : calls) {
        const Verdict one = check(2, {a, b, c});
        sum.executions += one.executions;
        if (sum.passed()) sum.problem = one.problem;
      }
      ASSERT_TRUE(sum.passed()) << sum.problem;
    }
  }
  expect_pass("2 ranks, every sequence of 3 direct or declined calls", sum);
}

TEST(Direct, MoreRanksEveryMessage) {
  Settings settings;
  settings.search = Search::reads_from;
  for (const DirectCall& call : alphabet(2)) {
    const Verdict verdict = check(2, {call, call}, settings);
    ASSERT_TRUE(verdict.passed()) << verdict.problem;
  }
  for (const DirectCall& call : alphabet(3)) {
    const Verdict verdict = check(3, {call, call, call});
    ASSERT_TRUE(verdict.passed()) << verdict.problem;
  }
}

TEST(Direct, DeathAnywhere) {
  for (const DirectCall& call : {DirectCall{Form::all}, {Form::root, 1}, {Form::bcast, 1}}) {
    for (int rank = 0; rank < 3; ++rank) {
      Settings settings;
      settings.dying_thread = rank;
      bool died = true;
      for (settings.dying_step = 0; died; ++settings.dying_step) {
        const Verdict verdict = check(3, {call}, settings);
        ASSERT_TRUE(verdict.passed()) << verdict.problem;
        died = verdict.died;
      }
    }
  }
}

// ---- mutants

/// Returns while others may still use its buffers.
struct Impatient : Team {
  using Team::Team;
  struct Waits : Team::Waits {
    Await all_finished(std::uint64_t) const { return Team::Waits::all_finished(0); }
  };
  Waits waits() { return {Team::waits()}; }
};
/// Says that it is done before it has folded.
struct Hasty : Team {
  using Team::Team;
  struct Waits : Team::Waits {
    Await all_shown(std::uint64_t epoch, std::uint64_t proves) const {
      team.epochs().finish(epoch);
      return Team::Waits::all_shown(epoch, proves);
    }
    Team& team;
  };
  Waits waits() { return {Team::waits(), *this}; }
};
/// Takes a call as finished by all when all have begun it.
struct Optimistic : Team {
  using Team::Team;
  struct Waits : Team::Waits {
    Await all_shown(std::uint64_t epoch, std::uint64_t proves) const {
      return Team::Waits::all_shown(epoch, proves + 1);
    }
  };
  Waits waits() { return {Team::waits()}; }
};
/// Says where its data is over a place that is still read.
struct Unslotted : Team {
  using Team::Team;
  struct Waits : Team::Waits {
    Await slot_words_free(std::uint64_t) const { return all_finished(0); }
    SlotAwait slot_free(std::uint64_t epoch) const {
      return {slot_words_free(epoch), slot_left_by_others(epoch)};
    }
  };
  struct BlockingWaits : Team::BlockingWaits {
    static bool slot_free(std::uint64_t) { return true; }
  };
  Waits waits() { return {Team::waits()}; }
  BlockingWaits blocking_waits() { return {Team::blocking_waits()}; }
};

TEST(DirectMutants, Teams) {
  for (const Form form : {Form::all, Form::root, Form::own}) {
    const std::vector<DirectCall> twice(2, {form});
    // Of a reduce-scatter the own result is there, and the harm comes with the next call.
    const std::string expected = form == Form::own ? "race" : "wrong value";
    expect_caught("direct: returns too early", check<Impatient>(2, twice), expected);
    expect_caught("direct: finishes too early", check<Hasty>(2, twice), expected);
    expect_caught("direct: begun is taken for finished", check<Optimistic>(2, twice), expected);
  }
  expect_caught("direct bcast: root returns too early",
                check<Impatient>(2, std::vector<DirectCall>(2, {Form::bcast})), "race");
  expect_caught("bcast: place overwritten",
                check<Unslotted>(2, std::vector<DirectCall>(5, {Form::bcast, 0, 0})), "race");
}

TEST(DirectMutants, Words) {
  const std::vector<DirectCall> twice(2, {Form::own});
  for (const Kind kind : {Kind::shown, Kind::finished}) {
    Settings publish, observe, satisfied;
    publish.mutation.relaxed_publish = mask(kind);
    observe.mutation.relaxed_observe = mask(kind);
    satisfied.mutation.satisfied = mask(kind);
    expect_caught("direct: published relaxed", check(2, twice, publish), "race");
    expect_caught("direct: observed relaxed", check(2, twice, observe), "race");
    expect_caught("direct: not awaited", check(2, twice, satisfied),
                  kind == Kind::shown ? "unpublished" : "race");
  }
}

}  // namespace
}  // namespace foldlane::model
