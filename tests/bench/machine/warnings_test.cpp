// What is said about runs beside others, on too few CPUs, on virtual machines.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "bench/machine/machine.hpp"
#include "support/fake_tree.hpp"

namespace foldlane::bench {
namespace {

using ::testing::Test;

/// Two CPUs and ten seconds; ticks are hundredths of a second.
class Warnings : public Test {
 protected:
  struct Busy {
    std::uint64_t first;
    std::uint64_t second;
  };

  Surroundings reading(Busy busy, Busy stolen = {0, 0}) const {
    tree.write("proc/stat",
               fmt::format("cpu  0 0 0 0\ncpu0 {} 0 0 500 0 0 0 {} 0 0\ncpu1 {} 0 0 500 0 0 0 {} 0 0\n",
                           7000 + busy.first, 50 + stolen.first, 9000 + busy.second, 60 + stolen.second));
    return read_surroundings(tree.root());
  }

  std::vector<std::string> judged(const Surroundings& after) const {
    return warnings(reading({0, 0}), after, run);
  }

  FakeTree tree;
  Circumstances run{.ranks = 2, .usable_cpus = 2, .bound = true, .own_cpu_seconds = 20, .wall_seconds = 10};
};

TEST_F(Warnings, NoneOnAnIdleMachine) {
  EXPECT_EQ(judged(reading({1000, 1000})), std::vector<std::string>{});
}

TEST_F(Warnings, TellThatTheDistanceOfTheCpusChanged) {
  run.shortest_handoff = 0.06;
  run.longest_handoff = 0.11;
  EXPECT_EQ(judged(reading({1000, 1000})), std::vector<std::string>{});
  run.longest_handoff = 0.25;
  const std::vector<std::string> found = judged(reading({1000, 1000}));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_NE(found[0].find("handoff between 60 and 250 ns"), std::string::npos) << found[0];
}

TEST_F(Warnings, NoneIfTheRanksThemselvesSlept) {
  run.own_cpu_seconds = 3;
  EXPECT_EQ(judged(reading({150, 150})), std::vector<std::string>{});
}

TEST_F(Warnings, AHogOnAnIdleCpu) {
  run.own_cpu_seconds = 10;
  EXPECT_EQ(
      judged(reading({1000, 740})),
      std::vector<std::string>{"Other processes used 37 % of the CPUs under test during the run: the "
                               "figures cannot be trusted. Stop them, or measure again when the machine "
                               "is idle."});
}

TEST_F(Warnings, AHogThatTakesTimeFromARank) {
  run.own_cpu_seconds = 15;
  const auto found = judged(reading({1000, 1000}));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_TRUE(found[0].starts_with("Other processes used 25 % of"));
}

TEST_F(Warnings, FivePercentAreTolerated) {
  run.own_cpu_seconds = 10;
  EXPECT_TRUE(judged(reading({550, 549})).empty());
  EXPECT_EQ(judged(reading({551, 551})).size(), 1U);
}

TEST_F(Warnings, OnlyTheCpusUnderTestCount) {
  run.own_cpu_seconds = 10;
  run.cpus = {0};
  EXPECT_TRUE(judged(reading({1000, 1000})).empty());
  run.cpus = {1};
  run.own_cpu_seconds = 5;
  const auto found = judged(reading({0, 1000}));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_TRUE(found[0].starts_with("Other processes used 50 % of"));
}

TEST_F(Warnings, RoundingOfTicksIsNoHog) {
  run.wall_seconds = 0.1;
  run.own_cpu_seconds = 0.2;
  EXPECT_TRUE(judged(reading({13, 12})).empty());
  EXPECT_EQ(judged(reading({14, 14})).size(), 1U);
}

TEST_F(Warnings, StealAboveOnePercent) {
  EXPECT_TRUE(judged(reading({1000, 1000}, {10, 9})).empty());
  const auto found = judged(reading({1000, 1000}, {30, 0}));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_TRUE(found[0].starts_with("The host of this virtual machine gave 1.5 % of the time")) << found[0];
}

TEST_F(Warnings, MoreThreadsThanCpus) {
  run.threads = 2;
  const std::vector<std::string> found = judged(reading({1000, 1000}));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_TRUE(found[0].starts_with("2 threads of each of 2 ranks shared 2 usable CPUs")) << found[0];
  run.usable_cpus = 4;
  EXPECT_EQ(judged(reading({1000, 1000})), std::vector<std::string>{});
}

TEST_F(Warnings, MoreRanksThanCpus) {
  run.ranks = 5;
  run.bound = false;
  EXPECT_EQ(
      judged(reading({1000, 1000})),
      std::vector<std::string>{"5 ranks shared 2 usable CPUs: the figures measure the scheduler as much "
                               "as the calls. Use at most 2 ranks, unless this is what you want to "
                               "know."});
}

TEST_F(Warnings, RanksThatAreNotBound) {
  run.bound = false;
  const auto found = judged(reading({1000, 1000}));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_TRUE(found[0].starts_with("The ranks were not bound to CPUs")) << found[0];
}

TEST_F(Warnings, AGovernorThatChangesClockRates) {
  tree.write("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "performance\n");
  tree.write("sys/devices/system/cpu/cpu1/cpufreq/scaling_governor", "powersave\n");
  const auto found = judged(reading({1000, 1000}));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_TRUE(found[0].starts_with("The frequency governor of CPU 1 is \"powersave\"")) << found[0];
  run.cpus = {0};
  run.own_cpu_seconds = 10;
  EXPECT_TRUE(judged(reading({1000, 1000})).empty());
}

TEST_F(Warnings, AVirtualMachineIsNamedLast) {
  tree.write("proc/cpuinfo", "flags : hypervisor\n");
  tree.write("sys/hypervisor/type", "xen\n");
  run.bound = false;
  const auto found = judged(reading({1000, 1000}));
  ASSERT_EQ(found.size(), 2U);
  EXPECT_TRUE(found[1].starts_with("This is a virtual machine (xen)")) << found[1];
}

TEST_F(Warnings, WithoutProcStatNothingIsClaimed) {
  EXPECT_TRUE(warnings(Surroundings{}, Surroundings{}, run).empty());
}

}  // namespace
}  // namespace foldlane::bench
