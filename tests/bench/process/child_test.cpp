// Programs started by the driver: what they wrote, how they ended, and that nothing of them is left.
#include "bench/process/child.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include "subprocess.hpp"

namespace foldlane::bench {
namespace {

std::vector<std::string> shell(const std::string& script) { return {"sh", "-c", script}; }

TEST(Child, KeepsBothStreamsInOrder) {
  const Finished finished = run_to_end(shell("echo one; echo two >&2; echo three"));
  EXPECT_EQ(finished.code, 0);
  EXPECT_EQ(finished.output, "one\ntwo\nthree\n");
}

TEST(Child, KeepsMoreThanAPipeHolds) {
  EXPECT_EQ(run_to_end({"head", "-c", "300000", "/dev/zero"}).output, std::string(300000, '\0'));
}

TEST(Child, ShowsWhatWasWrittenWhileItRuns) {
  Child child(shell("echo first; exec sleep 1000"));
  while (child.output().empty()) ::usleep(1000);
  EXPECT_EQ(child.output(), "first\n");
  EXPECT_FALSE(child.has_ended());
}

TEST(Child, HasNoInput) { EXPECT_EQ(run_to_end({"cat"}).output, ""); }

TEST(Child, GivesCodesAsAShellDoes) {
  EXPECT_EQ(run_to_end(shell("exit 7")).code, 7);
  EXPECT_EQ(run_to_end(shell("kill -SEGV $$")).code, 128 + SIGSEGV);
  EXPECT_EQ(run_to_end({"/no/such/program"}).code, 127);
  EXPECT_EQ(run_to_end({"no-such-program"}).code, 127);
}

TEST(Child, TellsWhetherItEndedInTime) {
  Child quick(shell("exit 3"));
  EXPECT_TRUE(quick.ended_within(60));
  EXPECT_EQ(quick.wait(), 3);
  Child slow({"sleep", "1000"});
  EXPECT_FALSE(slow.ended_within(0));
}

/// The numbers that the child has written, as soon as there are so many.
std::vector<pid_t> numbers_from(const Child& child, std::size_t count) {
  for (;;) {
    const auto lines = tests::lines_of(child.output());
    if (lines.size() < count) {
      ::usleep(1000);
      continue;
    }
    std::vector<pid_t> numbers;
    for (const std::string& line : lines) numbers.push_back(std::stoi(line));
    return numbers;
  }
}

TEST(Child, IsAskedToEndFirst) {
  Child child(shell("trap 'echo 0; exit 9' TERM; echo $$; while :; do sleep 0.01; done"));
  numbers_from(child, 1);
  child.end();
  EXPECT_EQ(child.wait(), 9);
}

TEST(Child, EndsWithAllItStarted) {
  Child child(shell("sleep 1000 & echo $!; sleep 1000 & echo $!; echo $$; wait"));
  const auto pids = numbers_from(child, 3);
  child.end();
  EXPECT_EQ(child.wait(), 128 + SIGTERM);
  tests::await_gone(pids);
}

TEST(Child, IsKilledWithItsGroupIfItDoesNotListen) {
  Child child(shell("trap '' TERM; sleep 1000 & echo $!; echo $$; wait"));
  const auto pids = numbers_from(child, 2);
  child.end();
  EXPECT_EQ(child.wait(), 128 + SIGKILL);
  tests::await_gone(pids);
}

TEST(Child, LeavesNothingBehindThatOutlivedIt) {
  std::vector<pid_t> pids;
  {
    Child child(shell("sleep 1000 & echo $!"));
    EXPECT_EQ(child.wait(), 0);
    pids = numbers_from(child, 1);
    EXPECT_TRUE(tests::alive(pids[0]));
  }
  tests::await_gone(pids);
}

}  // namespace
}  // namespace foldlane::bench
