// Lists of blocks (engine/moves/lists), announced by lines or by tables alone, under the explorer: in lines
// and slots, out of common and of private memory, in chunks and pulled, with callers that write to their
// buffers right before and right after each call, and mutants of what protects those buffers.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>

#include "engine/moves/lists/announced_lists.hpp"
#include "engine/moves/lists/pulled_blocks.hpp"
#include "engine/moves/rooted/leaf_move.hpp"
#include "engine/moves/shown_move.hpp"
#include "heap_program.hpp"
#include "pulling_team.hpp"
#include "report.hpp"
#include "support/vector_blocks.hpp"

namespace foldlane::model {
namespace {

using engine::Arm;
using engine::Broken;
using engine::Call;

/// What has room for the blocks of a member, together; of what lines announce also lines and slots.
enum class Fit : std::uint8_t { line, slot, nothing };

struct Move {
  Call call;
  int root = 0;
  bool is_private = true;
  bool is_central = false;
  Fit fit = Fit::nothing;
};

/// Of "block-way".
engine::ForcedArms forced(Arm arm) {
  engine::ForcedArms arms;
  arms[static_cast<std::size_t>(engine::Decision::block_way)] = arm;
  return arms;
}

template <class AnyTeam>
class ListProgram final : public HeapProgram<AnyTeam> {
 public:
  using Base = HeapProgram<AnyTeam>;
  using typename Base::Atoms;

  /// `refusing`: who cannot pull after all.
  ListProgram(int ranks, const std::vector<Move>& moves, Arm arm, int refusing)
      : Base(ranks, kSlot, kBlock * static_cast<std::size_t>(ranks), forced(arm)),
        count_(static_cast<std::size_t>(ranks)),
        moves_(moves),
        refusing_(refusing) {
    refused = {};
    if (refusing < 0) return;
    const auto* const buffer = reinterpret_cast<const std::byte*>(this->buffer(refusing, true, true));
    refused = {buffer, buffer + kBlockBytes * count_};
  }

  void run(int rank) override {
    for (std::size_t m = 0; m < moves_.size(); ++m) {
      std::uint64_t* const send = this->buffer(rank, moves_[m].is_private, false);
      std::uint64_t* const recv = this->buffer(rank, moves_[m].is_private, true);
      this->write(recv, Elements(kBlock * count_, 0));
      this->write(send, input(m, rank));
      if (!perform(rank, moves_[m], send, recv)) return expect_refused(rank);
      check(m, rank, recv);
    }
  }

 private:
  /// A block has no room in a slot.
  static constexpr std::size_t kSlot = 24, kBlock = 25;
  static constexpr std::size_t kBlockBytes = kBlock * sizeof(std::uint64_t);
  std::size_t block_of(const Move& move) const {
    if (move.fit == Fit::line) return 1;
    if (move.fit == Fit::nothing) return kBlock;
    return count_ == 2 || move.call == Call::allgatherv ? 14 : 7;  // together as much as a line
  }

  Elements input(std::size_t move, int member) const {
    Elements elements(block_of(moves_[move]) * count_);
    for (std::size_t i = 0; i < elements.size(); ++i)
      elements[i] = mix(move * 64 + static_cast<std::uint64_t>(member), i + 1);
    return elements;
  }

  static bool pulls(const Move& move) { return move.is_private && move.fit == Fit::nothing; }
  /// Where nothing is pulled that is known before, so that a mutant is caught by what the calls do.
  bool learn_permission(AnyTeam& team) {
    engine::BlockChoices& choices = team.slots().block_choices();
    if (choices.permission() != engine::Permission::unknown) return true;
    if (std::any_of(moves_.begin(), moves_.end(), pulls))
      return engine::as_procedure<engine::PermissionTurns<AnyTeam>>(team).run();
    choices.learn(true);
    return true;
  }

  bool perform(int rank, const Move& move, std::uint64_t* send, std::uint64_t* recv) {
    AnyTeam& team = this->team(rank);
    const std::size_t block_bytes = block_of(move) * sizeof(std::uint64_t);
    const testing::VectorMove sides(move.call, move.root, team.size(), rank, block_bytes,
                                    reinterpret_cast<std::byte*>(send), reinterpret_cast<std::byte*>(recv));
    if (!learn_permission(team)) return false;
    engine::ChunkedLists chunks;
    engine::BlockChoices::Use way(team.slots().block_choices());
    const auto& movement = sides.movement;
    const auto run = [&]<class Turns>(auto... rest) {
      return engine::run_turns(Turns(team, move.call, move.root, movement, chunks, way, rest...));
    };
    // A leaf begins with one block, as the engine has it once it is known what can be pulled.
    const auto run_scatter = [&] {
      if (rank == move.root) return run.template operator()<engine::AnnouncedLists<AnyTeam>>();
      const engine::UserBuffer block = sides.receives.at(0).buffer;
      engine::LeafTake<AnyTeam> leaf(team, move.root, block, true);
      if (!engine::run_turns(leaf) || !leaf.goes_on()) return !team.agreement().broken();
      return run.template operator()<engine::AnnouncedLists<AnyTeam>>(leaf.epoch());
    };
    const auto run_announced = [&] {
      return move.is_central ? run.template operator()<engine::CentralAnnouncedLists<AnyTeam>>()
                             : run.template operator()<engine::AnnouncedLists<AnyTeam>>();
    };
    const auto run_tables = [&] {
      return move.is_central ? run.template operator()<engine::CentralListMove<AnyTeam>>()
                             : run.template operator()<engine::ListMove<AnyTeam>>();
    };
    const bool went = move.call == Call::scatterv                           ? run_scatter()
                      : engine::are_lists_announced(move.call, team.size()) ? run_announced()
                                                                            : run_tables();
    if (!went || team.agreement().broken()) return false;
    const auto stores = engine::Arm::first;
    return chunks.turns == 0 || engine::run_turns(engine::ListChunksMove<AnyTeam, 1>(
                                    team, move.call, move.root, movement, chunks, stores));
  }

  void expect_refused(int rank) {
    const engine::Trouble& trouble = this->team(rank).agreement().trouble();
    if (refusing_ < 0 || (rank == refusing_ && trouble.why != Broken::unreadable))
      return Execution::current().fail("a call failed");
    if (trouble.why == Broken::unreadable && trouble.members[0] != refusing_)
      return Execution::current().fail("the wrong rank could not read");
  }

  void check(std::size_t number, int rank, const std::uint64_t* recv) const {
    const Move& move = moves_[number];
    if (!engine::takes_in(move.call, rank == move.root)) return;
    const bool scatters = move.call == Call::scatterv;
    const std::size_t blocks = scatters ? 1 : count_, block = block_of(move);
    const std::size_t from =
        engine::gives_block_for_each(move.call) ? static_cast<std::size_t>(rank) * block : 0;
    Atoms::reads(recv, blocks * block * sizeof(std::uint64_t));
    for (std::size_t b = 0; b < blocks; ++b) {
      const Elements given = input(number, scatters ? move.root : static_cast<int>(b));
      if (!std::equal(recv + b * block, recv + (b + 1) * block,
                      given.begin() + static_cast<std::ptrdiff_t>(from)))
        return Execution::current().fail(fmt::format("wrong value in call {}", number));
    }
  }

  std::size_t count_;
  const std::vector<Move>& moves_;
  int refusing_;
};

template <class AnyTeam = PullingTeam>
Verdict check(int ranks, const std::vector<Move>& moves, Arm arm, const Settings& settings = {},
              int refusing = -1) {
  return explore([&] { return std::make_unique<ListProgram<AnyTeam>>(ranks, moves, arm, refusing); },
                 settings);
}

std::vector<Move> alphabet(int ranks) {
  std::vector<Move> moves;
  for (const bool is_private : {true, false}) {
    for (const Call call : {Call::alltoallv, Call::allgatherv, Call::alltoall})
      for (int central = 0; central < (ranks == 2 ? 2 : 1); ++central)
        moves.push_back({call, 0, is_private, central == 1});
    for (const int root : {0, ranks - 1}) moves.push_back({Call::scatterv, root, is_private});
  }
  for (const Fit fit : {Fit::line, Fit::slot})
    for (const Call call : {Call::alltoallv, Call::allgatherv, Call::scatterv})
      moves.push_back({call, ranks - 1, true, ranks == 2 && call == Call::alltoallv, fit});
  return moves;
}

TEST(ListedMoves, InEveryOrder) {
  Verdict sum;
  for (const Arm arm : {Arm::first, Arm::second})
    for (const int ranks : {2, 3})
      for (const Move& a : alphabet(ranks))
        for (const Move& b : alphabet(ranks)) {
          const Verdict one = check(ranks, {a, b, a}, arm);
          sum.executions += one.executions;
          ASSERT_TRUE(one.passed()) << one.problem;
        }
  expect_pass("2 and 3 ranks, every sequence a, b, a of long lists, in chunks, pulled, straight", sum);
}

TEST(ListedMoves, WhoCannotReadSaysSo) {
  for (int refusing = 0; refusing < 3; ++refusing)
    for (const Call call : {Call::alltoallv, Call::allgatherv}) {
      const Verdict verdict = check(3, {{call}}, Arm::second, {}, refusing);
      ASSERT_TRUE(verdict.passed()) << verdict.problem;
    }
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

TEST(ListedMovesMutants, Teams) {
  for (const bool is_private : {true, false})
    for (const Call call : {Call::alltoallv, Call::allgatherv, Call::scatterv}) {
      const Move move{call, 0, is_private};
      expect_caught("lists: returns while others read", check<Impatient>(2, {move, move}, Arm::second),
                    "race");
    }
}

TEST(ListedMovesMutants, Words) {
  for (const Arm arm : {Arm::first, Arm::second})
    for (const Kind kind : {Kind::filled, Kind::finished}) {
      // Nobody asks who has finished, but a root that runs ahead, and who has shown its own buffers.
      const Move move{kind == Kind::finished && arm == Arm::first ? Call::scatterv : Call::alltoall};
      Settings publish, observe, satisfied;
      publish.mutation.relaxed_publish = mask(kind);
      observe.mutation.relaxed_observe = mask(kind);
      satisfied.mutation.satisfied = mask(kind);
      expect_caught("lists: published relaxed", check(2, {move, move, move}, arm, publish), "race");
      expect_caught("lists: observed relaxed", check(2, {move, move, move}, arm, observe), "race");
      expect_caught("lists: not awaited", check(2, {move, move, move}, arm, satisfied),
                    kind == Kind::finished ? "race" : "unpublished");
    }
}

/// A line tells where the blocks are, or carries them.
TEST(ListedMovesMutants, Lines) {
  for (const Call call : {Call::scatterv, Call::alltoallv, Call::allgatherv})
    for (const Fit fit : {Fit::line, Fit::slot, Fit::nothing}) {
      const std::vector<Move> moves(3, {call, 0, fit != Fit::nothing, false, fit});
      Settings publish, observe, satisfied;
      publish.mutation.relaxed_publish = mask(Kind::shown);
      observe.mutation.relaxed_observe = mask(Kind::shown);
      satisfied.mutation.satisfied = mask(Kind::shown);
      expect_caught("lists: line published relaxed", check(2, moves, Arm::first, publish), "race");
      expect_caught("lists: line observed relaxed", check(2, moves, Arm::first, observe), "race");
      expect_caught("lists: line not awaited", check(2, moves, Arm::first, satisfied),
                    call == Call::scatterv ? "race" : "unpublished");
    }
}

/// Who alone gives runs ahead of those who take.
TEST(ListedMovesMutants, PlacesOfAScatter) {
  for (const Fit fit : {Fit::line, Fit::slot, Fit::nothing}) {
    const std::vector<Move> moves(engine::kSlots + 1, {Call::scatterv, 0, fit != Fit::nothing, false, fit});
    Settings finished;
    finished.mutation.satisfied = mask(Kind::finished);
    expect_caught("scatterv: place not awaited", check(2, moves, Arm::first, finished), "race");
  }
}

}  // namespace
}  // namespace foldlane::model
