// When a campaign leaves a case to others. It ends sooner than its time only where figures are steady: this
// runs alone.
#include <gtest/gtest.h>

#include <filesystem>

#include "bench/machine/ticks.hpp"
#include "bench/measure/campaign.hpp"

namespace foldlane::bench {
namespace {

/// How many rounds a case has against a peer that is several times slower, if nothing is ever narrow.
int rounds_against_a_slow_one(double lost_above) {
  const Implementation ours{
      .name = "foldlane",
      .version = "",
      .options = "",
      .launch = {FOLDLANE_BIN "/foldlane", "run", "--quiet", "--bind-to", "none"},
      .probe = std::filesystem::path(FOLDLANE_BIN).parent_path() / "libexec/foldlane/bench-probe"};
  Implementation slow = ours;
  slow.launch.insert(slow.launch.begin(), {"/usr/bin/env", "FOLDLANE_DISABLE_ISA=avx512,avx2,sse,neon"});
  const Effort effort{
      .passes = 6, .span_s = 0, .case_s = 3, .slice_us = 500, .half_width = 0, .lost_above = lost_above};
  const Case what{.call = "allreduce", .type = "uint8", .op = "max", .bytes = 64 << 10};
  int rounds = 0;
  run_campaign({{ours, slow}, {what}, {.ranks = 2, .cpus = {}, .oversubscribed = false}, effort, 1 << 20},
               Ticks(false), [&](const Case&, double) { ++rounds; });
  return rounds;
}

TEST(NeverSlowerRun, IsDoneWithACaseThatAllPeersHaveLost) {
  const int until_lost = rounds_against_a_slow_one(1.1);
  EXPECT_GE(until_lost, 6);
  EXPECT_LT(until_lost, rounds_against_a_slow_one(1e9));  // until the time is over
}

}  // namespace
}  // namespace foldlane::bench
