// How a job ends: exit codes, the one line that names the culprit, signals, and that nothing is ever left
// behind.
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <filesystem>
#include <regex>
#include <set>

#include "subprocess.hpp"

namespace foldlane::tests {
namespace {

std::vector<pid_t> pids_in(const std::string& text) {
  std::vector<pid_t> pids;
  for (const std::string& line : lines_of(text)) pids.push_back(static_cast<pid_t>(std::stol(line)));
  return pids;
}

/// Each rank is a shell with a child, and the child has one that left the process group; all print their
/// pids.
constexpr char kFamily[] =
    "echo $$; sleep 1000 & echo $!; sh -c 'echo $$; sleep 1000 & echo $!; wait' & wait; true";
constexpr int kFamilyLines = 4;

TEST(Teardown, ReturnsTheCodeOfTheFirstRankThatFails) {
  const auto result = mpiexec({"-n", "4", "sh", "-c", "[ $FOLDLANE_RANK = 2 ] && exit 3; exec sleep 1000"});
  EXPECT_EQ(result.code, 3);
  const std::regex line(
      "foldlane: rank 2 \\(sh, pid [0-9]+\\) ended with exit code 3; the other 3 ranks were ended\n");
  EXPECT_TRUE(std::regex_match(result.err, line)) << result.err;
}

TEST(Teardown, NamesTheSignalThatKilledARank) {
  for (const int signal : {SIGSEGV, SIGKILL, SIGTERM, SIGABRT}) {
    const auto result =
        mpiexec({"-n", "2", "sh", "-c",
                 "[ $FOLDLANE_RANK = 1 ] && kill -" + std::to_string(signal) + " $$; exec sleep 1000"});
    EXPECT_EQ(result.code, 128 + signal);
    EXPECT_NE(result.err.find("was killed by signal " + std::to_string(signal)), std::string::npos)
        << result.err;
    EXPECT_NE(result.err.find("rank 1 "), std::string::npos);
    EXPECT_EQ(lines_of(result.err).size(), 1u);
  }
}

TEST(Teardown, KillsRanksThatIgnoreSigterm) {
  const auto result = mpiexec({"--grace", "0", "-n", "3", "sh", "-c",
                               "trap '' TERM; [ $FOLDLANE_RANK = 0 ] && exit 7; while :; do sleep 1; done"});
  EXPECT_EQ(result.code, 7);
}

TEST(Teardown, LeavesNothingBehindAfterARankWasKilled) {
  Subprocess job(mpiexec_command({"-n", "3", "sh", "-c", kFamily}));
  const auto pids = pids_in(job.read_lines(3 * kFamilyLines));
  ASSERT_EQ(pids.size(), 3u * kFamilyLines);
  ::kill(pids[0], SIGKILL);
  EXPECT_EQ(job.wait().code, 137);
  for (const pid_t pid : pids) EXPECT_FALSE(alive(pid));
}

TEST(Teardown, LeavesNothingBehindWhenTheLauncherIsKilled) {
  Subprocess job(mpiexec_command({"-n", "3", "sh", "-c", kFamily}));
  const auto pids = pids_in(job.read_lines(3 * kFamilyLines));
  ASSERT_EQ(pids.size(), 3u * kFamilyLines);
  job.signal(SIGKILL);
  await_gone(pids);
  EXPECT_EQ(job.wait().code, 137);
}

TEST(Teardown, ReplacesAKilledGuardian) {
  Subprocess job(mpiexec_command({"-n", "2", "sh", "-c", kFamily}));
  const auto pids = pids_in(job.read_lines(2 * kFamilyLines));
  ASSERT_EQ(pids.size(), 2u * kFamilyLines);
  const pid_t first = await_guardian(job.pid(), -1);
  ::kill(first, SIGKILL);
  const pid_t second = await_guardian(job.pid(), first);
  job.signal(SIGKILL);
  await_gone(pids);
  await_gone({second});
}

TEST(Teardown, EndsWhatARankLeftRunning) {
  // One child in the rank's group, one in a session of its own, adopted by the launcher.
  const auto result =
      mpiexec({"-n", "2", "sh", "-c", "sleep 1000 & echo $!; setsid sleep 1000 >/dev/null & echo $!"});
  EXPECT_EQ(result.code, 0);
  const auto pids = pids_in(result.out);
  EXPECT_EQ(pids.size(), 4u);
  for (const pid_t pid : pids) EXPECT_FALSE(alive(pid));
}

TEST(Teardown, WaitsForOutputThatOutlivesARank) {
  EXPECT_EQ(mpiexec({"-n", "1", "bash", "-c", "exec > >(sleep 0.1; cat); echo through a helper"}).out,
            "through a helper\n");
}

TEST(Teardown, ForwardsSignals) {
  for (const int signal : {SIGUSR1, SIGUSR2}) {
    Subprocess job(
        mpiexec_command({"-n", "2", "sh", "-c",
                         "trap 'echo caught; exit 0' USR1 USR2; echo ready; while :; do sleep 0.01; done"}));
    job.read_lines(2);
    job.signal(signal);
    const auto result = job.wait();
    EXPECT_EQ(result.out, "ready\nready\ncaught\ncaught\n");
    EXPECT_EQ(result.code, 0);
  }
}

TEST(Teardown, EndsTheJobOnASignal) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) {
    Subprocess job(mpiexec_command({"-n", "2", "sh", "-c", "echo $$; exec sleep 1000"}));
    const auto pids = pids_in(job.read_lines(2));
    ASSERT_EQ(pids.size(), 2u);
    job.signal(signal);
    const auto result = job.wait();
    EXPECT_EQ(result.code, 128 + signal);
    EXPECT_NE(result.err.find("2 ranks ended"), std::string::npos) << result.err;
    for (const pid_t pid : pids) EXPECT_FALSE(alive(pid));
  }
}

TEST(Teardown, LetsRanksSaveTheirWorkOnSigterm) {
  Subprocess job(mpiexec_command(
      {"-n", "2", "sh", "-c",
       "trap 'sleep 0.7; echo saved; exit 0' TERM; echo ready; while :; do sleep 0.01; done"}));
  job.read_lines(2);
  job.signal(SIGTERM);
  const auto result = job.wait();
  EXPECT_EQ(result.out, "ready\nready\nsaved\nsaved\n");
  EXPECT_EQ(result.code, 143);
}

TEST(Teardown, KillsOnTheSecondInterrupt) {
  Subprocess job(mpiexec_command({"--grace", "1000", "-n", "2", "sh", "-c",
                                  "trap 'echo ignored' INT; echo ready; while :; do sleep 0.01; done"}));
  job.read_lines(2);
  job.signal(SIGINT);
  job.read_lines(4);  // both have survived the first
  job.signal(SIGINT);
  EXPECT_EQ(job.wait().code, 130);
}

TEST(Teardown, KeepsNohup) {
  Subprocess job(
      {"sh", "-c", "trap '' HUP; exec " FOLDLANE_BIN "/mpiexec -n 1 sh -c 'echo ready; exec sleep 0.2'"});
  job.read_lines(1);
  job.signal(SIGHUP);
  EXPECT_EQ(job.wait().code, 0);
}

TEST(Teardown, StopsAndContinues) {
  Subprocess job(mpiexec_command({"-n", "1", "sh", "-c", "echo $$; exec sleep 0.2"}));
  const auto pids = pids_in(job.read_lines(1));
  ASSERT_EQ(pids.size(), 1u);
  const pid_t rank = pids.front();
  job.signal(SIGTSTP);
  while (state_of(job.pid()) != 'T' || state_of(rank) != 'T') ::usleep(1000);
  job.signal(SIGCONT);
  EXPECT_EQ(job.wait().code, 0);
}

TEST(Teardown, NamesNothingInDevShm) {
  const auto entries = [] {
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator("/dev/shm")) names.insert(entry.path());
    return names;
  };
  const auto before = entries();
  Subprocess job(mpiexec_command({"-n", "2", "sh", "-c", "echo $$; exec sleep 1000"}));
  ASSERT_EQ(pids_in(job.read_lines(2)).size(), 2u);
  EXPECT_EQ(entries(), before);
  job.signal(SIGKILL);
  job.wait();
  EXPECT_EQ(entries(), before);
}

TEST(Teardown, WorksAsTheFirstProcessOfAContainer) {
  // Not every root may make namespaces: containers forbid it.
  const auto contained = [](std::vector<std::string> command) {
    command.insert(command.begin(), {"unshare", "--pid", "--fork", "--mount-proc"});
    return Subprocess(command).wait();
  };
  if (const auto trial = contained({"true"}); trial.code != 0)
    GTEST_SKIP() << "no process can be the first of a namespace here: " << trial.err;
  const auto result =
      contained(mpiexec_command({"-n", "2", "sh", "-c", "echo x; sleep 1000 & exit $FOLDLANE_RANK"}));
  EXPECT_EQ(result.code, 1);
  EXPECT_EQ(result.out, "x\nx\n");
}

}  // namespace
}  // namespace foldlane::tests
