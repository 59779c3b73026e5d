// Peers beside us in a run: they are measured, or it is said why not, and the run goes on.
#include <gtest/gtest.h>

#include "support/bench_run.hpp"
#include "support/fake_peer.hpp"

namespace foldlane::bench {
namespace {

using nlohmann::json;

const std::string kMpich = "echo HYDRA build details:; echo '    Version:   4.2.1'";
const std::string kOurCompiler = "exec " FOLDLANE_BIN "/mpicc \"$@\"";
const std::string kOurLauncher = "exec " FOLDLANE_BIN "/mpiexec \"$@\"";

tests::CommandResult bench_against(const std::string& peer,
                                   const tests::Subprocess::Environment& environment = {}) {
  return bench({"allreduce", "-b", "8", "-e", "8", "--vs", peer, "--json", "-"}, environment);
}

/// The run is ours alone, and tells about the peer on stderr and in the report.
void expect_left_out(const tests::CommandResult& result, const Words& words) {
  EXPECT_EQ(result.code, 0);
  const json report = report_of(result);
  EXPECT_EQ(report.at("cases")[0].at("figures").size(), 1u);
  const std::string warnings = report.at("warnings").dump();
  for (const std::string& word : words) {
    EXPECT_NE(result.err.find(word), std::string::npos) << word << " in: " << result.err;
    EXPECT_NE(warnings.find(word), std::string::npos) << word << " in: " << warnings;
  }
}

TEST(BenchPeer, ThatIsMissingIsNamedWithItsPackage) {
  const FakeTree nothing;
  expect_left_out(bench_against("mpich", {{"PATH", nothing.root()}}),
                  {"--vs mpich", "mpich and libmpich-dev"});
}

TEST(BenchPeer, WithoutCompilerIsNamed) {
  const FakeTree nothing;
  expect_left_out(bench_against(nothing.root()), {nothing.root().string() + "/bin/mpicc"});
}

TEST(BenchPeer, WhoseCompilerFailsIsNamed) {
  const FakePeer peer(kMpich, "echo no header there; exit 1");
  expect_left_out(bench_against(peer.path()), {peer.path(), "cannot build", "no header there"});
}

TEST(BenchPeer, WhoseLauncherEndsAtOnceIsNamed) {
  const FakePeer peer(kMpich, "exit 0", "echo out of order >&2; exit 1");
  expect_left_out(bench_against(peer.path()), {peer.path(), "before its ranks were ready", "out of order"});
}

#ifndef FOLDLANE_SANITIZED
TEST(BenchPeer, IsMeasuredAndVerifiedLikeUs) {
  const FakePeer peer(kMpich, kOurCompiler, kOurLauncher);
  const auto result = bench_against(peer.path());
  EXPECT_EQ(result.code, 0) << result.err;
  const json report = report_of(result);
  EXPECT_EQ(report.at("peers")[0].at("version"), "MPICH 4.2.1");
  const json figures = report.at("cases")[0].at("figures");
  ASSERT_EQ(figures.size(), 2u) << result.err;
  EXPECT_EQ(figures[1].at("who"), peer.path());
  EXPECT_GT(figures[1].at("time").at("value"), 0);
  EXPECT_GT(figures[1].at("against").at("value"), 0);
  EXPECT_EQ(figures[1].at("check").at("done"), true);
  EXPECT_EQ(figures[1].at("check").at("wrong_elements"), 0);
}
#endif

}  // namespace
}  // namespace foldlane::bench
