#include "engine/identity/launcher_process.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <string_view>

#include "engine/identity/numbers.hpp"
#include "engine/identity/pmi.hpp"

namespace foldlane::engine {
namespace {

/// 0: there is no such process any more.
pid_t parent_of(pid_t pid) {
  std::ifstream status(fmt::format("/proc/{}/stat", pid));
  std::string text;
  std::getline(status, text);
  pid_t parent = 0;
  const std::size_t name_end = text.rfind(')');
  if (name_end != std::string::npos) std::sscanf(text.c_str() + name_end, ") %*c %d", &parent);
  return parent;
}

/// Of what other users run nobody may know.
bool was_started_with(pid_t pid, const std::string& variable) {
  std::ifstream environment(fmt::format("/proc/{}/environ", pid), std::ios::binary);
  for (std::string each; std::getline(environment, each, '\0');)
    if (each == variable) return true;
  return false;
}

/// The next ancestor that has not been given what the launcher gives its ranks: in between are scripts. The
/// first process of all is none whose end a rank could live to see.
shm::UniqueFd pidfd_of(const Launcher& launcher) {
  const std::string given = fmt::format("{}={}", launcher.mark, std::getenv(launcher.mark));
  pid_t pid = getppid();
  while (pid > 1 && was_started_with(pid, given)) pid = parent_of(pid);
  return shm::UniqueFd(pid > 1 ? static_cast<int>(syscall(SYS_pidfd_open, pid, 0)) : -1);
}

/// One that ends before it is looked for leaves its ranks to another ancestor, which lives on.
bool has_hung_up(const Launcher& launcher) {
  const auto fd = number_in(kPmiFdVariable);
  if (launcher.mark != std::string_view(kPmiFdVariable) || !fd.ok()) return false;
  pollfd connection{fd.value(), 0, 0};
  return poll(&connection, 1, 0) > 0 && (connection.revents & POLLHUP) != 0;
}

}  // namespace

LauncherProcess::LauncherProcess(const Launcher* launcher) {
  if (launcher == nullptr || launcher->may_leave) return;
  pidfd_ = pidfd_of(*launcher);
  had_ended_ = has_hung_up(*launcher);
}

/// A descriptor of -1 is one that nothing happens to.
bool LauncherProcess::has_ended() const noexcept {
  pollfd end{pidfd_.get(), POLLIN, 0};
  return had_ended_ || poll(&end, 1, 0) > 0;
}

}  // namespace foldlane::engine
