// Failures of MPI jobs: whatever happens to one rank, the job is over soon, the culprit is named, nobody
// remains.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <regex>

#include "subprocess.hpp"

namespace foldlane::tests {
namespace {

constexpr char kRank[] = FOLDLANE_MPI_RANK;

std::vector<pid_t> pids_in(const std::string& text) {
  std::vector<pid_t> pids;
  for (const std::string& line : lines_of(text)) {
    if (std::isdigit(line[0])) pids.push_back(static_cast<pid_t>(std::stol(line)));
  }
  return pids;
}

/// The lines that name a process, which only the launcher writes; ranks may explain themselves as well.
std::vector<std::string> verdicts(const CommandResult& result) {
  std::vector<std::string> found;
  for (const std::string& line : lines_of(result.err)) {
    if (line.rfind("foldlane: ", 0) == 0 && line.find(", pid ") != std::string::npos) found.push_back(line);
  }
  return found;
}

struct Misbehaviour {
  const char* what;
  int code;
  const char* line;  // regular expression for what is said about rank 1
};

class RankMisbehaves : public testing::TestWithParam<Misbehaviour> {};

TEST_P(RankMisbehaves, EndsTheJobAndIsNamed) {
  Subprocess job(mpiexec_command({"-n", "4", kRank, GetParam().what}));
  const CommandResult result = job.wait();
  EXPECT_EQ(result.code, GetParam().code) << result.err;
  const auto lines = verdicts(result);
  ASSERT_EQ(lines.size(), 1u) << result.err;
  const std::string start = "foldlane: rank 1 \\(.*mpi_rank, pid [0-9]+\\) ";
  EXPECT_TRUE(std::regex_match(lines[0], std::regex(start + GetParam().line))) << lines[0];
  const auto pids = pids_in(result.out);
  EXPECT_EQ(pids.size(), 4u) << result.out;
  for (const pid_t pid : pids) EXPECT_FALSE(alive(pid));
  EXPECT_EQ(result.out.find("joined"), std::string::npos) << "MPI_Init waits for all ranks";
}

INSTANTIATE_TEST_SUITE_P(
    Failure, RankMisbehaves,
    testing::Values(
        Misbehaviour{"abort", 17, "aborted the job with code 17; .*"},
        Misbehaviour{"abort-zero", 1, "aborted the job with code 0; .*"},
        Misbehaviour{"leave", 1, "ended without calling MPI_Finalize; the other 3 ranks were ended"},
        Misbehaviour{"exit", 6, "ended with exit code 6 before MPI_Finalize; the other 3 ranks were ended"},
        Misbehaviour{"crash", 139,
                     "was killed by signal 11 \\(Segmentation fault\\); the other 3 ranks were ended"},
        Misbehaviour{"die-slowly", 137,
                     "was killed by signal 9 \\(Killed\\); (2 of the other|the other 3) ranks were ended"},
        Misbehaviour{"leave-before-init", 1,
                     "ended without calling MPI_Init, which other ranks have called.*"},
        Misbehaviour{"fail-after-finalize", 5, "ended with exit code 5 after MPI_Finalize"}));

TEST(Failure, NamesARankThatLeftBeforeAnyoneJoined) {
  char pattern[] = "/tmp/foldlane-test-XXXXXX";
  const std::string directory = ::mkdtemp(pattern);
  const std::string fifo = directory + "/end-of-rank-1";
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  // Rank 0 reads until rank 1, the only writer, is gone, and only then joins.
  const std::string script = "if [ $FOLDLANE_RANK = 1 ]; then exec 9>" + fifo + "; exit 0; fi; cat " + fifo +
                             "; exec " + kRank + " loop";
  const auto result = mpiexec({"-n", "2", "sh", "-c", script});
  std::filesystem::remove_all(directory);
  EXPECT_EQ(result.code, 1);
  ASSERT_EQ(verdicts(result).size(), 1u) << result.err;
  EXPECT_NE(verdicts(result)[0].find("rank 1 (sh, "), std::string::npos) << result.err;
}

TEST(Failure, LetsRanksFinishAfterFinalize) {
  const auto result = mpiexec({"--grace", "0", "-n", "3", kRank, "fail-after-finalize"});
  EXPECT_NE(result.out.find("done\ndone\n"), std::string::npos) << result.out;
}

TEST(Failure, EndsWithinASecondOfAKill) {
  // Without end of grace no signal helps: the others end because their calls return an error.
  Subprocess job(mpiexec_command({"--grace", "1000", "-n", "4", kRank, "loop"}));
  const auto pids = pids_in(job.read_lines(4));
  ASSERT_EQ(pids.size(), 4u);
  const auto start = std::chrono::steady_clock::now();
  ::kill(pids[2], SIGKILL);
  const auto result = job.wait();
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  EXPECT_LT(took.count(), 1.0);  // the promise
  EXPECT_EQ(result.code, 137);
  ASSERT_EQ(verdicts(result).size(), 1u) << result.err;
  EXPECT_NE(result.err.find("pid " + std::to_string(pids[2]) + ") was killed by signal 9"),
            std::string::npos);
  for (const pid_t pid : pids) EXPECT_FALSE(alive(pid));
}

TEST(Failure, LeavesNothingWhenTheLauncherIsKilled) {
  Subprocess job(mpiexec_command({"-n", "4", "sh", "-c", std::string(kRank) + " loop; true"}));
  const auto pids = pids_in(job.read_lines(4));
  ASSERT_EQ(pids.size(), 4u);
  job.signal(SIGKILL);
  await_gone(pids);  // the ranks are children of the shells: grandchildren of the launcher
}

TEST(Failure, EndsAnInterruptedJob) {
  Subprocess job(mpiexec_command({"-n", "4", kRank, "loop"}));
  const auto pids = pids_in(job.read_lines(4));
  ASSERT_EQ(pids.size(), 4u);
  job.signal(SIGINT);
  EXPECT_EQ(job.wait().code, 130);
  for (const pid_t pid : pids) EXPECT_FALSE(alive(pid));
}

TEST(Failure, NeedsNoDevShm) {
  // Not every root may mount: containers forbid it.
  const auto with_small_shm = [](const std::string& command) {
    const std::string script = "mount -t tmpfs -o size=1m none /dev/shm && exec " + command;
    return Subprocess({"unshare", "--mount", "sh", "-c", script}).wait();
  };
  if (const auto trial = with_small_shm("true"); trial.code != 0)
    GTEST_SKIP() << "no /dev/shm of one's own here: " << trial.err;
  const auto result = with_small_shm(FOLDLANE_BIN "/mpiexec -n 8 " + std::string(kRank) + " fine");
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(lines_of(result.out).size(), 8u);
}

}  // namespace
}  // namespace foldlane::tests
