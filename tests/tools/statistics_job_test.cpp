// `mpiexec --stats`: what the launcher says of jobs of real ranks.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "subprocess.hpp"

namespace foldlane::tests {
namespace {

using Json = nlohmann::json;

constexpr char kRank[] = FOLDLANE_STATISTICS_RANK;

/// The launcher's line among those of the ranks.
Json json_in(const std::string& err) {
  for (const std::string& line : lines_of(err))
    if (line[0] == '{') return Json::parse(line);
  ADD_FAILURE() << "no statistics in: " << err;
  return {};
}

Json statistics_of(const std::string& what, const std::vector<std::string>& options = {"-n", "3"}) {
  std::vector<std::string> command{"--stats=json"};
  command.insert(command.end(), options.begin(), options.end());
  command.insert(command.end(), {kRank, what});
  return json_in(mpiexec(command).err);
}

Json calls_on(const Json& job, const std::string& call, const std::string& communicator) {
  for (const Json& calls : job["calls"])
    if (calls["call"] == call && calls["communicator"] == communicator) return calls;
  ADD_FAILURE() << "no " << call << " on " << communicator << " in " << job;
  return {};
}

/// Every rank made so many of them, and knows when the others were in them.
void expect_calls(const Json& calls, std::size_t ranks, int count, int bytes, const char* way) {
  ASSERT_EQ(calls["ranks"].size(), ranks) << calls;
  for (const Json& rank : calls["ranks"]) {
    EXPECT_EQ(rank["calls"], count) << calls;
    EXPECT_EQ(rank["bytes"], bytes) << calls;
    EXPECT_EQ(rank["compared_calls"], ranks > 1 ? count : 0) << calls;
    EXPECT_EQ(rank["ways"], Json({{way, count}})) << calls;
    EXPECT_GT(rank["seconds_inside"], 0) << calls;
    EXPECT_LE(rank["seconds_waiting"], rank["seconds_inside"]) << calls;
  }
}

TEST(Statistics, NameTheRankThatIsLate) {
  const Json calls = calls_on(statistics_of("late"), "MPI_Allreduce", "MPI_COMM_WORLD");
  const Json& late = calls["ranks"][2];
  EXPECT_EQ(late["compared_calls"], 400);
  EXPECT_GT(late["last_in_calls"], 300);
  EXPECT_GT(late["seconds_others_waited"], 400 * 2 * 0.0005 / 2);
  EXPECT_LT(late["seconds_waiting"], calls["ranks"][0]["seconds_waiting"]);
}

class Formed : public testing::TestWithParam<const char*> {};

TEST_P(Formed, StatisticsTellFormsApart) {
  const Json job = statistics_of("forms", {"-n", "2", GetParam()});
  expect_calls(calls_on(job, "MPI_Allreduce", "MPI_COMM_WORLD"), 2, 3, 24, "inline");
  expect_calls(calls_on(job, "MPI_Iallreduce", "MPI_COMM_WORLD"), 2, 1, 8, "inline");
  expect_calls(calls_on(job, "MPI_Ibarrier", "MPI_COMM_WORLD"), 2, 1, 0, "inline");
  expect_calls(calls_on(job, "MPI_Allreduce_init", "MPI_COMM_WORLD"), 2, 4, 32, "inline");
  EXPECT_EQ(job["calls"].size(), 4u) << job;
}
INSTANTIATE_TEST_SUITE_P(Statistics, Formed, testing::Values("--quiet", "--progress-thread"));

TEST(Statistics, CompareCallsThoughTheirRootRunsAhead) {
  const Json calls = calls_on(statistics_of("bcast", {"-n", "2"}), "MPI_Bcast", "MPI_COMM_WORLD");
  expect_calls(calls, 2, 2000, 16000, "inline");
}

TEST(Statistics, LeaveOutWhatTheProgramDoesMeanwhile) {
  const Json calls = calls_on(statistics_of("compute", {"-n", "2"}), "MPI_Iallreduce", "MPI_COMM_WORLD");
  for (const Json& rank : calls["ranks"]) EXPECT_LT(rank["seconds_inside"], 0.1) << calls;
}

TEST(Statistics, TellCommunicatorsApart) {
  const Json job = statistics_of("communicators", {"-n", "2"});
  expect_calls(calls_on(job, "MPI_Barrier", "grid"), 2, 1, 0, "inline");
  expect_calls(calls_on(job, "MPI_Barrier", "rows"), 2, 1, 0, "inline");
  const Json self = calls_on(job, "MPI_Barrier", "MPI_COMM_SELF");
  EXPECT_EQ(self["members"], 1);
  EXPECT_EQ(self["ranks"].size(), 2u);
  EXPECT_EQ(job["calls"].size(), 4u) << job;
}

TEST(Statistics, KeepTheCallsOnMoreCommunicatorsThanTheyHaveRecordsFor) {
  const Json job = statistics_of("many", {"-n", "2"});
  const Json further = calls_on(job, "MPI_Barrier", "further communicators");
  ASSERT_EQ(further["ranks"].size(), 2u);
  EXPECT_EQ(further["ranks"][0]["calls"], 70 - 63);
  EXPECT_EQ(further["members"], 0);
  EXPECT_EQ(job["calls"].size(), 64u);
}

TEST(Statistics, CountWhatSharedMemorySaves) {
  const Json shared = calls_on(statistics_of("shared", {"-n", "2"}), "MPI_Allreduce", "MPI_COMM_WORLD");
  expect_calls(shared, 2, 5, 5 << 16, "direct");
  EXPECT_EQ(shared["ranks"][0]["direct_bytes"], 5 << 16);
  EXPECT_EQ(shared["ranks"][0]["private_calls"], 0);
  const Json copied = calls_on(statistics_of("private", {"-n", "2"}), "MPI_Allreduce", "MPI_COMM_WORLD");
  expect_calls(copied, 2, 5, 5 << 16, "boxes");
  EXPECT_EQ(copied["ranks"][0]["direct_bytes"], 0);
  EXPECT_EQ(copied["ranks"][0]["private_calls"], 5);
  EXPECT_EQ(copied["ranks"][0]["private_bytes"], 5 << 16);
}

TEST(Statistics, TellHowLongBlocksOfTwoGo) {
  constexpr int bytes = 5 << 16;
  const auto gathers = [](const char* what) {
    return calls_on(statistics_of(what, {"-n", "2"}), "MPI_Gather", "MPI_COMM_WORLD");
  };
  const Json shared = gathers("gather shared"), copied = gathers("gather private");
  expect_calls(shared, 2, 5, bytes, "direct");
  EXPECT_EQ(shared["ranks"][1]["direct_bytes"], bytes);
  expect_calls(copied, 2, 5, bytes, "by messages");
  EXPECT_EQ(copied["ranks"][1]["direct_bytes"], 0);
}

/// Nobody waits for who is no neighbour, so it is not said who was late.
TEST(Statistics, CountCallsAmongNeighbours) {
  const Json calls = calls_on(statistics_of("neighbours"), "MPI_Neighbor_allgather", "line");
  ASSERT_EQ(calls["ranks"].size(), 3u) << calls;
  for (const Json& rank : calls["ranks"]) {
    EXPECT_EQ(rank["calls"], 5) << calls;
    EXPECT_EQ(rank["bytes"], 20) << calls;
    EXPECT_EQ(rank["ways"], Json({{"inline", 5}})) << calls;
    EXPECT_EQ(rank["seconds_waiting"], 0) << calls;
    EXPECT_EQ(rank["last_in_calls"], 0) << calls;
  }
}

TEST(Statistics, CountCallsOnGraphs) {
  const Json job = statistics_of("graph");
  const auto ways_of = [&](const std::string& call) {
    const Json calls = calls_on(job, call, "graph");
    EXPECT_EQ(calls["ranks"].size(), 3u) << calls;
    for (const Json& rank : calls["ranks"]) EXPECT_EQ(rank["ways"], calls["ranks"][0]["ways"]) << calls;
    return calls["ranks"][0]["ways"];
  };
  EXPECT_EQ(ways_of("MPI_Neighbor_alltoall"), Json({{"inline", 5}, {"by messages", 1}}));
  EXPECT_EQ(ways_of("MPI_Neighbor_allgatherv"), Json({{"inline", 5}}));
  EXPECT_EQ(ways_of("MPI_Neighbor_alltoallv"), Json({{"inline", 5}}));
  EXPECT_EQ(ways_of("MPI_Neighbor_alltoallw"), Json({{"one-shot", 6}})) << "but what is long by a message";
}

TEST(Statistics, CountCallsOfSessions) {
  const Json job = statistics_of("session", {"-n", "2"});
  ASSERT_EQ(job["calls"].size(), 1u) << job;
  expect_calls(job["calls"][0], 2, 1, 0, "inline");
  EXPECT_EQ(job["absent"], Json::array());
}

class BadEnd : public testing::TestWithParam<const char*> {};

TEST_P(BadEnd, LeavesTheStatistics) {
  const Json calls = calls_on(statistics_of(GetParam()), "MPI_Barrier", "MPI_COMM_WORLD");
  ASSERT_EQ(calls["ranks"].size(), 3u) << "the rank that ended is one of them";
  for (const Json& rank : calls["ranks"]) {
    EXPECT_EQ(rank["calls"], 20) << calls;
    EXPECT_EQ(rank["compared_calls"], 20) << calls;
  }
}
INSTANTIATE_TEST_SUITE_P(Statistics, BadEnd, testing::Values("die", "abort"));

TEST(Statistics, SayWhyThereAreNone) {
  EXPECT_NE(mpiexec({"--stats", "-n", "2", "true"}).err.find("no rank has called MPI_Init"),
            std::string::npos);
  EXPECT_NE(mpiexec({"--stats", "-n", "2", kRank}).err.find("no collective call"), std::string::npos);
  EXPECT_EQ(mpiexec({"-n", "2", kRank, "forms"}).err, "") << "they were not asked for";
}

TEST(Statistics, AreTextUnlessJsonIsAskedFor) {
  const CommandResult result = mpiexec({"--stats", "-n", "2", kRank, "forms"});
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(result.err.rfind("foldlane: statistics of 2 ranks in ", 0), 0u) << result.err;
  EXPECT_NE(result.err.find("\nMPI_Allreduce on MPI_COMM_WORLD (2 ranks): "), std::string::npos)
      << result.err;
}

TEST(Statistics, GoToAFile) {
  const auto path =
      std::filesystem::temp_directory_path() / ("foldlane_statistics_" + std::to_string(::getpid()));
  const CommandResult result = mpiexec({"--stats=json:" + path.string(), "-n", "2", kRank, "forms"});
  std::ifstream file(path);
  EXPECT_EQ(Json::parse(file)["ranks"], 2);
  std::filesystem::remove(path);
  EXPECT_EQ(result.err, "");
}

TEST(Statistics, RefuseWhatTheyCannotDo) {
  const CommandResult nowhere = mpiexec({"--stats=json:/nowhere/file", "-n", "1", kRank, "forms"});
  EXPECT_EQ(nowhere.code, 1);
  EXPECT_EQ(nowhere.err, "foldlane: --stats: cannot write the file /nowhere/file\n");
  const CommandResult unknown = mpiexec({"--stats=xml", "-n", "1", kRank});
  EXPECT_EQ(unknown.code, 2);
  EXPECT_EQ(unknown.err, "foldlane: --stats=xml is none of --stats, --stats=json, --stats=json:FILE\n");
}

}  // namespace
}  // namespace foldlane::tests
