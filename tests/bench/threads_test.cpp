// Threads of each rank at once, and MPI_THREAD_MULTIPLE of all that has one.
#include <gtest/gtest.h>

#include <map>

#include "bench/report/pattern.hpp"
#include "bench/suite.hpp"
#include "support/bench_run.hpp"
#include "support/fake_peer.hpp"

namespace foldlane::bench {
namespace {

using nlohmann::json;

/// The cases of a run, all verified, by their number of threads.
std::map<int, int> verified_cases(Words arguments) {
  arguments.insert(arguments.end(), {"--json", "-"});
  const auto result = bench(arguments);
  EXPECT_EQ(result.code, 0) << result.err;
  std::map<int, int> found;
  const json cases = report_of(result).at("cases");
  for (const json& entry : cases) {
    const json figure = figure_of(entry, "foldlane");
    EXPECT_EQ(figure.at("check").at("done"), entry.at("what").at("call") != "barrier") << entry.dump();
    EXPECT_EQ(figure.at("check").at("wrong_elements"), 0) << entry.dump();
    EXPECT_GT(figure.at("time").at("value"), 0) << entry.dump();
    ++found[entry.at("what").at("threads")];
  }
  return found;
}

/// Where one thread did the work of another, or in its part of the buffer, there would be wrong elements.
TEST(BenchThreads, HaveMessagesThatAreVerified) {
  EXPECT_EQ(verified_cases({"pingpong", "stream", "--threads", "1,2,3", "-b", "24", "-e", "768K", "-f",
                            "32768", "--buffers", "hot,rotating,fresh"}),
            (std::map<int, int>{{1, 12}, {2, 12}, {3, 12}}));
}

TEST(BenchThreads, MayBelongToSeveralPairsOfRanks) {
  EXPECT_EQ(verified_cases({"pingpong", "stream", "--threads", "2", "-n", "4", "-b", "8", "-e", "8"}),
            (std::map<int, int>{{2, 2}}));
}

/// The kernels by themselves know no MPI.
TEST(BenchThreads, OfOtherCallsAreOneEach) {
  Words arguments = known_calls();
  arguments.insert(arguments.end(),
                   {"iallreduce", "bcast_init", "--threads", "1", "-n", "2", "-b", "8", "-e", "8"});
  const int others = static_cast<int>(known_calls().size()) + 1;
  EXPECT_EQ(verified_cases(arguments), (std::map<int, int>{{0, 1}, {1, others}}));
}

#ifndef FOLDLANE_SANITIZED
TEST(BenchThreads, OfAPeerThatHasNoSuchLevelAreNotMeasured) {
  const FakePeer peer("echo HYDRA; echo Version: 4.2.1",
                      "sed -i s/MPI_THREAD_MULTIPLE,/MPI_THREAD_SERIALIZED,/ $(dirname \"$5\")/probe.c; "
                      "exec " FOLDLANE_BIN "/mpicc \"$@\"",
                      "exec " FOLDLANE_BIN "/mpiexec \"$@\"");
  const Words run{"pingpong", "-b", "8", "-e", "8", "--vs", peer.path(), "--json", "-"};
  EXPECT_EQ(bench(run).err, "");
  Words threads = run;
  threads.insert(threads.end(), {"--threads", "2"});
  const auto result = bench(threads);
  EXPECT_NE(result.err.find(peer.path()), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("this MPI has no MPI_THREAD_MULTIPLE"), std::string::npos) << result.err;
  EXPECT_EQ(report_of(result).at("cases")[0].at("figures").size(), 1u);
}
#endif

TEST(BenchThreads, ShowTheRateOfAll) {
  const auto result = bench({"pingpong", "--threads", "1,2", "-b", "8", "-e", "8"});
  EXPECT_NE(result.out.find("2 ranks, MPI_THREAD_MULTIPLE"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("2 ranks, 2 threads each, rates of all"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find(" M/s"), std::string::npos) << result.out;
}

}  // namespace
}  // namespace foldlane::bench
