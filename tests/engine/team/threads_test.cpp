// Several threads of a rank, each in calls of its own team, while the slots go from one to the other; ranks
// are threads too, so that ThreadSanitizer sees everything.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <memory>
#include <mutex>
#include <thread>

#include "engine/collectives/collectives.hpp"
#include "engine/job/founding.hpp"
#include "shm/segment/heap.hpp"
#include "support/ranks.hpp"

namespace foldlane::testing {
namespace {

using engine::Call;
using engine::Reduction;
using engine::Team;

constexpr int kThreads = 4;
// With slots of one page: inline, one-shot, two-shot, pipelined.
constexpr std::size_t kCounts[] = {1, 7, 100, 1000, 3000};

void add(void*, const void* in, void* inout, std::size_t count) {
  const auto* left = static_cast<const std::uint64_t*>(in);
  auto* right = static_cast<std::uint64_t*>(inout);
  for (std::size_t i = 0; i < count; ++i) right[i] += left[i];
}

/// The same operation, for which short calls have a path of their own only if it is predefined.
Reduction sum_of(int round) {
  if (round % 3 == 0) return {.elem_bytes = sizeof(std::uint64_t), .user = {add, nullptr}};
  return Reduction::of(kernels::Op::sum, kernels::Elem::u64);
}

class Player {
 public:
  Player(Team& team, int thread) : team_(team), thread_(thread) {}

  std::string play(int round) {
    const std::size_t count = kCounts[static_cast<std::size_t>(round * 3 + thread_) % std::size(kCounts)];
    const int root = round % team_.size();
    std::vector<std::uint64_t> data(count);
    for (std::size_t i = 0; i < count; ++i) data[i] = value(team_.rank(), round, i);
    int contributors = team_.size();
    std::size_t first = 0;  // of the elements that arrive
    const Reduction how = sum_of(round / 5);
    shm::Result<void> done;
    switch ((round + thread_) % 5) {
      case 0:
        done = engine::reduce(team_, data.data(), data.data(), count, how, root);
        if (team_.rank() != root) return done.ok() ? "" : done.error().message;
        break;
      case 1:
        done = engine::scan(team_, data.data(), data.data(), count, how, engine::Prefix::inclusive);
        contributors = team_.rank() + 1;
        break;
      case 2:
        for (std::size_t i = 0; i < count && team_.rank() == root; ++i) data[i] = sum(contributors, round, i);
        done = engine::bcast(team_, {data.data(), count * sizeof data[0]}, root);
        break;
      case 3: {
        const std::size_t each = count / static_cast<std::size_t>(team_.size());
        std::vector<std::uint64_t> block(each);
        done = engine::reduce_scatter(team_, data.data(), block.data(),
                                      engine::BlockCounts::equal(static_cast<std::int64_t>(each)), how);
        first = each * static_cast<std::size_t>(team_.rank());
        data = std::move(block);
        break;
      }
      default:
        done = engine::allreduce(team_, data.data(), data.data(), count, how);
        break;
    }
    if (!done.ok()) return done.error().message;
    for (std::size_t i = 0; i < data.size(); ++i) {
      if (data[i] != sum(contributors, round, first + i))
        return fmt::format("element {} of {} is wrong", i, count);
    }
    return "";
  }

 private:
  std::uint64_t value(int rank, int round, std::size_t i) const {
    return static_cast<std::uint64_t>((rank + 1) * (thread_ * 1000 + round)) + i;
  }
  std::uint64_t sum(int members, int round, std::size_t i) const {
    std::uint64_t total = 0;
    for (int member = 0; member < members; ++member) total += value(member, round, i);
    return total;
  }

  Team& team_;
  int thread_;
};

/// One thread of a rank: calls on its team, and on teams that it founds over it.
std::string play(engine::Founding& founding, Team& team, int thread, int rounds) {
  for (int round = 0; round < rounds; ++round) {
    std::string problem = Player(team, thread).play(round);
    if (problem.empty() && round % 8 == thread) {
      auto made = founding.found(team, team.members(), Call::duplicate);
      if (!made.ok()) return made.error().message;
      for (int call = 0; call < 4 && problem.empty(); ++call)
        problem = Player(*made.value(), thread).play(round + call);
      founding.retire(std::move(made.value()));
    }
    if (!problem.empty()) return fmt::format("thread {}, round {}: {}", thread, round, problem);
  }
  return "";
}

std::string play_threads(RankContext& context, int rounds) {
  shm::Heap& heap = context.heap;
  std::mutex heap_mutex;
  const std::size_t ring_bytes = engine::kSlots * context.process.geometry().slot_bytes;
  context.process.progress().allow_threads();
  context.process.set_ring_source([&]() -> std::byte* {
    const std::lock_guard lock(heap_mutex);
    auto ring = heap.allocate(ring_bytes);
    return ring.ok() ? static_cast<std::byte*>(ring.value()) : nullptr;
  });
  engine::Founding founding(context.segment, context.process, context.messenger, context.rank);
  std::vector<std::unique_ptr<Team>> teams;
  for (int thread = 0; thread < kThreads; ++thread) {
    auto made = founding.found(context.world, context.world.members(), Call::duplicate);
    if (!made.ok()) return made.error().message;
    teams.push_back(std::move(made.value()));
  }
  std::vector<std::string> problems(kThreads);
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < kThreads; ++i) {
      const int thread = (i + context.rank) % kThreads;  // started in another order on each rank
      const auto at = static_cast<std::size_t>(thread);
      threads.emplace_back([&, thread, at] { problems[at] = play(founding, *teams[at], thread, rounds); });
    }
  }
  for (auto& team : teams) founding.retire(std::move(team));
  context.process.progress().wait_until([&] { return context.process.progress().is_idle(); });
  std::string all;
  for (const std::string& problem : problems) all += problem;
  return all;
}

/// `rounds` calls of each of the teams.
void expect_right_results(int ranks, int rounds) {
  RunOptions options{.shape = tiny_shape(ranks), .watchdog_s = 1200};
  options.shape.heap_bytes = 16 << 20;
  const auto problems = run_ranks(Transport::threads, options,
                                  [rounds](RankContext& context) { return play_threads(context, rounds); });
  EXPECT_TRUE(problems.empty()) << problems.front();
}

class Threads : public ::testing::TestWithParam<int> {};

TEST_P(Threads, EachInCallsOfItsOwnTeam) { expect_right_results(GetParam(), 150); }

INSTANTIATE_TEST_SUITE_P(Ranks, Threads, ::testing::Values(2, 3, 4));

TEST(ManyThreads, AHundredThousandCalls) { expect_right_results(4, 25'000); }

}  // namespace
}  // namespace foldlane::testing
