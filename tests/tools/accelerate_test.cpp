// `foldlane accelerate` prepares another MPI's launcher; what then runs, tests/api/host tests.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "subprocess.hpp"

namespace foldlane::tests {
namespace {

CommandResult accelerate(std::vector<std::string> arguments,
                         const Subprocess::Environment& environment = {}) {
  arguments.insert(arguments.begin(), {FOLDLANE_BIN "/foldlane", "accelerate"});
  return Subprocess(arguments, {}, environment).wait();
}

/// A launcher of that name, which says what it was given.
std::string launcher(const std::string& name) {
  const std::string path = std::filesystem::path(testing::TempDir()) / name;
  std::ofstream(path) << "#!/bin/sh\nprintf '%s\\n' \"$*\"\n";
  ::chmod(path.c_str(), 0755);
  return path;
}

TEST(Accelerate, PreloadsTheStubBehindToolsThatWrapCalls) {
  const CommandResult result = accelerate({"--explain", "/usr/bin/env"}, {{"LD_PRELOAD", "libm.so.6"}});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_NE(result.out.find("LD_PRELOAD=libm.so.6:/"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("/libfoldlane_accel.so\n"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("FOLDLANE_ACCEL_EXPLAIN=1\n"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("FOLDLANE_ACCEL_NODES=all\n"), std::string::npos) << result.out;
}

TEST(Accelerate, TellsOpenMpiWhatToTakeToOtherNodes) {
  EXPECT_EQ(accelerate({launcher("mpirun.openmpi"), "-n", "2", "true"}).out,
            "-x LD_PRELOAD -x FOLDLANE_ACCEL_NODES -n 2 true\n");
  EXPECT_EQ(accelerate({"--explain", launcher("orterun"), "true"}).out,
            "-x FOLDLANE_ACCEL_EXPLAIN -x LD_PRELOAD -x FOLDLANE_ACCEL_NODES true\n");
  EXPECT_EQ(accelerate({launcher("mpiexec.hydra"), "-n", "2", "true"}).out, "-n 2 true\n");
}

TEST(Accelerate, StartsAsTheyAreProgramsThatNothingCanBePutUnder) {
  for (const char* const program : {FOLDLANE_STATIC_PROGRAM, FOLDLANE_STATIC_PIE_PROGRAM}) {
    const CommandResult result = accelerate({launcher("mpirun.openmpi"), "-n", "2", program});
    EXPECT_EQ(result.code, 0) << result.err;
    EXPECT_EQ(result.out, std::string("-n 2 ") + program + "\n");
    EXPECT_NE(result.err.find("nothing is accelerated: "), std::string::npos) << result.err;
    EXPECT_NE(result.err.find(" is linked statically"), std::string::npos) << result.err;
  }
}

TEST(Accelerate, TakesNoLibraryAmongTheOptionsForTheProgram) {
  const CommandResult result = accelerate(
      {launcher("mpirun.openmpi"), "-genv", "LD_PRELOAD", FOLDLANE_BIN "/../lib/libmpi_abi.so.1", "true"});
  EXPECT_EQ(result.code, 0);
  EXPECT_EQ(result.err, "");
  EXPECT_NE(result.out.find("-x LD_PRELOAD"), std::string::npos) << result.out;
}

TEST(Accelerate, SaysWhatIsMissing) {
  EXPECT_EQ(accelerate({}).code, 2);
  EXPECT_EQ(accelerate({"--explian", "mpirun"}).code, 2);
  EXPECT_EQ(accelerate({"no-such-launcher"}).code, 127);
  EXPECT_NE(accelerate({"--help"}).out.find("FOLDLANE_ACCEL=0"), std::string::npos);
}

TEST(Accelerate, HasAManualPage) {
  const CommandResult page = Subprocess({FOLDLANE_BIN "/foldlane", "--man"}).wait();
  const std::size_t section = page.out.find(".SH FOLDLANE ACCELERATE\n");
  ASSERT_NE(section, std::string::npos);
  EXPECT_NE(page.out.find(".B \\-\\-explain\n", section), std::string::npos) << page.out;
}

}  // namespace
}  // namespace foldlane::tests
