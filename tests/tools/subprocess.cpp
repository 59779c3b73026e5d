#include "subprocess.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace foldlane::tests {
namespace {

std::array<int, 2> make_pipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw std::runtime_error("pipe2");
  return ends;
}

/// A deleted file: input of any size, no writer needed.
int input_file(const std::string& input) {
  std::FILE* file = std::tmpfile();
  if (file == nullptr) throw std::runtime_error("tmpfile");
  std::fwrite(input.data(), 1, input.size(), file);
  std::fflush(file);
  const int fd = ::dup(::fileno(file));
  ::fcntl(fd, F_SETFD, FD_CLOEXEC);
  std::fclose(file);
  ::lseek(fd, 0, SEEK_SET);
  return fd;
}

}  // namespace

Subprocess::Subprocess(const std::vector<std::string>& arguments, const std::string& input,
                       const Environment& environment) {
  const auto out = make_pipe();
  const auto err = make_pipe();
  const int in = input_file(input);
  std::vector<char*> argv;
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  pid_ = ::fork();
  if (pid_ == 0) {
    ::setpgid(0, 0);
    ::dup2(in, 0);
    ::dup2(out[1], 1);
    ::dup2(err[1], 2);
    for (const auto& [name, value] : environment) ::setenv(name.c_str(), value.c_str(), 1);
    ::execvp(argv[0], argv.data());
    ::_exit(127);
  }
  ::close(in);
  ::close(out[1]);
  ::close(err[1]);
  out_fd_ = out[0];
  err_fd_ = err[0];
}

Subprocess::~Subprocess() {
  if (pid_ > 0) {
    ::kill(-pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  close_stdout();
  if (err_fd_ >= 0) ::close(err_fd_);
}

void Subprocess::signal(int number) const { ::kill(pid_, number); }

void Subprocess::close_stdout() {
  if (out_fd_ >= 0) ::close(out_fd_);
  out_fd_ = -1;
}

bool Subprocess::read_once() {
  std::array<pollfd, 2> ready{pollfd{out_fd_, POLLIN, 0}, pollfd{err_fd_, POLLIN, 0}};
  if (out_fd_ < 0 && err_fd_ < 0) return false;
  ::poll(ready.data(), ready.size(), -1);
  for (const pollfd& entry : ready) {
    if (entry.revents == 0) continue;
    std::array<char, 65536> buffer{};
    const ssize_t count = ::read(entry.fd, buffer.data(), buffer.size());
    const bool is_out = entry.fd == out_fd_;
    if (count > 0) {
      (is_out ? out_ : err_).append(buffer.data(), static_cast<std::size_t>(count));
    } else {
      ::close(entry.fd);
      (is_out ? out_fd_ : err_fd_) = -1;
    }
  }
  return true;
}

std::string Subprocess::read_lines(int lines) {
  while (std::count(out_.begin(), out_.end(), '\n') < lines && out_fd_ >= 0 && read_once()) {
  }
  return out_;
}

std::string Subprocess::read_some() {
  read_once();
  return out_;
}

CommandResult Subprocess::wait() {
  while (read_once()) {
  }
  int status = 0;
  ::waitpid(pid_, &status, 0);
  pid_ = -1;
  return {WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status), out_, err_};
}

std::vector<std::string> mpiexec_command(const std::vector<std::string>& arguments) {
  std::vector<std::string> command{FOLDLANE_BIN "/mpiexec"};
  command.insert(command.end(), arguments.begin(), arguments.end());
  return command;
}

CommandResult mpiexec(const std::vector<std::string>& arguments, const std::string& input,
                      const Subprocess::Environment& environment) {
  return Subprocess(mpiexec_command(arguments), input, environment).wait();
}

namespace {

/// What /proc shows of it behind its name: "S 17 …", its state and its parent.
std::string stat_of(pid_t pid) {
  std::ifstream status("/proc/" + std::to_string(pid) + "/stat");
  std::string text;
  if (!std::getline(status, text)) return {};
  return text.substr(text.rfind(')') + 2);
}

}  // namespace

char state_of(pid_t pid) { return stat_of(pid).c_str()[0]; }

pid_t parent_of(pid_t pid) { return std::atoi(stat_of(pid).c_str() + 1); }

bool alive(pid_t pid) {
  const char state = state_of(pid);
  return state != 0 && state != 'Z' && state != 'X';
}

namespace {

/// -1 if there is none at the moment.
pid_t guardian_of(pid_t launcher) {
  const std::string number = std::to_string(launcher);
  std::ifstream children("/proc/" + number + "/task/" + number + "/children");
  for (pid_t pid = 0; children >> pid;) {
    std::string name;
    std::getline(std::ifstream("/proc/" + std::to_string(pid) + "/comm"), name);
    if (name == "foldlane-guard" && alive(pid)) return pid;
  }
  return -1;
}

}  // namespace

pid_t await_guardian(pid_t launcher, pid_t former) {
  for (;; ::poll(nullptr, 0, 1)) {
    if (const pid_t guardian = guardian_of(launcher); guardian > 0 && guardian != former) return guardian;
  }
}

void await_gone(const std::vector<pid_t>& pids) {
  for (const pid_t pid : pids) {
    while (alive(pid)) ::poll(nullptr, 0, 1);
  }
}

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

}  // namespace foldlane::tests
