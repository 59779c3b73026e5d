// In which order a run launches its jobs.
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "bench/machine/ticks.hpp"
#include "bench/measure/campaign.hpp"
#include "bench/measure/launch_order.hpp"
#include "support/bench_run.hpp"
#include "support/fake_tree.hpp"
#include "support/launched_by.hpp"

namespace foldlane::bench {
namespace {

/// Writes to a file that it begins, and that it has ended.
Implementation noted(const std::string& name, const std::string& file) {
  const std::string script =
      "trap : TERM; echo " + name + " >>" + file + "; \"$@\"; echo -" + name + " >>" + file;
  return launched_by({"/bin/sh", "-c", script, "sh"});
}

TEST(LaunchOrder, HasEverybodyAsOftenBeforeEachOtherAsAfter) {
  constexpr std::size_t kJobs = 5;
  std::array<std::array<int, kJobs>, kJobs> times_before{}, times_at{};
  LaunchOrder order(kJobs);
  for (std::size_t launch = 0; launch < 2 * kJobs; ++launch) {
    const std::vector<std::size_t>& jobs = order.next();
    for (std::size_t i = 0; i < kJobs; ++i) {
      ++times_at[i][jobs[i]];
      for (std::size_t j = i + 1; j < kJobs; ++j) ++times_before[jobs[i]][jobs[j]];
    }
  }
  for (std::size_t i = 0; i < kJobs; ++i)
    for (std::size_t j = 0; j < kJobs; ++j) {
      EXPECT_EQ(times_at[i][j], 2);
      EXPECT_EQ(times_before[i][j], times_before[j][i]) << i << ", " << j;
    }
}

TEST(Campaign, LaunchesJobsInThatOrder) {
  const FakeTree tree;
  const std::string file = tree.root() / "launches";
  const Case what{.call = "barrier", .type = "double", .op = "sum", .bytes = 0};
  const Effort effort{.passes = 4, .launches = 4, .span_s = 0, .case_s = 0, .slice_us = 100};
  run_campaign({{noted("ours", file), noted("one", file), noted("other", file)},
                {what},
                {.ranks = 2, .cpus = {}, .oversubscribed = false},
                effort,
                1 << 20},
               Ticks(false), [](const Case&, double) {});
  std::string launches;
  for (const std::string& line : tests::lines_of(content_of(file))) launches += line + " ";
  const std::string expected =
      "ours one other -other -one -ours "
      "other one ours -ours -one -other "
      "one other ours -ours -other -one "
      "ours other one ";
  EXPECT_EQ(launches.substr(0, expected.size()), expected);
}

}  // namespace
}  // namespace foldlane::bench
