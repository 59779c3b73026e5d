// Runs of the suites for users: their summaries, files and exit codes, against peers that are made here.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "support/bench_run.hpp"
#include "support/fake_peer.hpp"

namespace foldlane::bench {
namespace {

using nlohmann::json;

/// No peer is found, whatever is installed.
const tests::Subprocess::Environment kNoPeers{{"PATH", "/no/such/directory"}};

TEST(NeverSlowerRun, IsAnErrorWithoutPeers) {
  const auto result = bench({"--suite", "never-slower", "bcast", "-b", "8", "-e", "8", "-n", "2"}, kNoPeers);
  EXPECT_EQ(result.code, 1);
  EXPECT_EQ(result.out, "");
  EXPECT_NE(result.err.find("no peer to compare with"), std::string::npos) << result.err;
  const std::string missing = "--vs openmpi: there is no mpicc.openmpi";
  const std::size_t said = result.err.find(missing);
  EXPECT_NE(said, std::string::npos) << result.err;
  EXPECT_EQ(result.err.find(missing, said + 1), std::string::npos) << "said twice: " << result.err;
}

#ifndef FOLDLANE_SANITIZED
/// Ourselves under another name; its launcher counts its starts and may begin with `first`.
class OtherBuild {
 public:
  explicit OtherBuild(const std::string& first = "true")
      : peer_("echo HYDRA; echo Version: 1", "exec " FOLDLANE_BIN "/mpicc \"$@\"",
              first + "; echo started >>" + starts() + "; exec " FOLDLANE_BIN "/mpiexec \"$@\"") {}
  std::string path() const { return peer_.path(); }
  std::size_t number_of_starts() const { return tests::lines_of(content_of(starts())).size(); }

 private:
  std::string starts() const { return tree_.root() / "starts"; }

  FakeTree tree_;
  FakePeer peer_;
};

/// Something in which vectors matter.
tests::CommandResult contest(const OtherBuild& peer, const Words& more, bool we_are_scalar) {
  Words arguments{"--suite", "never-slower", "allreduce", "-n",   "2",        "-b",
                  "64K",     "-e",           "64K",       "--op", "max",      "--type",
                  "uint8",   "--buffers",    "hot",       "--vs", peer.path()};
  arguments.insert(arguments.end(), more.begin(), more.end());
  const tests::Subprocess::Environment scalar{{"FOLDLANE_DISABLE_ISA", "avx512,avx2,sse,neon"}};
  return bench(arguments, we_are_scalar ? scalar : tests::Subprocess::Environment{});
}

TEST(NeverSlowerRun, EndsWithCode1WhereAPeerIsFaster) {
  const OtherBuild peer("unset FOLDLANE_DISABLE_ISA");
  const auto result = contest(peer, {"--json", "-"}, true);
  EXPECT_EQ(result.code, 1) << result.err;
  EXPECT_NE(result.err.find("this takes about"), std::string::npos) << result.err;
  const json found = report_of(result).at("never_slower");
  EXPECT_EQ(found.at("cases"), 1);
  ASSERT_EQ(found.at("all").at("slower").size(), 1u) << found.dump(1);
  EXPECT_EQ(found.at("all").at("slower")[0].at("peer"), peer.path());
  EXPECT_GE(peer.number_of_starts(), 5u);
}

TEST(NeverSlowerRun, EndsWithCode0WhereAllPeersAreSlower) {
  const OtherBuild peer("export FOLDLANE_DISABLE_ISA=avx512,avx2,sse,neon");
  const auto result = contest(peer, {"--quiet", "--md", "/dev/null"}, false);
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(result.err, "");
  EXPECT_NE(result.out.find("Never slower than the best peer? 1 case\n"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("geometric means"), std::string::npos) << result.out;
}
#endif

TEST(ReportRun, WritesAllAboutTheMachineToAFileAndSaysWhatToDoWithIt) {
  const FakeTree tree;
  const std::string there = "cd " + tree.root().string() + " && exec \"$0\" \"$@\"";
  Words command{"/bin/sh", "-c", there};
  for (const std::string& word : bench_command({"--suite", "report", "bcast", "fold", "-b", "8", "-e", "8"}))
    command.push_back(word);
  const auto result = tests::Subprocess(command, {}, kNoPeers).wait();
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_NE(result.out.find("The report is in foldlane-report.json. Please send"), std::string::npos)
      << result.out;
  const json report = json::parse(content_of(tree.root() / "foldlane-report.json"));
  EXPECT_GE(report.at("cases").size(), 2u);
  const json machine = report.at("machine_report");
  EXPECT_EQ(machine.at("cpus").size(), machine.at("info").at("machine").at("processing_units"));
  EXPECT_TRUE(machine.at("cpus")[0].contains("numa_node"));
  EXPECT_FALSE(machine.at("info").at("isa").empty());
  const auto huge_pages = machine.at("info").at("memory").at("huge_pages").get<std::string>();
  EXPECT_TRUE(huge_pages.starts_with("granted, ") || huge_pages.starts_with("not granted: ")) << huge_pages;
  const json plan = machine.at("plans")[0];
  EXPECT_EQ(plan.at("call"), "bcast");
  EXPECT_EQ(plan.at("ranks"), 2);
  EXPECT_NE(plan.at("text").get<std::string>().find("inline"), std::string::npos) << plan.dump(1);
  const std::filesystem::path build = std::filesystem::path(FOLDLANE_BIN).parent_path();
  EXPECT_EQ(report.dump().find(build.string()), std::string::npos) << "a path of the user";
}

}  // namespace
}  // namespace foldlane::bench
