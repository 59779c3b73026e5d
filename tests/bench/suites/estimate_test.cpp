// What a run is said to take: never less than it is told to take, and more where there is more to do.
#include "bench/suites/estimate.hpp"

#include <gtest/gtest.h>

namespace foldlane::bench {
namespace {

constexpr std::uint64_t kLlc = 32 << 20;

Case allreduce(std::uint64_t bytes, int ranks = 2) {
  return {.call = "allreduce", .bytes = bytes, .ranks = ranks};
}

double seconds_of(const std::vector<Case>& cases, std::size_t implementations = 3, Effort effort = {}) {
  effort.span_s = effort.case_s = effort.launches = 0;
  return demand_of(cases, implementations, effort, 2, kLlc).seconds;
}

TEST(Estimate, IsAtLeastTheTimeThatARunIsGiven) {
  const Effort effort{.span_s = 100, .case_s = 70};
  EXPECT_DOUBLE_EQ(demand_of({allreduce(8)}, 1, effort, 2, kLlc).seconds, 100);
  EXPECT_DOUBLE_EQ(demand_of({allreduce(8), allreduce(32)}, 1, effort, 2, kLlc).seconds, 140);
}

TEST(Estimate, GrowsWithAllThatThereIsToDo) {
  const double one = seconds_of({allreduce(8)});
  EXPECT_DOUBLE_EQ(seconds_of({allreduce(8), allreduce(8)}), 2 * one);
  EXPECT_GT(seconds_of({allreduce(8)}, 6), one);
  EXPECT_DOUBLE_EQ(seconds_of({allreduce(8)}, 3, {.passes = 40}), 2 * one);
  EXPECT_GT(seconds_of({allreduce(64 << 20)}), 5 * one);
  EXPECT_GT(seconds_of({allreduce(64 << 20, 8)}), 2 * seconds_of({allreduce(64 << 20)}));
}

TEST(Estimate, CountsTheLaunchesOfAllImplementationsAndTheirMemory) {
  const auto seconds = [](std::uint64_t bytes, std::size_t implementations, int launches) {
    const Effort effort{.launches = launches, .span_s = 0, .case_s = 0};
    return demand_of({allreduce(bytes)}, implementations, effort, 2, kLlc).seconds;
  };
  const double once = seconds(8, 2, 1) - seconds(8, 2, 0);
  EXPECT_GT(once, 0);
  EXPECT_DOUBLE_EQ(seconds(8, 2, 6) - seconds(8, 2, 0), 6 * once);
  EXPECT_GT(seconds(8, 4, 1) - seconds(8, 4, 0), once);
  EXPECT_GT(seconds(64 << 20, 2, 1) - seconds(64 << 20, 2, 0), once);
}

TEST(Estimate, CountsTheBuffersOfAllRanksOfAllImplementations) {
  const auto bytes_of = [](Case what, std::size_t implementations) {
    return demand_of({allreduce(8), what}, implementations, {}, 2, kLlc).bytes;
  };
  EXPECT_EQ(bytes_of(allreduce(1 << 20), 3), 3u * 2 * 2 << 20);
  Case rotating = allreduce(64 << 20, 8);
  rotating.buffers = Buffers::rotating;
  EXPECT_EQ(bytes_of(rotating, 5), std::uint64_t{5} * 8 * 2 * 2 * 64 << 20);
  rotating.bytes = 8;
  EXPECT_EQ(bytes_of(rotating, 1), 2 * 2 * kLlc) << "four ranks of a CPU have one share of the cache";
  rotating.call = "fold";
  EXPECT_EQ(bytes_of(rotating, 5), bytes_of(rotating, 1)) << "the kernels have no peers";
  rotating.call = "allreduce";
  rotating.ranks = 2;
  EXPECT_EQ(bytes_of(rotating, 1), 2 * 2 * kLlc);
}

TEST(Estimate, IsToldInHoursAndMinutes) {
  EXPECT_EQ(describe({0, 0}), "about 0 min and 0.0 GiB of memory");
  EXPECT_EQ(describe({541, std::uint64_t{3} << 29}), "about 10 min and 1.5 GiB of memory");
  EXPECT_EQ(describe({7500, 0}), "about 2 h 5 min and 0.0 GiB of memory");
}

}  // namespace
}  // namespace foldlane::bench
