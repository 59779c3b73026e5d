// When a campaign leaves a case to others. It ends sooner than its time only where figures are steady: this
// runs alone.
#include <gtest/gtest.h>

#include <chrono>

#include "bench/machine/ticks.hpp"
#include "bench/measure/campaign.hpp"
#include "support/launched_by.hpp"

namespace foldlane::bench {
namespace {

constexpr int kPasses = 6;

/// How many rounds a case has against the peer in so many seconds, if nothing is ever narrow.
int rounds_against(const Implementation& peer, double seconds, double lost_above) {
  const Effort effort{.passes = kPasses,
                      .span_s = 0,
                      .case_s = seconds,
                      .slice_us = 500,
                      .half_width = 0,
                      .lost_above = lost_above};
  const Case what{.call = "allreduce", .type = "uint8", .op = "max", .bytes = 64 << 10};
  int rounds = 0;
  run_campaign(
      {{launched_by({}), peer}, {what}, {.ranks = 2, .cpus = {}, .oversubscribed = false}, effort, 1 << 20},
      Ticks(false), [&](const Case&, double) { ++rounds; });
  return rounds;
}

TEST(NeverSlowerRun, IsDoneWithACaseThatAllPeersHaveLost) {
  const Implementation slow = launched_by({"/usr/bin/env", "FOLDLANE_DISABLE_ISA=avx512,avx2,sse,neon"});
  constexpr std::chrono::seconds kTime{60};  // a second would do, but for what else the machine does
  const auto start = std::chrono::steady_clock::now();
  EXPECT_GE(rounds_against(slow, kTime.count(), 1.1), kPasses);
  EXPECT_LT(std::chrono::steady_clock::now() - start, kTime / 2);
  constexpr int kMostUntilLost = 2 * kPasses;
  EXPECT_GT(rounds_against(slow, 2, 1e9), kMostUntilLost) << "without being lost it goes on";
}

TEST(NeverSlowerRun, LosesNoTimeToAPeerThatHangsBeforeItFails) {
  const Implementation hanging = launched_by({"/bin/sh", "-c", "sleep 2; exit 1"});
  EXPECT_GT(rounds_against(hanging, 1, 1.1), kPasses);
}

}  // namespace
}  // namespace foldlane::bench
