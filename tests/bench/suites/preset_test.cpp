// What the suites for users measure: which cases, against whom, with what effort.
#include "bench/suites/preset.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "bench/options.hpp"
#include "bench/report/call_traits.hpp"
#include "bench/report/pattern.hpp"
#include "bench/suite.hpp"
#include "bench/suites/estimate.hpp"

namespace foldlane::bench {
namespace {

using Words = std::vector<std::string>;

Options parsed(const Words& arguments) {
  const ParsedOptions result = parse_options(arguments);
  EXPECT_TRUE(result.options) << result.text;
  return result.options.value_or(Options{});
}

std::vector<Case> cases_of(const Options& options) {
  std::vector<Case> all;
  for (const int ranks : options.ranks) {
    const std::vector<Case> cases = cases_for(request_of(options, ranks));
    all.insert(all.end(), cases.begin(), cases.end());
  }
  return all;
}

const Words kNeverSlower{"--suite", "never-slower"};

TEST(NeverSlowerSuite, IsOfEveryBlockingCollectiveOfEverySizeWithBothBuffersOnTwoAndEightRanks) {
  const std::vector<Case> cases = cases_of(parsed(kNeverSlower));
  const Words calls = known_collectives();
  constexpr std::size_t kSizes = 9, kSizesOfBlocks = 8;
  EXPECT_EQ(cases.size(), 2 * (2 * (7 * kSizes + 9 * kSizesOfBlocks) + 1));
  for (const int ranks : {2, 8}) {
    for (const std::string& call : calls) {
      for (const Buffers buffers : {Buffers::hot, Buffers::rotating}) {
        const std::uint64_t last = std::uint64_t{moves_blocks(call) ? 4U : 64U} << 20;
        for (const std::uint64_t bytes : {std::uint64_t{64}, last}) {
          Case what{.call = call, .bytes = bytes, .ranks = ranks, .buffers = buffers};
          if (call == "barrier") what = {.call = call, .ranks = ranks};
          // The smallest size of all, 8 B, is not whole elements for each of eight ranks.
          const bool there = std::find(cases.begin(), cases.end(), what) != cases.end();
          EXPECT_TRUE(there || bytes == 64) << call << ' ' << bytes << ' ' << ranks;
        }
      }
    }
  }
  EXPECT_EQ(std::count_if(cases.begin(), cases.end(), [](const Case& one) { return one.bytes == 8; }),
            2 * 2 * (7 + 9) - 4 - 4);
}

TEST(NeverSlowerSuite, IsAgainstEveryPeerInEveryConfiguration) {
  const auto peers = parsed(kNeverSlower).peers;
  ASSERT_EQ(peers.size(), 4u);
  EXPECT_EQ(peers[0], (PeerRequest{"openmpi", {}}));
  EXPECT_EQ(peers[1], (PeerRequest{"openmpi", {"--mca", "btl_vader_single_copy_mechanism", "none"}}));
  EXPECT_EQ(peers[2], (PeerRequest{"mpich", {}}));
  EXPECT_EQ(peers[3].name, "mpich");
  const Words& settings = peers[3].options;
  for (const char* call : {"BCAST", "REDUCE", "ALLREDUCE", "BARRIER"}) {
    const auto setting = std::find(settings.begin(), settings.end(),
                                   "MPIR_CVAR_" + std::string(call) + "_POSIX_INTRA_ALGORITHM");
    ASSERT_NE(setting, settings.end()) << call;
    EXPECT_EQ(setting[-1], "-genv");
    EXPECT_EQ(setting[1], "release_gather");
  }
}

TEST(NeverSlowerSuite, LaunchesFiveTimesAndDecidesWithinThreePercent) {
  const Effort effort = parsed(kNeverSlower).effort;
  EXPECT_GE(effort.launches, 5);
  EXPECT_LE(effort.launches, effort.passes);
  EXPECT_LE(2 * effort.half_width, 0.03);
}

TEST(NeverSlowerSuite, FitsIntoAnHourAndAHalfOnTwoCpus) {
  const Options options = parsed(kNeverSlower);
  double seconds = 0;
  for (const int ranks : options.ranks)
    seconds += demand_of(cases_for(request_of(options, ranks)), 1 + options.peers.size(), options.effort, 2,
                         32 << 20)
                   .seconds;
  EXPECT_LE(seconds, 90 * 60);
}

TEST(NeverSlowerSuite, IsNarrowedByTheCommandLine) {
  const Options options = parsed({"--suite", "never-slower", "bcast", "scan", "-n", "2", "-b", "8", "-e",
                                  "4K", "-f", "512", "--vs", "mpich"});
  EXPECT_EQ(options.calls, (Words{"bcast", "scan"}));
  EXPECT_EQ(options.ranks, std::vector<int>{2});
  EXPECT_EQ(options.sizes, (std::vector<std::uint64_t>{8, 4096}));
  EXPECT_EQ(options.peers, (std::vector<PeerRequest>{{"mpich", {}}}));
  EXPECT_EQ(parsed({"--suite", "never-slower", "-f", "8388608"}).sizes,
            (std::vector<std::uint64_t>{8, 64 << 20}));
}

TEST(P2pSuite, IsOfAllPatternsUpTo64MiBWithBothBuffersOnTwoRanks) {
  const Options options = parsed({"--suite", "p2p"});
  EXPECT_EQ(options.calls, known_patterns());
  EXPECT_EQ(options.sizes.front(), 8u);
  EXPECT_EQ(options.sizes.back(), 64u << 20);
  EXPECT_EQ(options.buffers, (std::vector{Buffers::hot, Buffers::rotating}));
  EXPECT_EQ(options.ranks, std::vector<int>{2});
}

TEST(P2pSuite, IsAgainstOpenMpiWithAndWithoutCmaAndMpich) {
  const Words without_cma{"--mca", "btl_vader_single_copy_mechanism", "none"};
  EXPECT_EQ(parsed({"--suite", "p2p"}).peers,
            (std::vector<PeerRequest>{{"openmpi", {}}, {"openmpi", without_cma}, {"mpich", {}}}));
}

TEST(P2pSuite, FitsIntoTwentyMinutesOnTwoCpus) {
  const Options options = parsed({"--suite", "p2p"});
  const Demand demand = demand_of(cases_for(request_of(options, 2)), 4, options.effort, 2, 32 << 20);
  EXPECT_LE(demand.seconds, 20 * 60);
}

TEST(ReportSuite, HasAllCallsAtAFewSizesAndWritesAFile) {
  const Options options = parsed({"--suite", "report"});
  Words calls = known_collectives();
  calls.insert(calls.end(), {"reduce_local", "fold"});
  EXPECT_EQ(options.calls, calls);
  EXPECT_EQ(options.sizes, (std::vector<std::uint64_t>{8, 4096, 65536, 1 << 20, 8 << 20}));
  EXPECT_EQ(options.json, "foldlane-report.json");
  EXPECT_EQ(parsed({"--suite", "report", "--json", "a.json"}).json, "a.json");
  EXPECT_EQ(options.peers, parsed(kNeverSlower).peers);
}

TEST(ReportSuite, GoesUpToAllCpus) {
  using Ranks = std::vector<int>;
  EXPECT_EQ(preset_of(Suite::report, 1).ranks, (Ranks{2}));
  EXPECT_EQ(preset_of(Suite::report, 2).ranks, (Ranks{2}));
  EXPECT_EQ(preset_of(Suite::report, 8).ranks, (Ranks{2, 4, 8}));
  EXPECT_EQ(preset_of(Suite::report, 48).ranks, (Ranks{2, 4, 8, 16, 32, 48}));
  EXPECT_EQ(preset_of(Suite::report, 1000).ranks.back(), 256);
}

TEST(ReportSuite, TakesTenMinutesWithAnyNumberOfRanks) {
  for (const char* ranks : {"2", "2,4", "2,4,8,16"}) {
    const Options options = parsed({"--suite", "report", "-n", ranks});
    EXPECT_NEAR(options.effort.span_s * static_cast<double>(options.ranks.size()), 600, 60) << ranks;
    EXPECT_EQ(options.effort.case_s, 0) << ranks;  // nothing after that
  }
}

}  // namespace
}  // namespace foldlane::bench
