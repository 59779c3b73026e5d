// The end of who has started a rank, as that sees it.
#include "engine/identity/launcher_process.hpp"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <string>

#include "engine/identity/pmi.hpp"

namespace foldlane::engine {
namespace {

/// This test's own parent stands for the process that takes over the ranks of a launcher that is no more.
TEST(LauncherProcess, MayHaveEndedBeforeItIsLookedFor) {
  std::array<int, 2> ends{};
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()), 0);
  const Launcher hydra{"hydra", kPmiFdVariable, nullptr, nullptr, nullptr, nullptr, nullptr, {}};
  setenv(kPmiFdVariable, std::to_string(ends[1]).c_str(), 1);
  EXPECT_FALSE(LauncherProcess(&hydra).has_ended());
  close(ends[0]);
  EXPECT_TRUE(LauncherProcess(&hydra).has_ended());
  unsetenv(kPmiFdVariable);
  close(ends[1]);
}

}  // namespace
}  // namespace foldlane::engine
