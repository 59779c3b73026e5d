// The processes that measure the switch limit meet, and leave nothing behind (bench/machine/crowd.hpp).
#include "bench/machine/crowd.hpp"

#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

namespace foldlane::bench {
namespace {

bool has_no_child() { return waitpid(-1, nullptr, WNOHANG) == -1 && errno == ECHILD; }

TEST(Crowd, MeetsAsOftenAsItIsAskedAndGoesHome) {
  {
    Crowd crowd(3, sched_getcpu());
    for (int i = 0; i < 5; ++i) EXPECT_GT(crowd.meet(), 0);
    EXPECT_FALSE(has_no_child());
  }
  EXPECT_TRUE(has_no_child());
}

TEST(Crowd, OfOneMeetsAlone) { EXPECT_GT(Crowd(1, sched_getcpu()).meet(), 0); }

TEST(Crowd, DiesWithItsParent) {
  prctl(PR_SET_CHILD_SUBREAPER, 1);  // orphans become children of this process
  const pid_t parent = fork();
  if (parent == 0) {
    Crowd crowd(3, sched_getcpu());
    crowd.meet();
    raise(SIGKILL);
  }
  int killed = 0;
  for (int status = 0; waitpid(-1, &status, 0) > 0;)
    killed += WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
  EXPECT_EQ(killed, 4);
  prctl(PR_SET_CHILD_SUBREAPER, 0);
}

}  // namespace
}  // namespace foldlane::bench
