// Long blocks that leaves of a gather copy to where their root wants them (engine/moves/rooted) under the
// explorer: a root's buffer in common or in private memory, leaves that ask and leaves that do not, callers
// that write to their buffers right before and right after each call, and mutants.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "engine/moves/rooted/gather_root.hpp"
#include "engine/moves/rooted/leaf_move.hpp"
#include "heap_program.hpp"
#include "report.hpp"
#include "support/vector_blocks.hpp"

namespace foldlane::model {
namespace {

struct Gather {
  int root = 0;
  bool is_private = false;  // the root's buffer
  int silent = -1;          // a leaf that does not ask
  int disagreeing = -1;     // a leaf that gives less than is expected
};

class GatherProgram final : public HeapProgram<Team> {
 public:
  /// `deadly`: a rank may die, and calls of others fail then.
  GatherProgram(int ranks, const std::vector<Gather>& calls, bool deadly)
      : HeapProgram(ranks, kBlock * static_cast<std::size_t>(ranks),
                    kBlock * static_cast<std::size_t>(ranks)),
        count_(static_cast<std::size_t>(ranks)),
        calls_(calls),
        deadly_(deadly) {}

  void run(int rank) override {
    for (std::size_t c = 0; c < calls_.size(); ++c) {
      const bool is_private = calls_[c].is_private || rank != calls_[c].root;
      std::uint64_t* const send = buffer(rank, true, false);
      std::uint64_t* const recv = buffer(rank, is_private, true);
      write(recv, Elements(kBlock * count_, 0));
      write(send, input(c, rank));
      const bool is_done =
          rank == calls_[c].root ? perform_root(rank, c, send, recv) : perform_leaf(rank, c, send);
      if (calls_[c].disagreeing >= 0) return refuse(rank, calls_[c], recv);
      if (!is_done && deadly_) return;
      if (!is_done) return Execution::current().fail("a call failed");
      write(send, input(c + 1, rank));
    }
  }

 private:
  static constexpr std::size_t kBlock = 16;  // elements: more than a line carries, and a place for each rank
  static constexpr std::size_t kBlockBytes = kBlock * sizeof(std::uint64_t);
  static_assert(kBlockBytes > engine::Team::InlineLines::kBytesBesideNumber &&
                kBlockBytes >= sizeof(engine::GatherPlaces::Place));

  static Elements input(std::size_t call, int member) {
    Elements elements(kBlock);
    for (std::size_t i = 0; i < kBlock; ++i)
      elements[i] = mix(call * 64 + static_cast<std::uint64_t>(member), i + 1);
    return elements;
  }

  bool perform_leaf(int rank, std::size_t number, std::uint64_t* send) {
    const Gather& call = calls_[number];
    const engine::UserBuffer block{reinterpret_cast<std::byte*>(send),
                                   kBlockBytes - (call.disagreeing == rank ? sizeof(std::uint64_t) : 0)};
    const bool asks = call.silent != rank;
    engine::LeafMove<Team> turns(team(rank), call.root, block, true, asks);
    if (!engine::run_turns(turns)) return false;
    if (call.disagreeing < 0 && turns.message_follows() != (asks && call.is_private))
      Execution::current().fail("a leaf does not go as its root wants it to");
    return true;
  }
  /// A message is not under the explorer: only that both see that it is to be one.
  bool perform_root(int rank, std::size_t number, std::uint64_t* send, std::uint64_t* recv) {
    const Gather& call = calls_[number];
    const testing::VectorMove sides(engine::Call::gatherv, call.root, static_cast<int>(count_), rank,
                                    kBlockBytes, reinterpret_cast<std::byte*>(send),
                                    reinterpret_cast<std::byte*>(recv));
    engine::GatherRoot<Team> turns(team(rank), sides.movement, !call.is_private);
    if (!engine::run_turns(turns)) return false;
    const int leaves = static_cast<int>(count_) - 1, silent = call.silent >= 0 ? 1 : 0;
    if (call.disagreeing < 0 && turns.by_message().count() != (call.is_private ? leaves - silent : 0))
      Execution::current().fail("the root awaits other messages than come");
    check(number, rank, recv);
    return true;
  }

  void check(std::size_t number, int root, const std::uint64_t* recv) const {
    const Gather& call = calls_[number];
    Atoms::reads(recv, kBlockBytes * count_);
    for (int member = 0; member < static_cast<int>(count_); ++member) {
      if (member == call.disagreeing || (call.is_private && member != root && member != call.silent))
        continue;
      const Elements given = input(number, member);
      if (!std::equal(given.begin(), given.end(), recv + static_cast<std::size_t>(member) * kBlock))
        return Execution::current().fail(fmt::format("wrong value in call {}", number));
    }
  }
  /// The root gives the team up, but not its buffer, which others may be writing to.
  void refuse(int rank, const Gather& call, std::uint64_t* recv) {
    if (rank != call.root) return;
    if (!team(rank).agreement().broken())
      Execution::current().fail("another length does not give the team up");
    write(recv, Elements(kBlock * count_, 0));
    end_job();
  }

  std::size_t count_;
  const std::vector<Gather>& calls_;
  bool deadly_;
};

Verdict check(int ranks, const std::vector<Gather>& calls, const Settings& settings = {}) {
  const bool deadly = settings.dying_thread >= 0;
  return explore([&] { return std::make_unique<GatherProgram>(ranks, calls, deadly); }, settings);
}

Settings in_every_order() {
  Settings settings;
  settings.search = Search::interleavings;
  return settings;
}

std::vector<Gather> alphabet(int ranks) {
  std::vector<Gather> calls;
  for (const int root : {0, ranks - 1})
    for (const bool is_private : {false, true})
      for (const int silent : {-1, 1 - root % 2})
        calls.push_back({root, is_private, silent == root ? -1 : silent});
  return calls;
}

TEST(LongGathers, InEveryOrder) {
  Verdict sum;
  for (const int ranks : {2, 3})
    for (const Gather& a : alphabet(ranks))
      for (const Gather& b : alphabet(ranks)) {
        const Verdict one = check(ranks, {a, b, a});
        sum.executions += one.executions;
        ASSERT_TRUE(one.passed()) << one.problem;
      }
  expect_pass("2 and 3 ranks, every sequence a, b, a of long gathers", sum);
}

TEST(LongGathers, MoreOftenThanThereArePlaces) {
  for (const Gather& call : alphabet(2)) {
    const Verdict verdict = check(2, std::vector<Gather>(35, call));
    ASSERT_TRUE(verdict.passed()) << verdict.problem;
  }
}

TEST(LongGathers, EveryMessage) {
  Settings settings;
  settings.search = Search::reads_from;
  for (const Gather& call : alphabet(2)) {
    const Verdict verdict = check(2, {call, call}, settings);
    ASSERT_TRUE(verdict.passed()) << verdict.problem;
  }
}

/// The others' blocks may still be on their way into the root's buffer.
TEST(LongGathers, WhoRefusesALengthStaysUntilTheOthersHaveWritten) {
  for (const int ranks : {2, 3}) {
    const Verdict verdict = check(ranks, {{0, false, -1, 1}}, in_every_order());
    EXPECT_TRUE(verdict.passed()) << verdict.problem;
  }
}

TEST(LongGathers, DeathAnywhere) {
  for (int rank = 0; rank < 3; ++rank) {
    Settings settings;
    settings.dying_thread = rank;
    bool died = true;
    for (settings.dying_step = 0; died; ++settings.dying_step) {
      const Verdict verdict = check(3, {{0}, {2, false, 1}}, settings);
      ASSERT_TRUE(verdict.passed()) << verdict.problem;
      died = verdict.died;
    }
  }
}

TEST(LongGathersMutants, Words) {
  const std::vector<Gather> calls(3, Gather{});
  Settings publish, observe, satisfied, early, unseen;
  publish.mutation.relaxed_publish = mask(Kind::shown);
  observe.mutation.relaxed_observe = mask(Kind::shown);
  satisfied.mutation.satisfied = mask(Kind::shown);
  early.mutation.satisfied = mask(Kind::finished);
  unseen.mutation.relaxed_publish = mask(Kind::finished);
  expect_caught("long gather: line published relaxed", check(2, calls, publish), "race");
  expect_caught("long gather: line observed relaxed", check(2, calls, observe), "race");
  EXPECT_FALSE(check(2, calls, satisfied).passed()) << "long gather: line not awaited";
  EXPECT_FALSE(check(2, calls, early).passed()) << "long gather: leaves not awaited";
  expect_caught("long gather: end published relaxed", check(2, calls, unseen), "race");
}

}  // namespace
}  // namespace foldlane::model
