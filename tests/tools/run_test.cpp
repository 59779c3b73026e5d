// `foldlane run` as its users see it: options of both launcher families, streams, environment, exit codes.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>

#include "subprocess.hpp"

namespace foldlane::tests {
namespace {

std::vector<std::string> sorted_lines(const std::string& text) {
  auto lines = lines_of(text);
  std::sort(lines.begin(), lines.end());
  return lines;
}

using Lines = std::vector<std::string>;

class CountSpelling : public testing::TestWithParam<const char*> {};

TEST_P(CountSpelling, StartsThatManyRanks) {
  const auto result = mpiexec({GetParam(), "3", "sh", "-c", "echo $FOLDLANE_RANK/$FOLDLANE_SIZE"});
  EXPECT_EQ(result.code, 0);
  EXPECT_EQ(sorted_lines(result.out), (Lines{"0/3", "1/3", "2/3"}));
  EXPECT_EQ(result.err, "");
}
INSTANTIATE_TEST_SUITE_P(Run, CountSpelling, testing::Values("-n", "-np", "--np", "--n", "-c"));

class LabelSpelling : public testing::TestWithParam<const char*> {};

TEST_P(LabelSpelling, LabelsEveryLineOfBothStreams) {
  const auto result = mpiexec({GetParam(), "-n", "2", "sh", "-c", "echo a; echo b; echo c >&2"});
  EXPECT_EQ(sorted_lines(result.out), (Lines{"[0] a", "[0] b", "[1] a", "[1] b"}));
  EXPECT_EQ(sorted_lines(result.err), (Lines{"[0] c", "[1] c"}));
}
INSTANTIATE_TEST_SUITE_P(Run, LabelSpelling,
                         testing::Values("-l", "-prepend-rank", "--prepend-rank", "--tag-output", "--label"));

TEST(Run, TakesTheDefaultCountFromTheUsableCpusAndSaysSo) {
  const auto result = mpiexec({"sh", "-c", "echo $FOLDLANE_SIZE"});
  ASSERT_EQ(result.code, 0);
  const auto lines = lines_of(result.out);
  ASSERT_FALSE(lines.empty());
  EXPECT_EQ(std::to_string(lines.size()), lines[0]);
  EXPECT_NE(result.err.find("no -n given"), std::string::npos);
  EXPECT_EQ(mpiexec({"-q", "true"}).err, "");
}

TEST(Run, IsAlsoASubcommand) {
  const auto result = Subprocess({FOLDLANE_BIN "/foldlane", "run", "-n", "1", "echo", "-n", "x"}).wait();
  EXPECT_EQ(result.code, 0);
  EXPECT_EQ(result.out, "x");  // the second -n is the program's
}

TEST(Run, SetsVariablesForAllOrOneProgram) {
  const auto result =
      mpiexec({"-n",   "1",  "-genv", "FA",    "1",    "--genv", "FB", "2",
               "-env", "FC", "3",     "-x",    "FD=4", "sh",     "-c", "echo a$FA$FB$FC$FD",
               ":",    "-n", "1",     "--env", "FE=5", "sh",     "-c", "echo b$FA$FB$FC$FD$FE"},
              {}, {{"FD", "inherited"}});
  EXPECT_EQ(result.code, 0);
  EXPECT_EQ(sorted_lines(result.out), (Lines{"a1234", "b1245"}));
  EXPECT_EQ(mpiexec({"-x", "FD", "-n", "1", "sh", "-c", "echo $FD"}, {}, {{"FD", "kept"}}).out, "kept\n");
}

TEST(Run, RunsSeveralProgramsAsOneJob) {
  const auto result = mpiexec({"-n", "1", "sh", "-c", "echo one $FOLDLANE_RANK $FOLDLANE_SIZE", ":", "-np",
                               "2", "sh", "-c", "echo two $FOLDLANE_RANK $FOLDLANE_SIZE"});
  EXPECT_EQ(result.code, 0);
  EXPECT_EQ(sorted_lines(result.out), (Lines{"one 0 3", "two 1 3", "two 2 3"}));
}

class DirectorySpelling : public testing::TestWithParam<const char*> {};

TEST_P(DirectorySpelling, RunsThere) {
  EXPECT_EQ(mpiexec({"-n", "1", GetParam(), "/usr", "pwd"}).out, "/usr\n");
  EXPECT_EQ(mpiexec({"-n", "1", GetParam(), "/usr", "./bin/env", "pwd"}).out, "/usr\n");
}
INSTANTIATE_TEST_SUITE_P(Run, DirectorySpelling, testing::Values("-wdir", "--wdir", "-wd"));

TEST(Run, AcceptsWhatMeansNothingHere) {
  const auto result = mpiexec({"--oversubscribe", "--allow-run-as-root", "-host", "localhost:4,127.0.0.1",
                               "-n", "2", "--mca", "btl", "self,vader", "true"});
  EXPECT_EQ(result.code, 0);
  EXPECT_EQ(result.err, "foldlane: '--mca btl self,vader' has no meaning here and is ignored\n");
}

/// What its ranks make of it is tests/api/core/shared_heap.cpp's business.
TEST(Run, PreloadsTheSharedHeapBeforeWhatTheUserPreloads) {
  const Lines echo{"sh", "-c", "echo $LD_PRELOAD $FOLDLANE_SHARED_HEAP"};
  const auto run = [&](Lines options) {
    options.insert(options.end(), echo.begin(), echo.end());
    return mpiexec(options);
  };
  EXPECT_EQ(run({"--shared-heap", "-n", "1"}).out, "libmimalloc.so.2 1\n");
  EXPECT_EQ(run({"--shared-heap", "-x", "LD_PRELOAD=libm.so.6", "-n", "1"}).out,
            "libmimalloc.so.2:libm.so.6 1\n");
  EXPECT_EQ(run({"-n", "1"}).out, "\n");
  // A launcher that runs as a rank decides for its own ranks.
  EXPECT_EQ(
      mpiexec({"-n", "1", "sh", "-c", "echo a$FOLDLANE_SHARED_HEAP"}, {}, {{"FOLDLANE_SHARED_HEAP", "1"}})
          .out,
      "a\n");
}

/// What the launcher says where `make` has put something at the place of mimalloc.
template <class Make>
std::string complaint_about_mimalloc(const Make& make) {
  const std::filesystem::path directory = testing::TempDir() + "no_mimalloc";
  std::filesystem::create_directories(directory);
  make(directory / "libmimalloc.so.2");
  const auto result =
      mpiexec({"--shared-heap", "-n", "2", "true"}, {}, {{"LD_LIBRARY_PATH", directory.string()}});
  std::filesystem::remove_all(directory);
  EXPECT_EQ(result.code, 1);
  EXPECT_EQ(lines_of(result.err).size(), 1u) << result.err;
  return result.err;
}

TEST(Run, SaysWhatTheSharedHeapLacks) {
  const auto broken = complaint_about_mimalloc(
      [](const std::filesystem::path& place) { std::ofstream(place) << "not a library"; });
  EXPECT_NE(broken.find("--shared-heap needs mimalloc 2"), std::string::npos) << broken;
  const auto other = complaint_about_mimalloc([](const std::filesystem::path& place) {
    std::filesystem::create_symlink(FOLDLANE_BIN "/../lib/libmpi_abi.so.1", place);
  });
  EXPECT_NE(other.find("libmimalloc.so.2 is too old, it has no mi_manage_os_memory"), std::string::npos)
      << other;
}

TEST(Run, RefusesOtherHosts) {
  const auto result = mpiexec({"-host", "localhost,node17", "-n", "2", "true"});
  EXPECT_EQ(result.code, 2);
  EXPECT_NE(result.err.find("node17"), std::string::npos);
}

TEST(Run, NamesAnUnknownOption) {
  for (const char* option : {"-bogus", "--bogus", "--bogus=3"}) {
    const auto result = mpiexec({"-n", "1", option, "true"});
    EXPECT_EQ(result.code, 2);
    EXPECT_NE(result.err.find(option), std::string::npos) << result.err;
  }
}

TEST(Run, RefusesACommandLineThatMakesNoSense) {
  for (const auto& arguments : {Lines{}, Lines{"-n", "0", "true"}, Lines{"-n", "x", "true"}, Lines{"-n"},
                                Lines{"-n", "5000", "true"}, Lines{"-n", "1", "true", ":"},
                                Lines{"--bind-to", "moon", "true"}, Lines{"-wdir", "/nowhere", "true"}}) {
    const auto result = mpiexec(arguments);
    EXPECT_EQ(result.code, 2) << testing::PrintToString(arguments);
    EXPECT_EQ(lines_of(result.err).size(), 1u) << result.err;
  }
}

TEST(Run, TellsWhyAProgramCannotBeStarted) {
  EXPECT_EQ(mpiexec({"-n", "2", "no-such-program"}).code, 127);
  EXPECT_EQ(mpiexec({"-n", "2", "./no-such-program"}).code, 127);
  EXPECT_EQ(mpiexec({"-n", "2", "/etc/passwd"}).code, 126);
  EXPECT_EQ(mpiexec({"-n", "2", "/usr"}).code, 126);
  const auto result = mpiexec({"-n", "1", "true", ":", "-n", "1", "no-such-program"});
  EXPECT_EQ(result.code, 127);
  EXPECT_EQ(result.err, "foldlane: cannot start no-such-program: not in PATH\n");
}

/// A script in a directory of the test's own, gone with it.
class Script {
 public:
  explicit Script(const std::string& text) {
    char pattern[] = "/tmp/foldlane-test-XXXXXX";
    directory_ = ::mkdtemp(pattern);
    std::ofstream(path()) << text;
    std::filesystem::permissions(path(), std::filesystem::perms::owner_all);
  }
  ~Script() { std::filesystem::remove_all(directory_); }
  std::string path() const { return directory_ + "/script"; }

 private:
  std::string directory_;
};

TEST(Run, RunsScriptsWithoutInterpreterLineAndNamesAMissingInterpreter) {
  const Script plain("echo plain $1\n");
  EXPECT_EQ(mpiexec({"-n", "1", plain.path(), "x"}).out, "plain x\n");
  const Script broken("#!/no/such/interpreter\n");
  const auto result = mpiexec({"-n", "2", broken.path()});
  EXPECT_EQ(result.code, 127);
  EXPECT_NE(result.err.find("interpreter"), std::string::npos);
}

TEST(Run, GivesStdinToRankZeroOnly) {
  const auto result = mpiexec({"-l", "-n", "3", "sh", "-c", "cat; echo end"}, "first\nsecond\n");
  EXPECT_EQ(sorted_lines(result.out), (Lines{"[0] end", "[0] first", "[0] second", "[1] end", "[2] end"}));
}

TEST(Run, LeavesInputThatRankZeroDoesNotReadToOthers) {
  const std::string script = "while read line; do " FOLDLANE_BIN "/mpiexec -n 2 echo \"$line\"; done";
  EXPECT_EQ(Subprocess({"sh", "-c", script}, "a\nb\n").wait().out, "a\na\nb\nb\n");
}

TEST(Run, WorksWithClosedStreams) {
  const std::string launch = FOLDLANE_BIN "/mpiexec -n 2 sh -c 'cat; echo out; echo err >&2'";
  EXPECT_EQ(Subprocess({"sh", "-c", launch + " <&-"}).wait().out, "out\nout\n");
  EXPECT_EQ(Subprocess({"sh", "-c", launch + " >&-"}).wait().err, "err\nerr\n");
  EXPECT_EQ(Subprocess({"sh", "-c", launch + " <&- >&- 2>&-"}).wait().code, 0);
}

TEST(Run, KeepsLinesOfManyWritersWhole) {
  // Each line is written in two pieces, so that a launcher that forwards bytes as they come mixes them up.
  const std::string writer =
      "awk -v r=$FOLDLANE_RANK 'BEGIN { for (i = 0; i < 5000; ++i) { printf \"<%d:%d\", r, i; fflush(); "
      "printf \":%d>\\n\", r; fflush() } }'";
  const auto result = mpiexec({"-n", "8", "sh", "-c", writer});
  const std::regex whole("<([0-9]):[0-9]+:\\1>");
  const auto lines = lines_of(result.out);
  EXPECT_EQ(lines.size(), 40000u);
  EXPECT_EQ(std::set<std::string>(lines.begin(), lines.end()).size(), 40000u);
  for (const std::string& line : lines) ASSERT_TRUE(std::regex_match(line, whole)) << line;
}

TEST(Run, ShowsAPromptBeforeTheLineEnds) {
  Subprocess job(mpiexec_command({"-n", "2", "sh", "-c",
                                  "[ $FOLDLANE_RANK = 0 ] || exec sleep 1000; printf 'name? '; "
                                  "echo ready >&2; exec sleep 1000"}));
  // Nothing but the quiet moment makes the prompt come: if it did not, this read would never end.
  std::string shown;
  while (shown.find("name? ") == std::string::npos) shown = job.read_some();
  job.signal(SIGTERM);
  EXPECT_EQ(job.wait().code, 143);
}

TEST(Run, LosesNoOutputOfACrashingRank) {
  const auto result =
      mpiexec({"-n", "2", "sh", "-c",
               "printf 'last words'; [ $FOLDLANE_RANK = 1 ] && kill -SEGV $$; exec sleep 1000"});
  EXPECT_EQ(result.code, 139);
  EXPECT_NE(result.out.find("last words"), std::string::npos);
}

TEST(Run, PassesBytesOfASingleRankUnchanged) {
  std::string bytes;
  for (int i = 0; i < 300000; ++i) bytes += static_cast<char>(i * 31 + i / 256);
  EXPECT_TRUE(mpiexec({"-n", "1", "cat"}, bytes).out == bytes);
}

TEST(Run, DoesNotStallOrLoseTextWhenTheReaderIsSlow) {
  const std::string script = FOLDLANE_BIN "/mpiexec -n 4 sh -c 'seq 1 100000' | { sleep 0.3; wc -l; }";
  EXPECT_EQ(lines_of(Subprocess({"sh", "-c", script}).wait().out).at(0), "400000");
}

TEST(Run, EndsQuietlyWhenTheReaderLeaves) {
  Subprocess job(mpiexec_command({"-n", "4", "yes"}));
  job.read_lines(1);
  job.close_stdout();
  const auto result = job.wait();
  EXPECT_EQ(result.code, 128 + SIGPIPE);
  EXPECT_EQ(result.err, "");
}

TEST(Run, ReportsOutputThatCannotBeWritten) {
  const auto result = Subprocess({"sh", "-c", FOLDLANE_BIN "/mpiexec -n 2 echo hello > /dev/full"}).wait();
  EXPECT_NE(result.code, 0);
  EXPECT_NE(result.err.find("No space left"), std::string::npos) << result.err;
}

TEST(Run, BindsAndReports) {
  const auto result = mpiexec({"-n", "1", "--bind-to", "hwthread", "--report-bindings", "sh", "-c",
                               "grep Cpus_allowed_list /proc/self/status"});
  const auto cpu = result.out.substr(result.out.find('\t') + 1);
  EXPECT_NE(result.err.find("rank 0 on CPUs " + cpu.substr(0, cpu.size() - 1) + " ("), std::string::npos)
      << result.out << result.err;
  const auto unbound = mpiexec({"-n", "2", "-bind-to", "none", "-report-bindings", "true"});
  EXPECT_NE(unbound.err.find("rank 1 is not bound"), std::string::npos);
}

TEST(Run, BindsToAsManyCpusAsAskedFor) {
  const auto result = mpiexec({"--cpus-per-rank", "1", "--report-bindings", "-n", "1", "sh", "-c",
                               "grep Cpus_allowed_list /proc/self/status"});
  EXPECT_TRUE(std::regex_match(result.out, std::regex("Cpus_allowed_list:\\s[0-9]+\n"))) << result.out;
  EXPECT_NE(result.err.find("bound as asked for"), std::string::npos) << result.err;
  const auto many = mpiexec({"--cpus-per-rank", "100000", "-n", "2", "true"});
  EXPECT_EQ(many.code, 1);
  EXPECT_NE(many.err.find("--cpus-per-rank 100000 with 2 ranks takes 200000 CPUs, "), std::string::npos);
  const auto contradiction = mpiexec({"--cpus-per-rank", "1", "--bind-to", "core", "-n", "1", "true"});
  EXPECT_EQ(contradiction.code, 2);
  EXPECT_NE(contradiction.err.find("contradict each other"), std::string::npos);
}

TEST(Run, TellsRanksHowMuchTheyMayKeep) {
  const auto result =
      mpiexec({"--unexpected-limit", "2M", "-n", "1", "sh", "-c", "echo $FOLDLANE_UNEXPECTED_LIMIT"});
  EXPECT_EQ(result.out, "2097152\n") << result.err;
  const auto too_little = mpiexec({"--unexpected-limit", "1K", "-n", "1", "true"});
  EXPECT_EQ(too_little.code, 2);
  EXPECT_NE(too_little.err.find("--unexpected-limit"), std::string::npos) << too_little.err;
}

TEST(Run, StartsManyRanks) {
  const auto result = mpiexec({"-n", "256", "sh", "-c", "ulimit -n; exec echo $FOLDLANE_RANK"}, {}, {});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(lines_of(result.out).size(), 512u);
  const auto limited =
      Subprocess({"sh", "-c", "ulimit -Sn 64; " FOLDLANE_BIN "/mpiexec -n 64 sh -c 'ulimit -n'"}).wait();
  EXPECT_EQ(limited.code, 0) << limited.err;
  EXPECT_EQ(sorted_lines(limited.out), Lines(64, "64"));  // the raised limit is the launcher's alone
}

TEST(Run, SurvivesAStderrThatTakesNothing) {
  const auto result = Subprocess({"sh", "-c", FOLDLANE_BIN "/mpiexec -n 1 false 2>/dev/full"}).wait();
  EXPECT_EQ(result.code, 1);
}

TEST(Run, StopsAfterTheTimeout) {
  for (const auto& result : {mpiexec({"--timeout", "0.2", "-n", "2", "sleep", "1000"}),
                             mpiexec({"-n", "2", "sleep", "1000"}, {}, {{"MPIEXEC_TIMEOUT", "1"}})}) {
    EXPECT_EQ(result.code, 124);
    EXPECT_NE(result.err.find("--timeout"), std::string::npos);
    EXPECT_NE(result.err.find("2 ranks ended"), std::string::npos);
  }
}

TEST(Run, TheCommandLineTimeoutWinsOverTheEnvironment) {
  const auto result =
      mpiexec({"--timeout", "0.2", "-n", "1", "sleep", "1000", ":", "-n", "1", "sleep", "1000"}, {},
              {{"MPIEXEC_TIMEOUT", "900"}});
  EXPECT_EQ(result.code, 124);
  EXPECT_NE(result.err.find("0.2 s"), std::string::npos) << result.err;
}

TEST(Run, NestsInsideARank) {
  const auto result =
      mpiexec({"-n", "2", FOLDLANE_BIN "/mpiexec", "-n", "3", "sh", "-c", "echo $FOLDLANE_SIZE"});
  EXPECT_EQ(lines_of(result.out), Lines(6, "3"));
}

TEST(Run, AnswersHelpAndVersion) {
  for (const char* option : {"-h", "--help", "-help", "--version", "-version", "-V"}) {
    const auto result = mpiexec({option});
    EXPECT_EQ(result.code, 0) << option;
    EXPECT_FALSE(result.out.empty());
  }
}

}  // namespace
}  // namespace foldlane::tests
