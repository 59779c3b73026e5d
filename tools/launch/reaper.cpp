// The end of every process of a job, whatever it did to get away.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <string>

#include "launch/supervisor.hpp"

namespace foldlane::tools {
namespace {

/// Children by the kernel's list: also those that left their group and became ours because the launcher is
/// the subreaper of the job.
std::vector<pid_t> children_but(pid_t guardian) {
  const std::string self = std::to_string(::getpid());
  std::ifstream list("/proc/self/task/" + self + "/children");
  std::vector<pid_t> found;
  for (pid_t pid = 0; list >> pid;) {
    if (pid != guardian) found.push_back(pid);
  }
  return found;
}

}  // namespace

void kill_and_reap(const std::vector<RankProcess>& ranks, pid_t guardian) {
  for (const RankProcess& rank : ranks) {
    ::kill(-rank.pid, SIGKILL);
    ::kill(rank.pid, SIGKILL);  // it may have moved to another group
  }
  for (const RankProcess& rank : ranks) ::waitpid(rank.pid, nullptr, 0);
  // Each round adopts what the killed ones had started.
  for (auto left = children_but(guardian); !left.empty(); left = children_but(guardian)) {
    for (const pid_t pid : left) {
      ::kill(pid, SIGKILL);
      ::waitpid(pid, nullptr, 0);
    }
  }
}

}  // namespace foldlane::tools
