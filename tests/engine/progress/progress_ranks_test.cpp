// Operations of many teams under way between ranks, which are threads or processes.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <stdexcept>
#include <thread>
#include <vector>

#include "engine/collectives/collectives.hpp"
#include "engine/job/founding.hpp"
#include "support/operations.hpp"
#include "support/ranks.hpp"

namespace foldlane::testing {
namespace {

using engine::Call;
using engine::CollectiveOperation;
using engine::Reduction;
using engine::Team;
using Values = std::vector<std::uint64_t>;

/// With slots of one page: inline, one-shot, two-shot, and more chunks than there are slots.
constexpr std::size_t kCounts[] = {1, 60, 500, 6000};
constexpr std::size_t kManyChunks = 6000;

void add(void*, const void* in, void* inout, std::size_t count) {
  const auto* left = static_cast<const std::uint64_t*>(in);
  auto* right = static_cast<std::uint64_t*>(inout);
  for (std::size_t i = 0; i < count; ++i) right[i] += left[i];
}
void refuse(void*, const void*, void*, std::size_t) { throw std::runtime_error("of the caller"); }

/// Duplicates of the world, for as long as it lives.
class Teams {
 public:
  Teams(RankContext& context, int count)
      : context_(context), founding_(context.segment, context.process, context.messenger, context.rank) {
    for (int i = 0; i < count; ++i) {
      auto made = founding_.found(context.world, context.world.members(), Call::duplicate);
      if (!made.ok()) throw std::runtime_error(made.error().message);
      teams_.push_back(std::move(made.value()));
    }
  }
  Teams(const Teams&) = delete;
  Teams& operator=(const Teams&) = delete;
  ~Teams() {
    for (auto& team : teams_) founding_.retire(std::move(team));
    auto& progress = context_.process.progress();
    progress.wait_until([&] { return progress.is_idle(); });
  }
  Team& operator[](std::size_t i) { return *teams_[i]; }

 private:
  RankContext& context_;
  engine::Founding founding_;
  std::vector<std::unique_ptr<Team>> teams_;
};

/// An allreduce that can be started again and again, with other values.
class Sum {
 public:
  Sum(Team& team, std::size_t count, std::uint64_t seed,
      Reduction how = {.elem_bytes = 8, .user = {add, nullptr}})
      : team_(team),
        how_(how),
        seed_(seed),
        send_(count),
        recv_(count),
        operation_(make_operation(
            team, engine::fold_call(Call::allreduce, send_.data(), recv_.data(), count, how_))) {}

  void start() {
    ++seed_;
    for (std::size_t i = 0; i < send_.size(); ++i) send_[i] = value(team_.rank(), i);
    std::fill(recv_.begin(), recv_.end(), 0);
    operation_->start();
  }
  CollectiveOperation& operation() { return *operation_; }
  std::string verdict() {
    if (operation_->failed()) return "failed: " + operation_->error().message + "; ";
    for (std::size_t i = 0; i < recv_.size(); ++i) {
      std::uint64_t expected = 0;
      for (int member = 0; member < team_.size(); ++member) expected += value(member, i);
      if (recv_[i] != expected) return fmt::format("element {} of {} is wrong; ", i, recv_.size());
    }
    return "";
  }
  std::string wait() {
    team_.process().progress().wait_until([this] { return operation_->done(); });
    return verdict();
  }

 private:
  std::uint64_t value(int member, std::size_t i) const {
    return seed_ * 1'000'003 + static_cast<std::uint64_t>(member + 1) * 10'007 + i;
  }

  Team& team_;
  Reduction how_;
  std::uint64_t seed_;
  Values send_;
  Values recv_;
  std::unique_ptr<CollectiveOperation> operation_;
};

std::vector<std::unique_ptr<Sum>> one_each(Teams& teams, std::size_t teams_count, std::size_t count) {
  std::vector<std::unique_ptr<Sum>> sums;
  for (std::size_t i = 0; i < teams_count; ++i)
    sums.push_back(std::make_unique<Sum>(teams[i], count, 100 * i));
  return sums;
}

constexpr shm::Ladder kOnlyNaps{0, 0, 1'000'000'000'000, 1'000'000'000'000};

RunOptions options_for(int ranks) {
  RunOptions options{.shape = tiny_shape(ranks)};
  options.shape.heap_bytes = 16 << 20;
  return options;
}

class Operations : public ::testing::TestWithParam<Transport> {
 protected:
  void expect_all_well(int ranks, const RankBody& body, std::optional<shm::Ladder> ladder = {}) {
    RunOptions options = options_for(ranks);
    options.ladder = ladder;
    const auto problems = run_ranks(GetParam(), options, body);
    EXPECT_TRUE(problems.empty()) << problems.front();
  }
};

TEST_P(Operations, OfOneTeamEndInTheOrderOfTheirStarts) {
  expect_all_well(3, [](RankContext& context) {
    Teams teams(context, 1);
    std::vector<std::unique_ptr<Sum>> sums;
    for (std::size_t i = 0; i < 12; ++i) {
      sums.push_back(std::make_unique<Sum>(teams[0], kCounts[(i * 3) % 4], 100 * i));
      sums.back()->start();
    }
    std::string problems;
    std::size_t ended = 0;
    context.process.progress().wait_until([&] {
      while (ended < sums.size() && sums[ended]->operation().done()) ++ended;
      for (std::size_t i = ended + 1; i < sums.size(); ++i)
        if (sums[i]->operation().done() && !sums[i - 1]->operation().done()) problems = "out of order; ";
      return ended == sums.size();
    });
    for (auto& sum : sums) problems += sum->verdict();
    return problems;
  });
}

/// Each goes through its slots more than once while all the others stand in the middle of theirs.
TEST_P(Operations, OfManyTeamsLeaseRings) {
  expect_all_well(2, [](RankContext& context) {
    constexpr std::size_t kTeams = 12;
    Teams teams(context, kTeams);
    auto sums = one_each(teams, kTeams, kManyChunks);
    std::string problems;
    for (std::size_t round = 0; round < 5; ++round) {
      for (std::size_t i = 0; i < kTeams; ++i) {  // another order on each rank
        sums[(i * (context.rank == 0 ? 5 : 7) + round) % kTeams]->start();
      }
      for (std::size_t i = 0; i < kTeams; ++i) problems += sums[(i + round) % kTeams]->wait();
    }
    return problems;
  });
}

TEST_P(Operations, OfTwoTeamsInOppositeOrder) {
  expect_all_well(2, [](RankContext& context) {
    Teams teams(context, 2);
    std::string problems;
    for (const std::size_t count : kCounts) {
      auto sums = one_each(teams, 2, count);
      const auto first = static_cast<std::size_t>(context.rank);
      sums[first]->start();
      sums[1 - first]->start();
      problems += sums[first]->wait();
      problems += sums[1 - first]->wait();
    }
    return problems;
  });
}

/// A blocking call drives what is under way elsewhere: rank 1 enters its blocking call only when the
/// operation has ended, for which it needs rank 0, which is in that call.
TEST_P(Operations, GoOnInsideABlockingCallOfAnotherTeam) {
  expect_all_well(2, [](RankContext& context) {
    Teams teams(context, 2);
    Sum sum(teams[0], kManyChunks, 1);
    sum.start();
    std::string problems;
    if (context.rank == 1) problems += sum.wait();
    if (auto met = engine::barrier(teams[1]); !met.ok()) problems += met.error().message;
    return problems + (sum.operation().done() ? sum.verdict() : sum.wait());
  });
}

/// Every wait is a nap, and no nap times out: who is not rung stays.
TEST_P(Operations, WakeTheirSleepersThroughTheInbox) {
  expect_all_well(
      3,
      [](RankContext& context) {
        Teams teams(context, 3);
        std::string problems;
        for (std::size_t round = 0; round < 40; ++round) {
          auto sums = one_each(teams, 3, kCounts[round % 4]);
          for (auto& sum : sums) sum->start();
          for (std::size_t i = 0; i < 3; ++i) problems += sums[(i + round) % 3]->wait();
        }
        return problems;
      },
      kOnlyNaps);
}

TEST_P(Operations, OfABrokenTeamFailAndOthersGoOn) {
  expect_all_well(2, [](RankContext& context) {
    Teams teams(context, 2);
    const bool breaks = context.rank == 1;
    std::string problems;
    {
      Sum broken(teams[0], kManyChunks, 1, {.elem_bytes = 8, .user = {breaks ? refuse : add, nullptr}});
      Sum sound(teams[1], kManyChunks, 2);
      broken.start();
      sound.start();
      problems += sound.wait();
      context.process.progress().wait_until([&] { return broken.operation().done(); });
      if (!broken.operation().failed()) problems += "the broken team's operation has not failed; ";
      try {
        broken.operation().rethrow();
        if (breaks) problems += "the exception is lost; ";
      } catch (const std::runtime_error&) {
        if (!breaks) problems += "an exception of another rank; ";
      }
    }
    return problems;
  });
}

TEST_P(Operations, FailWithTheJob) {
  const auto problems = run_ranks(GetParam(), options_for(2), [](RankContext& context) -> std::string {
    auto sums = std::make_unique<Sum>(context.world, kManyChunks, 1);
    if (context.rank == 1) {  // when the other one sleeps, as the launcher does it
      auto& lines = context.segment.rank_lines(0);
      while (context.segment.rank_lines(1).doorbell.sleepers.observe() == 0) sched_yield();
      context.segment.launcher_line().abort_word.publish(1);
      lines.doorbell.ring();
      lines.inbox.ring();
      return "";
    }
    sums->start();
    context.process.progress().wait_until([&] { return sums->operation().done(); });
    return sums->operation().failed() ? "" : "has not failed";
  });
  EXPECT_TRUE(problems.empty()) << problems.front();
}

/// Four threads of each rank wait for operations that any of them drives; no nap times out.
TEST_P(Operations, AreWaitedForByManyThreads) {
  expect_all_well(
      2,
      [](RankContext& context) {
        constexpr std::size_t kTeams = 8;
        constexpr std::size_t kThreads = 4;
        context.process.progress().allow_threads();
        Teams teams(context, kTeams);
        auto sums = one_each(teams, kTeams, kManyChunks);
        std::string problems;
        for (int round = 0; round < 8; ++round) {
          for (std::size_t i = 0; i < kTeams; ++i) sums[(i * (context.rank == 0 ? 3 : 5)) % kTeams]->start();
          std::vector<std::string> of_threads(kThreads);
          {
            std::vector<std::jthread> threads;
            for (std::size_t t = 0; t < kThreads; ++t) {
              threads.emplace_back([&, t] {
                for (std::size_t i = t; i < kTeams; i += kThreads) of_threads[t] += sums[i]->wait();
              });
            }
          }
          for (const auto& each : of_threads) problems += each;
        }
        return problems;
      },
      kOnlyNaps);
}

std::vector<Transport> transports() {
#if defined(__SANITIZE_THREAD__)  // it sees one process only
  return {Transport::threads};
#else
  return {Transport::threads, Transport::processes};
#endif
}

INSTANTIATE_TEST_SUITE_P(Ranks, Operations, ::testing::ValuesIn(transports()),
                         [](const auto& test) { return name(test.param); });

}  // namespace
}  // namespace foldlane::testing
