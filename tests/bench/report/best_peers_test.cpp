// Of several configurations of one peer, each case keeps the fastest.
#include "bench/report/best_peers.hpp"

#include <gtest/gtest.h>

namespace foldlane::bench {
namespace {

Figure figure(const std::string& who, const std::string& options, double time) {
  Figure result;
  result.who = who;
  result.options = options;
  result.time = {time, time, time};
  return result;
}

CaseResult result(std::vector<Figure> figures) {
  CaseResult result;
  result.figures = std::move(figures);
  return result;
}

TEST(BestPeers, AreChosenForEachCase) {
  Report report;
  report.cases = {result({figure("foldlane", "", 1), figure("mpich", "", 5), figure("mpich", "-x", 4)}),
                  result({figure("foldlane", "", 9), figure("mpich", "", 5), figure("mpich", "-x", 6)})};
  keep_best_configurations(report);
  ASSERT_EQ(report.cases[0].figures.size(), 2u);
  EXPECT_EQ(report.cases[0].figures[1], figure("mpich", "-x", 4));
  ASSERT_EQ(report.cases[1].figures.size(), 2u);
  EXPECT_EQ(report.cases[1].figures[1], figure("mpich", "", 5));
}

TEST(BestPeers, KeepTheOrderAndEverybodyElse) {
  Report report;
  report.cases = {result({figure("foldlane", "", 3), figure("openmpi", "a", 8), figure("mpich", "", 5),
                          figure("openmpi", "b", 7)})};
  keep_best_configurations(report);
  EXPECT_EQ(report.cases[0].figures,
            (std::vector{figure("foldlane", "", 3), figure("openmpi", "b", 7), figure("mpich", "", 5)}));
}

TEST(BestPeers, LackACallIfNoConfigurationHasIt) {
  Report report;
  report.cases = {result({figure("openmpi", "b", 8)})};
  report.cases[0].not_supported_by = {"openmpi", "mpich", "mpich"};
  keep_best_configurations(report);
  EXPECT_EQ(report.cases[0].not_supported_by, std::vector<std::string>{"mpich"});
}

TEST(BestPeers, AreOnePeerWithAllOptions) {
  Report report;
  report.peers = {
      {"openmpi", "Open MPI 4", ""}, {"mpich", "MPICH 4", "-y"}, {"openmpi", "Open MPI 4", "-x 1"}};
  keep_best_configurations(report);
  EXPECT_EQ(report.peers,
            (std::vector<Peer>{{"openmpi", "Open MPI 4", "no options | -x 1"}, {"mpich", "MPICH 4", "-y"}}));
}

}  // namespace
}  // namespace foldlane::bench
