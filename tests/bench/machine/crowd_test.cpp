// The processes that measure the switch limit meet, and leave nothing behind (bench/machine/crowd.hpp).
#include "bench/machine/crowd.hpp"

#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <iterator>
#include <set>
#include <stdexcept>
#include <string>

namespace foldlane::bench {
namespace {

bool has_no_child() { return waitpid(-1, nullptr, WNOHANG) == -1 && errno == ECHILD; }

std::set<pid_t> children() {
  std::ifstream file("/proc/self/task/" + std::to_string(getpid()) + "/children");
  return {std::istream_iterator<pid_t>(file), {}};
}

TEST(Crowd, MeetsAsOftenAsItIsAskedAndGoesHome) {
  {
    Crowd crowd(3, sched_getcpu());
    for (int i = 0; i < 5; ++i) EXPECT_GT(crowd.meet(), 0);
    EXPECT_FALSE(has_no_child());
  }
  EXPECT_TRUE(has_no_child());
}

TEST(Crowd, OfOneMeetsAlone) { EXPECT_GT(Crowd(1, sched_getcpu()).meet(), 0); }

TEST(Crowd, OneThatEndsIsNoticedAndAllAreReaped) {
  const std::set<pid_t> before = children();
  {
    Crowd crowd(3, sched_getcpu());
    EXPECT_GT(crowd.meet(), 0);
    std::set<pid_t> members = children();
    for (const pid_t other : before) members.erase(other);
    ASSERT_EQ(members.size(), 3u);
    kill(*members.begin(), SIGKILL);
    siginfo_t info{};
    ASSERT_EQ(waitid(P_PID, static_cast<id_t>(*members.begin()), &info, WEXITED | WNOWAIT), 0);
    EXPECT_THROW(crowd.meet(), std::runtime_error);
  }
  EXPECT_TRUE(has_no_child());
}

TEST(Crowd, DiesWithItsParent) {
  prctl(PR_SET_CHILD_SUBREAPER, 1);  // orphans become children of this process
  const pid_t parent = fork();
  if (parent == 0) {
    try {
      Crowd crowd(3, sched_getcpu());
      crowd.meet();
      raise(SIGKILL);
    } catch (...) {
      _exit(1);
    }
  }
  int killed = 0;
  for (int status = 0; waitpid(-1, &status, 0) > 0;)
    killed += WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
  EXPECT_EQ(killed, 4);
  prctl(PR_SET_CHILD_SUBREAPER, 0);
}

}  // namespace
}  // namespace foldlane::bench
