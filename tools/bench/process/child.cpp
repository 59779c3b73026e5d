#include "bench/process/child.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <system_error>

#include "bench/process/interrupt.hpp"

namespace foldlane::bench {
namespace {

constexpr double kGraceS = 3;
constexpr useconds_t kPollUs = 2'000;

int exit_code(int status) { return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status); }

/// In the child, between fork and exec.
[[noreturn]] void become(char* const* arguments, int output, pid_t driver) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (::getppid() != driver) ::_exit(127);
  const int null = ::open("/dev/null", O_RDONLY);
  ::dup2(null, STDIN_FILENO);
  ::dup2(output, STDOUT_FILENO);
  ::dup2(output, STDERR_FILENO);
  ::execvp(arguments[0], arguments);
  ::_exit(127);
}

}  // namespace

Child::Child(const std::vector<std::string>& arguments)
    : output_(::memfd_create("foldlane-bench-output", MFD_CLOEXEC)) {
  std::vector<char*> pointers;
  pointers.reserve(arguments.size() + 1);
  for (const std::string& argument : arguments) pointers.push_back(const_cast<char*>(argument.c_str()));
  pointers.push_back(nullptr);
  const pid_t driver = ::getpid();
  pid_ = ::fork();
  if (pid_ < 0) throw std::system_error(errno, std::generic_category(), "starting " + arguments.front());
  if (pid_ == 0) become(pointers.data(), output_.get(), driver);
  ::setpgid(pid_, pid_);  // whoever of the two comes first
}

Child::~Child() { end(); }

void Child::end() {
  if (!has_ended()) {
    ::kill(-pid_, SIGTERM);
    ended_within(kGraceS);
  }
  ::kill(-pid_, SIGKILL);  // what is left, or was left behind
  if (status_) return;
  int status = 0;
  ::waitpid(pid_, &status, 0);
  status_ = exit_code(status);
}

bool Child::has_ended() {
  int status = 0;
  if (!status_ && ::waitpid(pid_, &status, WNOHANG) == pid_) status_ = exit_code(status);
  return status_.has_value();
}

bool Child::ended_within(double seconds) {
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::duration<double>(seconds);
  while (!has_ended()) {
    if (Clock::now() > end) return false;
    ::usleep(kPollUs);
  }
  return true;
}

int Child::wait() {
  while (!has_ended()) {
    throw_if_interrupted();
    ::usleep(kPollUs);
  }
  return *status_;
}

std::string Child::output() const {
  std::string text(static_cast<std::size_t>(::lseek(output_.get(), 0, SEEK_END)), '\0');
  const ssize_t length = ::pread(output_.get(), text.data(), text.size(), 0);
  text.resize(length < 0 ? 0 : static_cast<std::size_t>(length));
  return text;
}

Finished run_to_end(const std::vector<std::string>& arguments) {
  Child child(arguments);
  const int code = child.wait();
  return {code, child.output()};
}

}  // namespace foldlane::bench
