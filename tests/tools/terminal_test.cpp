// The launcher on a terminal: typed input reaches rank 0, ^C, ^D and ^S do what they do for any program, and
// a shell can move the job between foreground and background.
#include <gtest/gtest.h>
#include <pty.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <string>
#include <vector>

namespace foldlane::tests {
namespace {

constexpr char kMpiexec[] = FOLDLANE_BIN "/mpiexec";

/// A program on a pseudo terminal of its own.
class Terminal {
 public:
  explicit Terminal(std::vector<std::string> arguments) {
    std::vector<char*> argv;
    for (std::string& argument : arguments) argv.push_back(argument.data());
    argv.push_back(nullptr);
    pid_ = ::forkpty(&fd_, nullptr, nullptr, nullptr);
    if (pid_ == 0) {
      ::setenv("PS1", "$ ", 1);
      ::execvp(argv[0], argv.data());
      ::_exit(127);
    }
  }
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;
  ~Terminal() {
    if (pid_ > 0) {
      ::kill(pid_, SIGKILL);
      ::waitpid(pid_, nullptr, 0);
    }
    ::close(fd_);
  }

  void type(const std::string& text) {
    ASSERT_EQ(::write(fd_, text.data(), text.size()), static_cast<ssize_t>(text.size()));
  }

  /// Reads until `text` has appeared after what was expected before; false if the terminal is closed first.
  bool shows(const std::string& text) {
    std::array<char, 4096> buffer{};
    std::size_t found = 0;
    while ((found = screen_.find(text, seen_)) == std::string::npos) {
      const ssize_t count = ::read(fd_, buffer.data(), buffer.size());
      if (count <= 0) return false;
      screen_.append(buffer.data(), static_cast<std::size_t>(count));
    }
    seen_ = found + text.size();
    return true;
  }

  /// The wait status once the program has ended.
  int status() {
    shows(std::string(1, '\0'));  // to the end of the terminal
    int value = 0;
    ::waitpid(pid_, &value, 0);
    pid_ = -1;
    return value;
  }

 private:
  pid_t pid_ = -1;
  int fd_ = -1;
  std::string screen_;
  std::size_t seen_ = 0;
};

TEST(Terminal, FeedsRankZeroUntilControlD) {
  Terminal terminal({kMpiexec, "-n", "2", "sh", "-c", "cat; echo end $FOLDLANE_RANK"});
  EXPECT_TRUE(terminal.shows("end 1"));
  terminal.type("typed\n");
  EXPECT_TRUE(terminal.shows("typed"));  // the terminal's echo
  EXPECT_TRUE(terminal.shows("typed"));  // cat's
  terminal.type("\x04");
  EXPECT_TRUE(terminal.shows("end 0"));
  EXPECT_EQ(terminal.status(), 0);
}

TEST(Terminal, DiesOfControlCSoThatALoopAroundItEnds) {
  Terminal terminal({"bash", "-c",
                     std::string("for i in 1 2; do ") + kMpiexec +
                         " -n 2 sh -c 'echo ready; exec sleep 1000'; echo next; done"});
  EXPECT_TRUE(terminal.shows("ready"));
  terminal.type("\x03");
  EXPECT_TRUE(terminal.shows("interrupted by signal 2"));
  EXPECT_FALSE(terminal.shows("next"));
  const int status = terminal.status();
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGINT);
}

TEST(Terminal, CanBeMovedToTheBackgroundAndBack) {
  Terminal shell({"bash", "--norc", "--noprofile", "-i"});
  EXPECT_TRUE(shell.shows("$ "));
  // The word "ready" is put together by the rank, so that it is not found in the echo of the command.
  shell.type(std::string(kMpiexec) +
             " -n 2 sh -c 'echo re''ady; read x; echo \"got <$x>\"; exec sleep 0.1'\n");
  EXPECT_TRUE(shell.shows("ready"));
  shell.type("\x1a");
  EXPECT_TRUE(shell.shows("Stopped"));
  shell.type("bg\n");
  EXPECT_TRUE(shell.shows("&"));
  shell.type("echo for the sh''ell\n");
  EXPECT_TRUE(shell.shows("for the shell"));
  shell.type("fg\n");
  EXPECT_TRUE(shell.shows("fg"));
  EXPECT_TRUE(shell.shows("mpiexec"));
  shell.type("for the rank\n");
  EXPECT_TRUE(shell.shows("got <for the rank>"));
  EXPECT_TRUE(shell.shows("$ "));
  shell.type("exit\n");
  EXPECT_EQ(shell.status(), 0);
}

}  // namespace
}  // namespace foldlane::tests
