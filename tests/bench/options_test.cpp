// The command line of `foldlane bench`: defaults, what each option changes, complaints that name the mistake.
#include "bench/options.hpp"

#include <gtest/gtest.h>

namespace foldlane::bench {
namespace {

using Words = std::vector<std::string>;
using Peers = std::vector<PeerRequest>;

Options parsed(const Words& arguments) {
  const ParsedOptions result = parse_options(arguments);
  EXPECT_TRUE(result.options) << result.text;
  return result.options.value_or(Options{});
}

TEST(BenchOptions, HaveDefaults) {
  const Options options = parsed({});
  EXPECT_EQ(options.calls, Words{"allreduce"});
  EXPECT_EQ(options.ranks, std::vector<int>{2});
  EXPECT_EQ(options.sizes.front(), 8u);
  EXPECT_EQ(options.sizes[1], 32u);
  EXPECT_EQ(options.sizes.back(), 32u << 20);  // the last of the powers of four up to 64 MiB
  EXPECT_EQ(options.buffers, std::vector{Buffers::hot});
  EXPECT_EQ(options.common, Case{});
  EXPECT_EQ(options.roots, std::vector{0});
  EXPECT_TRUE(options.bound);
  EXPECT_TRUE(options.effort.verified);
  EXPECT_TRUE(options.peers.empty());
  EXPECT_FALSE(options.baseline);
  EXPECT_FALSE(options.osu);
}

TEST(BenchOptions, TakeWhatIsMeasured) {
  const Options options =
      parsed({"scan",   "bcast", "-n",         "2,4,8",       "-b",           "16",        "-e",
              "1K",     "-f",    "8",          "--type",      "float",        "--op",      "max",
              "--root", "1,0",   "--in-place", "--unaligned", "--huge-pages", "--buffers", "rotating,fresh"});
  EXPECT_EQ(options.calls, (Words{"scan", "bcast"}));
  EXPECT_EQ(options.ranks, (std::vector{2, 4, 8}));
  EXPECT_EQ(options.sizes, (std::vector<std::uint64_t>{16, 128, 1024}));
  EXPECT_EQ(options.buffers, (std::vector{Buffers::rotating, Buffers::fresh}));
  EXPECT_EQ(options.roots, (std::vector{1, 0}));
  EXPECT_EQ(request_of(options, 4).roots, options.roots);
  EXPECT_EQ(options.common, (Case{.call = "",
                                  .type = "float",
                                  .op = "max",
                                  .in_place = true,
                                  .unaligned = true,
                                  .huge_pages = true}));
}

TEST(BenchOptions, TakeHowItIsMeasured) {
  const Options options = parsed({"--unbound", "--no-verify", "--seconds", "0.5", "-q"});
  EXPECT_FALSE(options.bound);
  EXPECT_FALSE(options.effort.verified);
  EXPECT_EQ(options.effort.case_s, 0.5);
  EXPECT_TRUE(options.quiet);
  EXPECT_EQ(options.common.timing, Timing::stamped);
  EXPECT_EQ(parsed({"--osu"}).common.timing, Timing::back_to_back);
  EXPECT_TRUE(parsed({"--osu"}).osu);
}

TEST(BenchOptions, TakeFilesToWrite) {
  const Options options =
      parsed({"--json", "a", "--csv", "b", "--md", "c", "--html", "d", "--svg", "-", "--compare", "e", "f"});
  EXPECT_EQ((Words{options.json, options.csv, options.markdown, options.html, options.svg}),
            (Words{"a", "b", "c", "d", "-"}));
  EXPECT_EQ(options.to_compare, (Words{"e", "f"}));
}

TEST(BenchOptions, MayComeBeforeTheCall) {
  EXPECT_EQ(parsed({"-n", "2", "scan"}).calls, Words{"scan"});
  EXPECT_EQ(parsed({"--buffers", "fresh", "scan"}).calls, Words{"scan"});
  EXPECT_EQ(parsed({"--vs", "openmpi", "scan"}).calls, Words{"scan"});
}

TEST(BenchOptions, NameSuites) {
  const Options quick = parsed({"--suite", "quick"});
  EXPECT_EQ(quick.calls, (Words{"allreduce", "reduce", "reduce_scatter_block", "bcast", "barrier",
                                "allgather", "alltoall"}));
  EXPECT_EQ(quick.sizes, (std::vector<std::uint64_t>{8, 4096, 65536, 1 << 20, 16 << 20}));
  const Options full = parsed({"--suite", "full", "--no-verify"});
  Words calls = known_collectives();
  calls.insert(calls.end(), {"reduce_local", "fold"});
  for (const std::string& call : quick.calls) calls.push_back("i" + call);
  for (const std::string& call : quick.calls) calls.push_back(call + "_init");
  EXPECT_EQ(full.calls, calls);
  EXPECT_EQ(full.sizes, parsed({}).sizes);
  EXPECT_EQ(full.buffers, (std::vector{Buffers::hot, Buffers::rotating}));
  EXPECT_FALSE(full.effort.verified);
  EXPECT_LT(full.effort.half_width, quick.effort.half_width);
}

TEST(BenchOptions, WinOverTheSuite) {
  const Options options =
      parsed({"scan", "--suite", "full", "-b", "8", "-e", "8", "--buffers", "fresh", "--seconds", "2"});
  EXPECT_EQ(options.calls, Words{"scan"});
  EXPECT_EQ(options.sizes, (std::vector<std::uint64_t>{8}));
  EXPECT_EQ(options.buffers, std::vector{Buffers::fresh});
  EXPECT_EQ(options.effort.case_s, 2);
}

TEST(BenchOptions, ScaleOverRanks) {
  const Options options = parsed({"--scale"});
  EXPECT_EQ(options.ranks, (std::vector{1, 2, 4, 8, 16}));
  EXPECT_EQ(options.sizes, (std::vector<std::uint64_t>{8, 4096, 1 << 20}));
  EXPECT_EQ(options.common.timing, Timing::back_to_back);
  EXPECT_EQ(parsed({"--scale", "-n", "3"}).ranks, std::vector<int>{3});
}

TEST(BenchOptions, TakeThreads) {
  EXPECT_EQ(parsed({}).threads, std::vector{0});
  EXPECT_EQ(parsed({"--threads", "1", "scan"}).threads, std::vector{1});
  EXPECT_EQ(parsed({"stream", "--threads", "1,2,4"}).threads, (std::vector{1, 2, 4}));
  EXPECT_EQ(request_of(parsed({"stream", "--threads", "4"}), 2).threads, std::vector{4});
}

TEST(BenchOptions, Overlap) {
  const Options options = parsed({"--overlap"});
  EXPECT_TRUE(options.overlap);
  EXPECT_EQ(options.calls, Words{"iallreduce"});
  EXPECT_EQ(options.sizes, (std::vector<std::uint64_t>{64 << 10, 1 << 20, 8 << 20}));
  EXPECT_EQ(parsed({"--overlap", "bcast_init", "-b", "8", "-e", "8"}).sizes, (std::vector<std::uint64_t>{8}));
}

TEST(BenchOptions, StartLargeSweepsWhereTheyAreTold) {
  EXPECT_EQ(parsed({"-b", "128M"}).sizes, (std::vector<std::uint64_t>{128 << 20}));
}

TEST(BenchOptions, EndBlocksWhereAllOfThemFitUnlessToldOtherwise) {
  const auto last_block = [](const Words& arguments) {
    return cases_for(request_of(parsed(arguments), 2)).back().bytes;
  };
  EXPECT_EQ(last_block({"alltoall"}), 4u << 20);
  EXPECT_EQ(last_block({"alltoall", "--suite", "quick"}), 4u << 20);
  EXPECT_EQ(last_block({"alltoall", "-b", "16M"}), 16u << 20);
  EXPECT_EQ(last_block({"alltoall", "-e", "64M", "-b", "64M"}), 64u << 20);
  EXPECT_EQ(last_block({"neighbor_alltoall"}), 4u << 20);
  EXPECT_EQ(last_block({"allreduce"}), 32u << 20);
}

TEST(BenchOptions, SplitPeersAtCommas) {
  EXPECT_EQ(parsed({"--vs", "openmpi,mpich"}).peers, (Peers{{"openmpi", {}}, {"mpich", {}}}));
  EXPECT_EQ(parsed({"--vs", "openmpi", "--vs", "/opt/mpi"}).peers,
            (Peers{{"openmpi", {}}, {"/opt/mpi", {}}}));
}

TEST(BenchOptions, KeepAPeerWithItsOptionsWhole) {
  EXPECT_EQ(parsed({"--under", "mpich"}).peers, (Peers{{"mpich", {}}, {"mpich", {}, true}}));
  EXPECT_EQ(parsed({"--under", "mpich"}).sizes.back(), 16u << 20);
  EXPECT_EQ(parsed({"--vs", "openmpi --mca btl ^vader,x"}).peers,
            (Peers{{"openmpi", {"--mca", "btl", "^vader,x"}}}));
}

TEST(BenchOptions, TellABaselineFromAPeer) {
  for (const Words& versus : {Words{"--vs", "openmpi", "--vs", "old.json"}, Words{"--vs", "openmpi,old.json"},
                              Words{"--vs", "old.json,openmpi"}}) {
    const Options options = parsed(versus);
    EXPECT_EQ(options.baseline, "old.json") << versus[1];
    EXPECT_EQ(options.peers, (Peers{{"openmpi", {}}})) << versus[1];
  }
}

TEST(BenchOptions, PrintHelp) {
  const ParsedOptions help = parse_options({"--help"});
  EXPECT_FALSE(help.options);
  EXPECT_EQ(help.exit_code, 0);
  for (const char* word : {"--vs", "--html", "reduce_scatter_block", "Exit code"})
    EXPECT_NE(help.text.find(word), std::string::npos) << word;
}

struct Mistake {
  Words arguments;
  const char* named;
};

class BenchMistake : public testing::TestWithParam<Mistake> {};

TEST_P(BenchMistake, IsNamedWithCode2) {
  const ParsedOptions result = parse_options(GetParam().arguments);
  EXPECT_FALSE(result.options);
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_NE(result.text.find(GetParam().named), std::string::npos) << result.text;
}
INSTANTIATE_TEST_SUITE_P(
    Bench, BenchMistake,
    testing::Values(
        Mistake{{"--no-such-option"}, "--no-such-option"}, Mistake{{"gathered"}, "'gathered'"},
        Mistake{{"-n", "two"}, "two"}, Mistake{{"-n", "0"}, "0 ranks"}, Mistake{{"-n", "2,-1"}, "-1 ranks"},
        Mistake{{"-n", "257"}, "257 ranks"}, Mistake{{"-b", "8x"}, "'8x'"},
        Mistake{{"-b", "0"}, "at least 1 byte"}, Mistake{{"-b", "8", "-e", "4"}, "upwards"},
        Mistake{{"-f", "1"}, "factor"}, Mistake{{"--type", "quad"}, "'quad'"},
        Mistake{{"--op", "avg"}, "'avg'"}, Mistake{{"--op", "band"}, "band is not defined for double"},
        Mistake{{"bcast", "-n", "2,4", "--root", "2"}, "root 2 is none of 2 ranks"},
        Mistake{{"bcast", "--root", "0,2"}, "root 2 is none of 2 ranks"},
        Mistake{{"bcast", "--root", "1,0,1"}, "root 1 is named twice"},
        Mistake{{"bcast", "--root", "last"}, "--root = last"},
        Mistake{{"--overlap", "allreduce"}, "beside allreduce"}, Mistake{{"--overlap", "--osu"}, "--osu"},
        Mistake{{"--buffers", "cold"}, "'cold'"}, Mistake{{"--vs", "lam"}, "neither openmpi nor mpich"},
        Mistake{{"--suite", "p2p", "--under", "mpich"}, "--under goes without"},
        Mistake{{"--suite", "slow"}, "slow"},
        Mistake{{"--suite", "never-slower", "-n", "1"}, "name 2 ranks or more"},
        Mistake{{"--suite", "never-slower", "-n", "2,1,8"}, "name 2 ranks or more"},
        Mistake{{"--suite", "p2p", "-n", "1"}, "name 2 ranks or more"},
        Mistake{{"--threads", "0"}, "--threads"}, Mistake{{"pingpong", "--threads", "65"}, "65 threads"},
        Mistake{{"pingpong", "incast", "--threads", "1,2"}, "--threads 2: incast is measured with one"},
        Mistake{{"pingpong", "-n", "2,3"}, "3 leave one alone"}, Mistake{{"--seconds", "0"}, "--seconds"},
        Mistake{{"--seconds", "-1"}, "--seconds"}, Mistake{{"--compare", "a.json"}, "--compare"},
        Mistake{{"--json"}, "--json"}, Mistake{{"-e", "999999999G"}, "more elements"}));

}  // namespace
}  // namespace foldlane::bench
