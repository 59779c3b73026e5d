// Runs a command as a user would and collects what it prints; nothing it starts outlives the test.
#pragma once

#include <sys/types.h>

#include <string>
#include <utility>
#include <vector>

namespace foldlane::tests {

struct CommandResult {
  int code;  // as a shell sees it: 128 + signal if killed
  std::string out;
  std::string err;
};

class Subprocess {
 public:
  using Environment = std::vector<std::pair<std::string, std::string>>;

  /// Runs `arguments` in a process group of its own. `input` is what it finds on stdin.
  explicit Subprocess(const std::vector<std::string>& arguments, const std::string& input = {},
                      const Environment& environment = {});
  Subprocess(const Subprocess&) = delete;
  Subprocess& operator=(const Subprocess&) = delete;
  ~Subprocess();

  pid_t pid() const { return pid_; }
  void signal(int number) const;
  /// Reads stdout until `lines` whole lines have arrived (or it ends); returns all of it so far.
  std::string read_lines(int lines);
  /// Waits for more output on either stream; returns stdout so far.
  std::string read_some();
  void close_stdout();
  CommandResult wait();

 private:
  bool read_once();

  pid_t pid_ = -1;
  int out_fd_ = -1;
  int err_fd_ = -1;
  std::string out_;
  std::string err_;
};

/// `mpiexec` of the build tree with these arguments.
CommandResult mpiexec(const std::vector<std::string>& arguments, const std::string& input = {},
                      const Subprocess::Environment& environment = {});

std::vector<std::string> mpiexec_command(const std::vector<std::string>& arguments);

/// True while a process exists and is not a zombie.
bool alive(pid_t pid);

/// The letter /proc shows for its state, 0 if there is no such process.
char state_of(pid_t pid);

pid_t parent_of(pid_t pid);

/// Waits for the guardian beside a launcher and returns it: one that runs, has its name, and is not `former`
/// (-1: any). Ranks may be heard before it has run at all.
pid_t await_guardian(pid_t launcher, pid_t former);

/// Waits until none of them is alive: what the launcher promises, so that a test of it hangs if it is broken
/// (and is ended by CTest's time limit, which names it).
void await_gone(const std::vector<pid_t>& pids);

std::vector<std::string> lines_of(const std::string& text);

}  // namespace foldlane::tests
