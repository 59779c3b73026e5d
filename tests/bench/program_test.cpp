// How `foldlane bench` becomes the program behind it: beside a copy of the command, a script stands for that
// program.
#include <gtest/gtest.h>
#include <signal.h>

#include "subprocess.hpp"
#include "support/fake_tree.hpp"

namespace foldlane::bench {
namespace {

namespace fs = std::filesystem;

class BenchProgram : public testing::Test {
 protected:
  void SetUp() override {
    fs::create_directory(tree_.root() / "bin");
    fs::copy_file(FOLDLANE_BIN "/foldlane", command_);
  }

  void write_program(const std::string& script) const {
    tree_.write("libexec/foldlane/bench", "#!/bin/sh\n" + script);
    fs::permissions(program_, fs::perms::owner_all);
  }

  FakeTree tree_;
  const std::string command_ = tree_.root() / "bin/foldlane";
  const std::string program_ = tree_.root() / "libexec/foldlane/bench";
};

TEST_F(BenchProgram, IsGivenTheArgumentsAndGivesTheExitCode) {
  write_program("printf '<%s>' \"$@\"; exit 7");
  const auto result = tests::Subprocess({command_, "bench", "two words", "", "--help", "-n2"}).wait();
  EXPECT_EQ(result.code, 7);
  EXPECT_EQ(result.out, "<two words><><--help><-n2>");
  EXPECT_EQ(result.err, "");
}

TEST_F(BenchProgram, IsTheProcessThatSignalsReach) {
  write_program("trap 'exit 5' TERM; echo $$; while :; do :; done");
  tests::Subprocess process({command_, "bench"});
  EXPECT_EQ(process.read_lines(1), std::to_string(process.pid()) + "\n");
  process.signal(SIGTERM);
  EXPECT_EQ(process.wait().code, 5);
}

TEST_F(BenchProgram, ShowsTheSignalItDiesOf) {
  write_program("kill -KILL $$");
  EXPECT_EQ(tests::Subprocess({command_, "bench"}).wait().code, 128 + SIGKILL);
}

TEST_F(BenchProgram, IsNamedIfItIsNotThere) {
  const auto result = tests::Subprocess({command_, "bench", "--help"}).wait();
  EXPECT_EQ(result.code, 127);
  EXPECT_EQ(result.out, "");
  EXPECT_NE(result.err.find("foldlane bench: cannot start " + program_), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("--target foldlane_bench"), std::string::npos) << result.err;
}

TEST_F(BenchProgram, IsNamedIfItCannotBeExecuted) {
  tree_.write("libexec/foldlane/bench", "");
  const auto result = tests::Subprocess({command_, "bench"}).wait();
  EXPECT_EQ(result.code, 126);
  EXPECT_NE(result.err.find(program_ + ": Permission denied\n"), std::string::npos) << result.err;
}

}  // namespace
}  // namespace foldlane::bench
