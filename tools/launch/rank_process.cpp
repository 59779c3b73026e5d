// vfork, because the launcher's address space holds the whole segment and copying it 64 times is what would
// make launching slow. The child shares our memory until exec: it makes system calls only, and reports
// failure through `failure`.
#include "launch/rank_process.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "launch/guardian.hpp"

namespace foldlane::tools {
namespace {

struct ChildFailure {
  int error;
  const char* step;
};

[[noreturn]] void give_up(ChildFailure& failure, const char* step) {
  failure = {errno, step};
  ::_exit(127);
}

/// The launcher may have died before the death signal was asked for.
void die_with_launcher(pid_t launcher) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != launcher) ::_exit(127);
}

void connect_streams(const RankStart& start, ChildFailure& failure) {
  const bool connected =
      ::dup2(start.stdin_fd, STDIN_FILENO) >= 0 && ::dup2(start.stdout_fd, STDOUT_FILENO) >= 0 &&
      ::dup2(start.stderr_fd, STDERR_FILENO) >= 0 && ::fcntl(start.segment_fd, F_SETFD, 0) == 0;
  if (!connected) give_up(failure, "connecting its streams");
}

/// A script without "#!" is run by the shell, as every shell and execvp do.
void exec_with_shell(const RankStart& start, char** shell_arguments) {
  shell_arguments[0] = const_cast<char*>("sh");
  shell_arguments[1] = const_cast<char*>(start.path);
  ::execve("/bin/sh", shell_arguments, start.environment);
}

[[noreturn]] void become_rank(const RankStart& start, const std::vector<unsigned long>& mask,
                              char** shell_arguments, pid_t launcher, ChildFailure& failure) {
  ::setpgid(0, 0);
  die_with_launcher(launcher);
  Guardian::announce(start.announce_fd, ::getpid());
  connect_streams(start, failure);
  if (!mask.empty() &&
      ::syscall(SYS_sched_setaffinity, 0, mask.size() * sizeof(unsigned long), mask.data()) != 0) {
    give_up(failure, "binding it to its CPUs");
  }
  if (start.directory != nullptr && ::chdir(start.directory) != 0) give_up(failure, "entering its directory");
  ::setrlimit(RLIMIT_NOFILE, &start.open_files);
  start.signals->restore();
  ::execve(start.path, start.arguments, start.environment);
  if (errno == ENOEXEC) exec_with_shell(start, shell_arguments);
  give_up(failure, "executing it");
}

/// "sh", the script, its arguments, null.
std::vector<char*> room_for_shell(char* const* arguments) {
  std::vector<char*> shell(2);
  for (char* const* next = arguments + 1; *next != nullptr; ++next) shell.push_back(*next);
  shell.push_back(nullptr);
  return shell;
}

}  // namespace

std::vector<unsigned long> affinity_mask(const std::vector<int>& os_cpus) {
  if (os_cpus.empty()) return {};
  constexpr std::size_t kBits = 8 * sizeof(unsigned long);
  const auto highest = static_cast<std::size_t>(*std::max_element(os_cpus.begin(), os_cpus.end()));
  std::vector<unsigned long> mask(highest / kBits + 1);
  for (const int cpu : os_cpus)
    mask[static_cast<std::size_t>(cpu) / kBits] |= 1ul << (static_cast<std::size_t>(cpu) % kBits);
  return mask;
}

StartedRank start_rank(const RankStart& start) {
  const std::vector<unsigned long> mask = affinity_mask(*start.os_cpus);
  std::vector<char*> shell_arguments = room_for_shell(start.arguments);
  ChildFailure failure{0, ""};
  const pid_t launcher = ::getpid();
  const pid_t pid = ::vfork();
  if (pid == 0) become_rank(start, mask, shell_arguments.data(), launcher, failure);
  StartedRank started;
  if (pid < 0) return {-1, {}, errno, "starting its process"};
  if (failure.error != 0) {
    ::waitpid(pid, nullptr, 0);
    return {-1, {}, failure.error, failure.step};
  }
  started.pid = pid;
  started.pidfd.reset(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
  if (started.pidfd.get() < 0) {  // unwatched, its end would never be noticed
    const int error = errno;
    ::kill(-pid, SIGKILL);
    ::waitpid(pid, nullptr, 0);
    return {-1, {}, error, "watching its process (pidfd_open)"};
  }
  return started;
}

}  // namespace foldlane::tools
