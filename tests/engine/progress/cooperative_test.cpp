// The procedures driven without blocking: all ranks in one thread, a step each in turn. This is what
// nonblocking collectives will do, and it runs 256 ranks on any machine.
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <numeric>
#include <vector>

#include "engine/algorithms/broadcast.hpp"
#include "engine/algorithms/exchange.hpp"
#include "engine/algorithms/fold_shares.hpp"
#include "engine/algorithms/fold_whole.hpp"
#include "engine/collectives/collective.hpp"
#include "engine/job/areas.hpp"
#include "engine/moves/pair/pair_turns.hpp"
#include "support/ranks.hpp"

namespace foldlane::engine {
namespace {

using testing::tiny_shape;

/// All ranks of a job in this thread.
class Crowd {
 public:
  explicit Crowd(int ranks, int shared_cpus = 0) : segment_(create(ranks)) {
    std::vector<BasicPeer<shm::RealAtoms>> peers;
    for (int rank = 0; rank < ranks; ++rank) {
      peers.push_back(
          {team_lines(segment_, rank), slot(segment_, rank, 0), &segment_.rank_lines(rank).doorbell});
    }
    std::vector<int> members(static_cast<std::size_t>(ranks));
    std::iota(members.begin(), members.end(), 0);
    for (int rank = 0; rank < ranks; ++rank) {
      EXPECT_TRUE(segment_.commit_partition(rank).ok());
      const shm::Signals<shm::RealAtoms> signals(segment_.rank_lines(rank).doorbell,
                                                 segment_.launcher_line().abort_word, shm::Ladder::own_cpu(),
                                                 shm::Wake::locked);
      processes_.push_back(std::make_unique<Process>(
          peers, rank, Geometry{shm::kPageBytes, static_cast<int>(engine::kSlots), 0, shared_cpus}, signals));
      teams_.push_back(std::make_unique<Team>(*processes_.back(), members, rank, 0));
    }
  }

  Team& team(int rank) { return *teams_[static_cast<std::size_t>(rank)]; }
  int size() const { return static_cast<int>(teams_.size()); }
  /// How many of its slots a rank has said that it has filled.
  std::ptrdiff_t slots_filled_by(int rank) const {
    const auto& fillings = team_lines(segment_, rank)[0].steps.in_slot;
    return std::count_if(std::begin(fillings), std::end(fillings),
                         [](const auto& filling) { return filling.mark.peek() != 0; });
  }
  /// The same of its inline lines.
  std::ptrdiff_t lines_shown_by(int rank) const {
    const auto& lines = team_lines(segment_, rank)[0].inline_lines;
    return std::count_if(std::begin(lines), std::end(lines),
                         [](const auto& line) { return line.mark.peek() != 0; });
  }
  void fail() { segment_.launcher_line().abort_word.publish(1); }

  /// Steps everybody round by round until all are done (true) or a round changes nothing (false).
  template <class Start>
  bool run(const Start& start) {
    std::vector<Procedure> procedures;
    for (int rank = 0; rank < size(); ++rank) procedures.push_back(start(rank));
    std::vector<bool> done(procedures.size(), false);
    std::size_t left = procedures.size();
    for (int idle_rounds = 0; left > 0 && idle_rounds < 1000; ++idle_rounds) {
      for (std::size_t rank = 0; rank < procedures.size(); ++rank) {
        if (done[rank]) continue;
        const Progress progress = procedures[rank].step();
        EXPECT_NE(progress, Progress::failed);
        if (progress != Progress::done) continue;
        done[rank] = true;
        --left;
        idle_rounds = 0;
      }
    }
    return left == 0;
  }

 private:
  static shm::Segment create(int ranks) {
    shm::Placement placement;
    placement.ranks.assign(static_cast<std::size_t>(ranks), {{}, -1, 0, 0});
    auto segment = shm::Segment::create(tiny_shape(ranks), placement, 0);
    EXPECT_TRUE(segment.ok());
    return std::move(segment.value());
  }

  shm::Segment segment_;
  std::vector<std::unique_ptr<Process>> processes_;
  std::vector<std::unique_ptr<Team>> teams_;
};

const Reduction kSum{.elem_bytes = 8,
                     .builtin = kernels::fold_function(kernels::Op::sum, kernels::Elem::i64)};

std::vector<std::int64_t> input(int rank, std::size_t count) {
  std::vector<std::int64_t> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = rank * 1000 + static_cast<std::int64_t>(i);
  return values;
}

std::int64_t expected(int ranks, std::size_t i) {
  return 1000l * ranks * (ranks - 1) / 2 + ranks * static_cast<std::int64_t>(i);
}

std::byte* bytes(std::vector<std::int64_t>& values) { return reinterpret_cast<std::byte*>(values.data()); }

class Cooperative : public ::testing::TestWithParam<int> {};

TEST_P(Cooperative, AllreduceByWholeAndByShares) {
  Crowd crowd(GetParam());
  for (const std::size_t count : {1u, 7u, 8u, 500u, 2000u, 5000u}) {
    std::vector<std::vector<std::int64_t>> data;
    for (int rank = 0; rank < crowd.size(); ++rank) data.push_back(input(rank, count));
    EXPECT_TRUE(crowd.run([&](int rank) {
      auto& own = data[static_cast<std::size_t>(rank)];
      const WholeFold whole{bytes(own), bytes(own), count, 0, count, {0, crowd.size()}, &kSum};
      if (count <= 7) return as_procedure<InlineFold<Team>>(crowd.team(rank), whole);
      if (count <= 512) return as_procedure<SlotFold<Team>>(crowd.team(rank), whole, count, false);
      if (count == 2000)
        return as_procedure<SlotFold<Team>>(crowd.team(rank), whole, std::size_t{300}, false);
      const std::size_t piece_count = shm::kPageBytes / 8 / static_cast<std::size_t>(crowd.size());
      return fold_shares(crowd.team(rank),
                         {bytes(own), bytes(own), &kSum, Deliver::to_all, 0, piece_count, false},
                         Shares::equal(count, crowd.size(), 8));
    }));
    for (const auto& own : data) {
      for (std::size_t i = 0; i < count; ++i) ASSERT_EQ(own[i], expected(crowd.size(), i));
    }
  }
}

TEST_P(Cooperative, BroadcastFromEveryPartOfTheTeam) {
  Crowd crowd(GetParam());
  for (const int root : {0, crowd.size() / 2, crowd.size() - 1}) {
    std::vector<std::vector<std::int64_t>> data;
    for (int rank = 0; rank < crowd.size(); ++rank) data.push_back(input(rank, 3000));
    EXPECT_TRUE(crowd.run([&](int rank) {
      auto& own = data[static_cast<std::size_t>(rank)];
      return as_procedure<SlotBroadcast<Team>>(
          crowd.team(rank),
          Broadcast{bytes(own), nullptr, own.size() * 8, root, true, shm::kPageBytes, false});
    }));
    for (const auto& own : data) ASSERT_EQ(own, input(root, 3000));
  }
}

INSTANTIATE_TEST_SUITE_P(Teams, Cooperative,
                         ::testing::Values(2, 3, 31, 32, 33, 127, 128, 129, 255, 256, 257));

TEST(Cooperative, AProcedureThatMustWaitGivesTheThreadBack) {
  Crowd crowd(2);
  Procedure alone = as_procedure<Exchange<Team>>(crowd.team(0));
  EXPECT_EQ(alone.step(), Progress::waiting);
  EXPECT_EQ(alone.step(), Progress::waiting);
  Procedure other = as_procedure<Exchange<Team>>(crowd.team(1));
  EXPECT_EQ(other.step(), Progress::done);
  EXPECT_EQ(alone.step(), Progress::done);
}

/// How far a rank gets in a call of many chunks before it needs the others.
std::ptrdiff_t slots_filled_alone(int shared_cpus) {
  constexpr int kRanks = 3;
  Crowd crowd(kRanks, shared_cpus);
  auto values = input(0, 5000);
  Procedure alone =
      steps_of(crowd.team(0), fold_call(Call::allreduce, values.data(), values.data(), values.size(), kSum));
  EXPECT_EQ(alone.step(), Progress::waiting);
  return crowd.slots_filled_by(0);
}

/// With a CPU of its own a rank fills one chunk ahead, so that it has something to fold while others fill. To
/// wait is a switch of all ranks where they share CPUs, so there it fills all slots first.
TEST(Cooperative, ChunksGoTogetherWhereRanksShareCpus) {
  EXPECT_EQ(slots_filled_alone(0), 2);
  EXPECT_EQ(slots_filled_alone(1), static_cast<std::ptrdiff_t>(kSlots));
}

/// Nobody would read it.
TEST(Cooperative, TheLastOfAScanShowsNoLine) {
  constexpr int kRanks = 3;
  for (const Call call : {Call::scan, Call::exscan}) {
    Crowd crowd(kRanks);
    std::vector<std::vector<std::int64_t>> data;
    for (int rank = 0; rank < kRanks; ++rank) data.push_back(input(rank, 2));
    EXPECT_TRUE(crowd.run([&](int rank) {
      std::int64_t* const own = data[static_cast<std::size_t>(rank)].data();
      return steps_of(crowd.team(rank), fold_call(call, own, own, 2, kSum));
    }));
    for (int rank = 0; rank < kRanks; ++rank)
      EXPECT_EQ(crowd.lines_shown_by(rank), rank + 1 < kRanks ? 1 : 0) << rank;
    EXPECT_EQ(data.back()[1], call == Call::scan ? expected(kRanks, 1) : expected(kRanks - 1, 1));
  }
}

/// It has nothing else to do then.
TEST(Cooperative, TheRootOfAGatherOfTwoCopiesItsOwnBlockWhileItWaits) {
  Crowd crowd(2);
  auto given = input(2, 1), own = input(1, 1);
  std::vector<std::int64_t> gathered(2);
  const UserBuffer block{bytes(own), 8}, place{bytes(gathered), 8};
  const UserBuffer from_and_to[] = {block, place};
  PairMove at_root{.out = {},
                   .in = {bytes(gathered) + 8, 8},
                   .own = from_and_to,
                   .gives = false,
                   .takes = true,
                   .tells_length = false,
                   .most_in_line = 64,
                   .most_in_boxes = 64,
                   .chunk_bytes = 64};
  PairMove at_leaf = at_root;
  at_leaf.in = {};
  at_leaf.out = {bytes(given), 8};
  at_leaf.own = nullptr;
  at_leaf.gives = true;
  at_leaf.takes = false;
  SteppedTurns<PairMoveTurns<Team>> root(crowd.team(0), at_root);
  EXPECT_EQ(root.step(), Progress::waiting);
  EXPECT_EQ(gathered, (std::vector<std::int64_t>{own[0], 0}));
  SteppedTurns<PairMoveTurns<Team>> leaf(crowd.team(1), at_leaf);
  EXPECT_EQ(leaf.step(), Progress::done);
  EXPECT_EQ(root.step(), Progress::done);
  EXPECT_EQ(gathered, (std::vector<std::int64_t>{own[0], given[0]}));
}

TEST(Cooperative, AFailedJobEndsEveryWait) {
  Crowd crowd(3);
  Procedure alone = as_procedure<Exchange<Team>>(crowd.team(0));
  EXPECT_EQ(alone.step(), Progress::waiting);
  crowd.fail();
  EXPECT_EQ(alone.step(), Progress::failed);
}

}  // namespace
}  // namespace foldlane::engine
