// The summary of `--suite p2p`, of reports made by hand.
#include "bench/suites/p2p.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "bench/suites/p2p_output.hpp"

namespace foldlane::bench {
namespace {

Estimate around(double value) { return {value, value * 0.9, value * 1.1}; }

Figure figure(const char* who, double time, std::optional<double> ratio = std::nullopt,
              const char* options = "") {
  Figure figure;
  figure.who = who;
  figure.options = options;
  figure.time = around(time);
  if (ratio) figure.against = around(*ratio);
  return figure;
}

CaseResult result(const char* call, std::uint64_t bytes, std::vector<Figure> figures) {
  CaseResult result;
  result.what = {.call = call, .bytes = bytes, .timing = Timing::back_to_back};
  result.figures = std::move(figures);
  result.bound = "handoff";
  if (result.figures.front().who == "foldlane") result.over_bound = around(1.25);
  return result;
}

Report report_of(std::vector<CaseResult> cases) {
  Report report;
  report.cases = std::move(cases);
  return report;
}

TEST(BestPeer, IsTheOneThatIsNextToUsOrAheadOfUs) {
  // Times of a run that drifted: ratios are of the same moments.
  const auto best = best_peer_of(
      result("pingpong", 8, {figure("foldlane", 1), figure("openmpi", 2, 3), figure("mpich", 4, 2.5, "-x")}));
  EXPECT_EQ(best, (BestPeer{"mpich", "-x", 4, around(2.5)}));
}

TEST(BestPeer, IsTheFastestWhereWeHaveNoFigure) {
  const auto best = best_peer_of(result("pingpong", 8, {figure("openmpi", 2), figure("mpich", 4)}));
  EXPECT_EQ(best, (BestPeer{"openmpi", "", 2, std::nullopt}));
  EXPECT_EQ(best_peer_of(result("pingpong", 8, {figure("foldlane", 1)})), std::nullopt);
}

TEST(SizeMeans, AreOfMessagesUpTo2KiBAndOfLongerOnes) {
  const auto contest = [](const char* call, std::uint64_t bytes, double ratio) {
    return result(call, bytes, {figure("foldlane", 1), figure("mpich", ratio, ratio)});
  };
  const auto means = means_by_size(
      report_of({contest("pingpong", 8, 2), contest("pingpong", 2048, 8), contest("pingpong", 2049, 3),
                 contest("stream", 8, 5), contest("allreduce", 8, 100)}));
  ASSERT_EQ(means.size(), 2u);
  EXPECT_EQ(means[0].call, "pingpong");
  EXPECT_DOUBLE_EQ(means[0].small.value().value, 4);
  EXPECT_DOUBLE_EQ(means[0].large.value().value, 3);
  EXPECT_DOUBLE_EQ(means[1].small.value().value, 5);
  EXPECT_EQ(means[1].large, std::nullopt);
}

TEST(P2pText, HasHalfRoundTripsAndRatesBesideLimitsAndTheBestPeer) {
  const Report report = report_of(
      {result("pingpong", 8, {figure("foldlane", 0.06), figure("openmpi", 0.12, 2, "--mca x y")}),
       result("stream", 8, {figure("foldlane", 0.025), figure("mpich", 0.05, 2)}),
       result("stream", 1 << 20, {figure("mpich", 50)}), result("exchange", 8, {figure("foldlane", 0.06)})});
  EXPECT_EQ(p2p_table(report, false), R"(
Half a round trip of MPI_Send and MPI_Recv
size           buffers  ours, us  x limit      best peer, us  its time / ours         best peer
8 B   2 ranks  hot      0.060     1.2 handoff  0.120          2.000 [1.800 .. 2.200]  openmpi --mca x y

Messages one way by MPI_Isend, MPI_Irecv, MPI_Waitall, up to 64 in flight
size            buffers  ours, rate     x limit      best peer, rate  its time / ours         best peer
8 B    2 ranks  hot      40.0 M/s       1.2 handoff  20.0 M/s         2.000 [1.800 .. 2.200]  mpich
1 MiB  2 ranks  hot      not supported               21.0 GB/s        -                       mpich

The best peer's time / ours by size, geometric means
call      up to 2 KiB             above
pingpong  2.000 [2.000 .. 2.000]  -
stream    2.000 [2.000 .. 2.000]  -
)");
  EXPECT_NE(p2p_markdown(report).find("| 8 B | 2 ranks | hot | 40.0 M/s | 1.2 handoff | 20.0 M/s |"),
            std::string::npos)
      << p2p_markdown(report);
}

TEST(P2pText, LeavesOutWhatWasNotMeasured) {
  EXPECT_EQ(p2p_table(report_of({result("exchange", 8, {figure("foldlane", 0.06)})}), false), "");
}

TEST(P2pJson, HasTheMeans) {
  const nlohmann::json found =
      p2p_json(report_of({result("pingpong", 8, {figure("foldlane", 1), figure("mpich", 2, 2)})}));
  EXPECT_EQ(found.at("small_up_to"), 2048);
  EXPECT_DOUBLE_EQ(found.at("geometric_means").at("pingpong").at("small").at("value"), 2);
  EXPECT_TRUE(found.at("geometric_means").at("pingpong").at("large").is_null());
}

}  // namespace
}  // namespace foldlane::bench
