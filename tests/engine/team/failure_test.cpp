// A death, as the launcher declares it, ends every wait with an error that names the rank.
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include "engine/collectives/collectives.hpp"
#include "shm/job/job.hpp"
#include "support/ranks.hpp"

namespace foldlane::testing {
namespace {

using engine::Reduction;

std::string expect_named_failure(const shm::Result<void>& result) {
  if (result.ok()) return "the call succeeded";
  if (result.error().code != shm::Errc::peer_failed) return "wrong error: " + result.error().message;
  if (result.error().message != "rank 0 was killed by signal 9 (Killed)") return result.error().message;
  return "";
}

class Failure : public ::testing::TestWithParam<bool> {};

TEST_P(Failure, EveryBlockedCallReturnsAnError) {
  RunOptions options{.shape = tiny_shape(4)};
  options.oversubscribed = GetParam();
  const auto problems = run_ranks(Transport::threads, options, [](RankContext& context) -> std::string {
    if (context.rank == 0) {  // plays the launcher that sees rank 0 die before it ever calls
      shm::JobMonitor(context.segment).declare({0, shm::Cause::signal, SIGKILL});
      return "";
    }
    const Reduction sum{8, kernels::fold_function(kernels::Op::sum, kernels::Elem::f64), {}};
    std::vector<double> data(5000);
    switch (context.rank) {
      case 1:
        return expect_named_failure(engine::barrier(context.world));
      case 2:
        return expect_named_failure(engine::bcast(context.world, {data.data(), data.size() * 8}, 0));
      default:
        return expect_named_failure(engine::allreduce(context.world, data.data(), data.data(), 5000, sum));
    }
  });
  EXPECT_TRUE(problems.empty()) << problems.front();
}

TEST_P(Failure, ASleeperIsWoken) {
  RunOptions options{.shape = tiny_shape(2)};
  options.oversubscribed = GetParam();
  const auto problems = run_ranks(Transport::processes, options, [](RankContext& context) -> std::string {
    if (context.rank == 1) return expect_named_failure(engine::barrier(context.world));
    // Not before rank 1 really sleeps on this rank's bell.
    while (context.segment.rank_lines(0).doorbell.sleepers.observe() == 0) usleep(100);
    shm::JobMonitor(context.segment).declare({0, shm::Cause::signal, SIGKILL});
    return "";
  });
  EXPECT_TRUE(problems.empty()) << problems.front();
}

INSTANTIATE_TEST_SUITE_P(Ladders, Failure, ::testing::Bool(),
                         [](const auto& test) { return test.param ? "shared_cpu" : "own_cpu"; });

TEST(FailureWord, CarriesWhatHappened) {
  for (const shm::Failure& failure :
       {shm::Failure{0, shm::Cause::signal, 9}, shm::Failure{4095, shm::Cause::exit, 255},
        shm::Failure{-1, shm::Cause::timeout, 3600}}) {
    const auto word = shm::pack(failure);
    EXPECT_NE(word, 0u);
    EXPECT_EQ(shm::unpack(word).rank, failure.rank);
    EXPECT_EQ(shm::unpack(word).cause, failure.cause);
    EXPECT_EQ(shm::unpack(word).detail, failure.detail);
  }
  EXPECT_EQ(shm::describe({-1, shm::Cause::timeout, 5}), "the job ran into its time limit of 5 s");
}

}  // namespace
}  // namespace foldlane::testing
