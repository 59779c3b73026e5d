// Ranks that another launcher has started are one job, or say why not; and it is over when one of them dies.
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "subprocess.hpp"

namespace foldlane::tests {
namespace {

using Words = std::vector<std::string>;

constexpr char kRank[] = FOLDLANE_MPI_RANK;

/// What torchrun sets, for ranks $2 to $3 of a job of $1 that is called $4; the code is that of the last rank
/// that has failed.
constexpr char kLoop[] =
    "size=$1 first=$2 last=$3 MASTER_PORT=$4; shift 4; export WORLD_SIZE=$size MASTER_PORT; "
    "for rank in $(seq $first $last); do RANK=$rank LOCAL_RANK=$rank \"$@\" & ids=\"$ids $!\"; done; "
    "for id in $ids; do wait $id || code=$?; done; exit $code";

/// Of no other test that runs at the same time.
std::string job_name(int number = 0) { return std::to_string(::getpid()) + "." + std::to_string(number); }

Words loop(int size, int first, int last, const std::string& job, const Words& program) {
  Words command{
      "bash", "-c", kLoop, "loop", std::to_string(size), std::to_string(first), std::to_string(last), job};
  command.insert(command.end(), program.begin(), program.end());
  return command;
}

struct Launcher {
  const char* name;
  Words (*command)(int ranks, const Words& program);
  bool stays = true;  // as long as its ranks

  bool is_here() const { return Subprocess(command(1, {"true"}), {}, environment()).wait().code == 0; }
  static Subprocess::Environment environment() {
    return {{"OMPI_ALLOW_RUN_AS_ROOT", "1"}, {"OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"}};
  }
};

Words with(Words launcher, int ranks, const Words& program) {
  launcher.insert(launcher.end(), {"-n", std::to_string(ranks)});
  launcher.insert(launcher.end(), program.begin(), program.end());
  return launcher;
}

const Launcher kLaunchers[] = {
    {"openmpi",
     [](int ranks, const Words& program) {
       return with({"mpirun.openmpi", "--oversubscribe"}, ranks, program);
     }},
    {"hydra", [](int ranks, const Words& program) { return with({"mpiexec.hydra"}, ranks, program); }},
    {"hydra_port",
     [](int ranks, const Words& program) {
       return with({"mpiexec.hydra", "-pmi-port"}, ranks, program);
     }},
    {"torchrun",
     [](int ranks, const Words& program) { return loop(ranks, 0, ranks - 1, job_name(), program); }, false},
};

std::string sorted(const std::string& text) {
  Words lines = lines_of(text);
  std::sort(lines.begin(), lines.end());
  std::string all;
  for (const std::string& line : lines) all += line + "\n";
  return all;
}

std::string everybody(int size) {
  std::string all;
  for (int rank = 0; rank < size; ++rank)
    all += "rank " + std::to_string(rank) + " of " + std::to_string(size) + ", maxprocs " +
           std::to_string(size) + "\n";
  return all;
}

/// What launchers that are killed leave is removed with it.
class Folder {
 public:
  Folder() : path_(testing::TempDir() + "foldlane-" + job_name()) {
    std::filesystem::create_directory(path_);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { std::filesystem::remove_all(path_); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

std::string text_of(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

class Under : public testing::TestWithParam<Launcher> {
 protected:
  void SetUp() override {
    if (!GetParam().is_here()) GTEST_SKIP() << GetParam().name << " is not installed";
  }
  std::unique_ptr<Subprocess> start(int ranks, const Words& program,
                                    const Subprocess::Environment& more = {}) {
    Subprocess::Environment all = Launcher::environment();
    all.insert(all.end(), more.begin(), more.end());
    return std::make_unique<Subprocess>(GetParam().command(ranks, program), std::string(), all);
  }
  CommandResult run(int ranks, const Words& program) { return start(ranks, program)->wait(); }
};

TEST_P(Under, RanksAreOneJob) {
  const auto result = run(3, {kRank, "who"});
  EXPECT_EQ(result.code, 0) << result.err;
  if (std::string("hydra_port") != GetParam().name)
    EXPECT_EQ(sorted(result.out), everybody(3));
  else  // who has not joined does not know the size
    EXPECT_NE(result.out.find("rank 2 of 3, maxprocs unknown"), std::string::npos);
  EXPECT_EQ(result.err, "");
}

TEST_P(Under, AnAbortEndsTheJobWithItsCode) {
  const auto result = run(3, {kRank, "abort"});
  EXPECT_EQ(result.code, 17) << result.err;
  EXPECT_NE(result.err.find("foldlane: rank 1: MPI_Abort on MPI_COMM_WORLD"), std::string::npos)
      << result.err;
}

TEST_P(Under, AnAbortWithCodeZeroIsNoSuccess) { EXPECT_NE(run(2, {kRank, "abort-zero"}).code, 0); }

TEST_P(Under, AllEndWithinASecondOfAKill) {
  const auto job = start(3, {kRank, "loop"});
  std::vector<pid_t> pids;
  for (const std::string& line : lines_of(job->read_lines(3))) pids.push_back(std::stoi(line));
  ASSERT_EQ(pids.size(), 3u);
  const auto start = std::chrono::steady_clock::now();
  ::kill(pids[1], SIGKILL);
  await_gone(pids);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(1));  // the promise
  EXPECT_NE(job->wait().code, 0);
}

/// There is a script between each rank and who has started it, the launcher itself or its agent.
void kill_who_has_started(Subprocess& job, pid_t rank, bool agent) {
  ::kill(agent ? parent_of(parent_of(rank)) : job.pid(), SIGKILL);
}

TEST_P(Under, AllEndWithTheirLauncher) {
  if (!GetParam().stays) GTEST_SKIP() << "its ranks may outlive it";
  for (const bool agent : {false, true}) {
    const Folder folder;
    const std::string said = folder.path() + "/said";
    const auto job = start(3, {"sh", "-c", "\"$@\" 2>> " + said + "; exit $?", "sh", kRank, "loop"},
                           {{"TMPDIR", folder.path()}});
    std::vector<pid_t> pids;
    for (const std::string& line : lines_of(job->read_lines(3))) pids.push_back(std::stoi(line));
    ASSERT_EQ(pids.size(), 3u);
    const auto start = std::chrono::steady_clock::now();
    kill_who_has_started(*job, pids[0], agent);
    await_gone(pids);
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(3));  // the promise
    EXPECT_NE(job->wait().code, 0);
    if (!agent) continue;  // one that lives to see it kills them, and they say nothing
    EXPECT_NE(text_of(said).find("the job has lost its launcher"), std::string::npos) << text_of(said);
  }
}

INSTANTIATE_TEST_SUITE_P(Foreign, Under, testing::ValuesIn(kLaunchers),
                         [](const auto& launcher) { return std::string(launcher.param.name); });

// ---- what does not depend on the launcher

TEST(Foreign, MoreRanksThanCpusAreOneJob) {
  const auto result = Subprocess(loop(16, 0, 15, job_name(), {kRank, "who"})).wait();
  EXPECT_EQ(sorted(result.out), sorted(everybody(16)));
}

TEST(Foreign, JobsOfDifferentNamesAreJobsOfTheirOwn) {
  Subprocess one(loop(2, 0, 1, job_name(1), {kRank, "who"}));
  Subprocess other(loop(3, 0, 2, job_name(2), {kRank, "who"}));
  EXPECT_EQ(sorted(one.wait().out), everybody(2));
  EXPECT_EQ(sorted(other.wait().out), everybody(3));
}

TEST(Foreign, ANameServesOneJobAfterTheOther) {
  Subprocess old(loop(2, 0, 1, job_name(), {kRank, "loop"}));
  ASSERT_EQ(lines_of(old.read_lines(2)).size(), 2u);
  EXPECT_EQ(sorted(Subprocess(loop(3, 0, 2, job_name(), {kRank, "who"})).wait().out), everybody(3));
}

TEST(Foreign, ARankThatNeverComesIsNamed) {
  const auto start = std::chrono::steady_clock::now();
  const auto result =
      Subprocess(loop(3, 0, 1, job_name(), {kRank, "who"}), {}, {{"FOLDLANE_JOIN_TIMEOUT", "1"}}).wait();
  EXPECT_GE(std::chrono::steady_clock::now() - start, std::chrono::seconds(1));  // the promise
  EXPECT_NE(result.code, 0);
  for (const char* const rank : {"0", "1"})
    EXPECT_NE(result.err.find("foldlane: MPI_Init: rank " + std::string(rank) + " of 3, started by torchrun"),
              std::string::npos)
        << result.err;
  EXPECT_NE(result.err.find(": rank 2 of 3 did not come within 1 s"), std::string::npos) << result.err;
}

TEST(Foreign, ALauncherThatSaysTooLittleIsNoJobOfOne) {
  const auto result = Subprocess({kRank, "who"}, {}, {{"RANK", "0"}, {"WORLD_SIZE", "2"}}).wait();
  EXPECT_NE(result.code, 0);
  EXPECT_NE(result.err.find("LOCAL_RANK, MASTER_PORT are missing"), std::string::npos) << result.err;
  EXPECT_EQ(Subprocess({kRank, "who"}, {}, {{"WORLD_SIZE", "2"}, {"FOLDLANE_ALONE", "1"}}).wait().out,
            "rank 0 of 1, maxprocs 1\n");
}

TEST(Foreign, SeveralNodesAreToldOfThePreload) {
  if (!kLaunchers[1].is_here()) GTEST_SKIP() << "hydra is not installed";
  const auto result = Subprocess({"mpiexec.hydra", "-launcher", "fork", "-hosts", "localhost,127.0.0.1", "-n",
                                  "2", kRank, "who"})
                          .wait();
  EXPECT_NE(result.code, 0);
  EXPECT_NE(result.err.find("several nodes"), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("`foldlane accelerate`"), std::string::npos) << result.err;
}

TEST(Foreign, ASharedHeapIsRefused) {
  const auto result =
      Subprocess(loop(2, 0, 1, job_name(), {kRank, "who"}), {}, {{"FOLDLANE_SHARED_HEAP", "1"}}).wait();
  EXPECT_NE(result.code, 0);
  EXPECT_NE(result.err.find("FOLDLANE_SHARED_HEAP is set, but torchrun"), std::string::npos) << result.err;
}

TEST(Foreign, ADeadlockIsNamed) {
  const auto result = Subprocess(loop(2, 0, 1, job_name(), {FOLDLANE_STUCK, "receives"})).wait();
  EXPECT_EQ(result.code, 1);
  EXPECT_NE(result.err.find("rank 1: MPI_Recv(source 0, tag 5"), std::string::npos) << result.err;
}

TEST(Foreign, InfoNamesTheLauncher) {
  const Words info{FOLDLANE_BIN "/foldlane", "info"};
  EXPECT_NE(Subprocess(loop(1, 0, 0, job_name(), info))
                .wait()
                .out.find("torchrun, or what sets its variables "
                          "(WORLD_SIZE is set)"),
            std::string::npos);
  EXPECT_NE(Subprocess(info).wait().out.find("none: a program that is started like this"), std::string::npos);
}

}  // namespace
}  // namespace foldlane::tests
