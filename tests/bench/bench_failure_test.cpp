// What `foldlane bench` does when it is interrupted, when a rank dies, when results are wrong, and when it is
// compared with an earlier run.
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <fstream>
#include <regex>
#include <sstream>

#include "support/bench_run.hpp"

namespace foldlane::bench {
namespace {

using nlohmann::json;

std::string name_of(pid_t pid) {
  std::string name;
  std::getline(std::ifstream("/proc/" + std::to_string(pid) + "/comm"), name);
  return name;
}

std::vector<pid_t> descendants_of(pid_t pid) {
  const std::string number = std::to_string(pid);
  std::ifstream children("/proc/" + number + "/task/" + number + "/children");
  std::vector<pid_t> all;
  for (pid_t child = 0; children >> child;) {
    all.push_back(child);
    for (const pid_t further : descendants_of(child)) all.push_back(further);
  }
  return all;
}

/// Hundredths of a second of CPU time.
long cpu_time_of(pid_t pid) {
  std::string text;
  std::getline(std::ifstream("/proc/" + std::to_string(pid) + "/stat"), text);
  if (text.empty()) return 0;
  std::istringstream fields(text.substr(text.rfind(')') + 2));
  std::string skipped;
  for (int i = 0; i < 11; ++i) fields >> skipped;
  long user = 0, system = 0;
  fields >> user >> system;
  return user + system;
}

/// Not gone, and not waiting to be reaped.
bool is_running(pid_t pid) {
  std::string text;
  std::getline(std::ifstream("/proc/" + std::to_string(pid) + "/stat"), text);
  return !text.empty() && text.at(text.rfind(')') + 2) != 'Z';
}

/// The ranks of a run, as soon as they have used this much CPU time together (hundredths of a second). None
/// if the run has ended.
std::vector<pid_t> ranks_that_used(long wanted, pid_t run) {
  while (is_running(run)) {
    std::vector<pid_t> ranks;
    long used = 0;
    for (const pid_t pid : descendants_of(run)) {
      if (name_of(pid) != "bench-probe") continue;
      ranks.push_back(pid);
      used += cpu_time_of(pid);
    }
    if (ranks.size() == 2 && used >= wanted) return ranks;
    ::usleep(1000);
  }
  return {};
}

/// A run that takes minutes, where its temporary files are, and where those that it is to write.
struct LongRun {
  FakeTree tree;
  FakeTree output;
  tests::Subprocess process{{FOLDLANE_BIN "/foldlane", "bench", "allreduce", "scan", "-b", "8", "-e", "4M",
                             "-f", "2", "--seconds", "5", "--json", output.root() / "new.json"},
                            {},
                            {{"TMPDIR", tree.root()}}};

  /// The ranks, as soon as they are measuring: starting takes the two of them 0.02 s together. The first ones
  /// live for a second, most of which they wait. None if the run has ended.
  std::vector<pid_t> measuring_ranks() const {
    constexpr long kStarted = 5;
    return ranks_that_used(kStarted, process.pid());
  }
};

class Interruption : public testing::TestWithParam<int> {};

TEST_P(Interruption, LeavesNothing) {
  LongRun run;
  ASSERT_EQ(run.measuring_ranks().size(), 2u);
  EXPECT_FALSE(std::filesystem::is_empty(run.tree.root()));
  const auto started = descendants_of(run.process.pid());
  run.process.signal(GetParam());
  const auto result = run.process.wait();
  EXPECT_EQ(result.code, 128 + GetParam());
  EXPECT_NE(result.err.find("interrupted"), std::string::npos) << result.err;
  // Nothing if no case had a round yet.
  EXPECT_TRUE(result.out.empty() || result.out.find("Warning: interrupted") != std::string::npos)
      << result.out;
  tests::await_gone(started);
  EXPECT_TRUE(std::filesystem::is_empty(run.tree.root()));
  EXPECT_TRUE(std::filesystem::is_empty(run.output.root()));
}
INSTANTIATE_TEST_SUITE_P(Bench, Interruption, testing::Values(SIGINT, SIGTERM));

TEST(Bench, PrintsWhatItHasWhenItIsInterrupted) {
  constexpr long kSomeRounds = 20;  // of a few milliseconds; the ranks are started anew before 80
  tests::Subprocess run({FOLDLANE_BIN "/foldlane", "bench", "-b", "8", "-e", "8", "--seconds", "600"}, {});
  ASSERT_EQ(ranks_that_used(kSomeRounds, run.pid()).size(), 2u);
  run.signal(SIGINT);
  const auto result = run.wait();
  EXPECT_EQ(result.code, 128 + SIGINT);
  EXPECT_NE(result.out.find("interrupted: there are fewer rounds"), std::string::npos) << result.out;
  EXPECT_TRUE(std::regex_search(result.out, std::regex("\n *8 B +[0-9.]+ "))) << result.out;
}

TEST(Bench, TellsWhichCaseARankDiedIn) {
  LongRun run;
  const auto ranks = run.measuring_ranks();
  ASSERT_EQ(ranks.size(), 2u);
  const auto started = descendants_of(run.process.pid());
  ::kill(ranks[1], SIGKILL);
  const auto result = run.process.wait();
  EXPECT_EQ(result.code, 1);
  EXPECT_NE(result.err.find("foldlane bench: foldlane ("), std::string::npos) << result.err;
  EXPECT_NE(result.err.find(" 2 ranks"), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("a rank has"), std::string::npos) << result.err;
  tests::await_gone(started);
  EXPECT_TRUE(std::filesystem::is_empty(run.tree.root()));
}

TEST(Bench, RefusesMoreMemoryThanThereIs) {
  const auto result = bench({"-b", "8G", "-e", "8G", "-n", "256"});
  EXPECT_EQ(result.code, 1);
  EXPECT_NE(result.err.find("would take 4096.0 GiB of memory, of which "), std::string::npos) << result.err;
}

#ifdef FOLDLANE_BROKEN_MPI
TEST(Bench, CatchesWrongResults) {
  const FakeTree tree;
  const std::string file = tree.root() / "report.json";
  const auto result = bench({"allreduce", "-b", "8", "-e", "8K", "-f", "1024", "--json", file},
                            {{"LD_LIBRARY_PATH", FOLDLANE_BROKEN_MPI}});
  EXPECT_EQ(result.code, 1);
  EXPECT_NE(result.out.find("WRONG"), std::string::npos) << result.out;
  EXPECT_NE(result.err.find("wrong results"), std::string::npos) << result.err;
  std::ifstream text(file);
  const json cases = json::parse(text).at("cases");
  EXPECT_EQ(cases.at(0).at("figures")[0].at("check").at("wrong_elements"), 0);
  EXPECT_EQ(cases.at(0).at("figures")[0].at("check").at("canonical"), true);
  EXPECT_GT(cases.at(1).at("figures")[0].at("check").at("wrong_elements"), 0);
  EXPECT_EQ(cases.at(1).at("figures")[0].at("check").at("canonical"), false);
}
#endif

/// A run written to a file, and the same with all times changed.
class Baseline : public testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(bench(arguments({"--json", path("now.json")})).code, 0); }

  static Words arguments(Words more) {
    more.insert(more.begin(), {"allreduce", "-b", "8", "-e", "8"});
    return more;
  }
  std::string path(const std::string& name) const { return tree_.root() / name; }

  std::string scaled(double factor) const {
    std::ifstream file(path("now.json"));
    json report = json::parse(file);
    for (json& result : report.at("cases")) {
      for (json& bound : result.at("figures")[0].at("time")) bound = bound.get<double>() * factor;
    }
    tree_.write("scaled.json", report.dump());
    return path("scaled.json");
  }

  FakeTree tree_;
};

TEST_F(Baseline, IsComparedWithAnotherFile) {
  const std::string now = path("now.json");
  EXPECT_EQ(bench({"--compare", now, now}).code, 0);
  const std::string fast = scaled(0.1);
  EXPECT_EQ(bench({"--compare", fast, now}).code, 1);
  EXPECT_EQ(bench({"--compare", now, fast}).code, 0);
  EXPECT_EQ(bench({"--compare", fast, now, "--tolerance", "100"}).code, 0);
}

TEST_F(Baseline, IsComparedWithARun) {
  EXPECT_EQ(bench(arguments({"--vs", scaled(100)})).code, 0);
  const auto slower = bench(arguments({"--vs", scaled(0.01)}));
  EXPECT_EQ(slower.code, 1);
  EXPECT_NE(slower.out.find("slower"), std::string::npos) << slower.out;
}

TEST_F(Baseline, LeavesJsonOnStdoutWhole) {
  const auto result = bench(arguments({"--vs", scaled(0.01), "--json", "-"}));
  EXPECT_EQ(result.code, 1);
  EXPECT_TRUE(json::accept(result.out)) << result.out;
  EXPECT_NE(result.err.find("slower"), std::string::npos) << result.err;
}

TEST_F(Baseline, IsExplainedIfItCannotBeRead) {
  tree_.write("text.json", "no report");
  tree_.write("other.json", "{\"a\": 1}");
  for (const std::string& name : {path("missing.json"), path("text.json"), path("other.json")}) {
    for (const Words& use : {Words{"--vs", name}, Words{"--compare", name, path("now.json")}}) {
      const auto result = bench(use);  // of all sizes: it would be long if it measured first
      EXPECT_EQ(result.code, 1);
      EXPECT_NE(result.err.find(name), std::string::npos) << result.err;
    }
  }
}

}  // namespace
}  // namespace foldlane::bench
