#include "launch/guardian.hpp"

#include <fcntl.h>
#include <linux/close_range.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>

namespace foldlane::tools {
namespace {

constexpr pid_t kDismissed = 0;

void close_all_but(int kept) {
  const auto fd = static_cast<unsigned>(kept);
  if (fd > 0) ::syscall(SYS_close_range, 0u, fd - 1, 0u);
  ::syscall(SYS_close_range, fd + 1, ~0u, 0u);
}

/// Its terminal, its signals and its descriptors would all tie it to the launcher it has to outlive.
void detach_from_launcher(int life) {
  ::setsid();
  ::prctl(PR_SET_NAME, "foldlane-guard");
  sigset_t all;
  sigfillset(&all);
  ::sigprocmask(SIG_SETMASK, &all, nullptr);
  close_all_but(life);
}

[[noreturn]] void guard(int life, std::vector<pid_t> groups, shm::JobMonitor monitor) {
  detach_from_launcher(life);
  pid_t pid = kDismissed;
  while (::read(life, &pid, sizeof(pid)) == static_cast<ssize_t>(sizeof(pid))) {
    if (pid == kDismissed) ::_exit(0);
    groups.push_back(pid);
  }
  monitor.declare({-1, shm::Cause::interrupt, SIGKILL});
  for (const pid_t group : groups) ::kill(-group, SIGKILL);
  ::_exit(0);
}

}  // namespace

Guardian::Guardian(shm::JobMonitor monitor) : monitor_(monitor) { start({}); }

Guardian::~Guardian() { dismiss(); }

void Guardian::start(const std::vector<pid_t>& groups) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return;
  shm::Pipe pipe{shm::UniqueFd(ends[0]), shm::UniqueFd(ends[1])};
  pid_ = ::fork();
  if (pid_ == 0) guard(pipe.read_end.get(), groups, monitor_);
  life_ = std::move(pipe.write_end);
  if (pid_ > 0) pidfd_.reset(static_cast<int>(::syscall(SYS_pidfd_open, pid_, 0)));
}

void Guardian::announce(int announce_fd, pid_t pid) noexcept {
  // Atomic (far below PIPE_BUF). If the guardian is gone the launcher replaces it and tells it about this
  // rank.
  [[maybe_unused]] const ssize_t count = ::write(announce_fd, &pid, sizeof(pid));
}

void Guardian::replace(const std::vector<pid_t>& groups) {
  ::waitpid(pid_, nullptr, 0);
  start(groups);
}

void Guardian::dismiss() noexcept {
  if (pid_ <= 0) return;
  announce(life_.get(), kDismissed);
  life_.reset();
  ::waitpid(pid_, nullptr, 0);
  pid_ = -1;
}

}  // namespace foldlane::tools
