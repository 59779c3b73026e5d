// `foldlane explain`: a form of a collective has the plan of the blocking call, and says how it gets on; what
// reorder saves.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "subprocess.hpp"

namespace foldlane::tests {
namespace {

CommandResult explain(const std::string& call) {
  return Subprocess({FOLDLANE_BIN "/foldlane", "explain", call, "-n", "8", "-b", "64K", "--topology",
                     "package:1 l3:1 core:8 pu:1"})
      .wait();
}

struct FormCase {
  const char* call;
  const char* blocking;
  const char* line;
};

class ExplainForm : public testing::TestWithParam<FormCase> {};

TEST_P(ExplainForm, HasThePlanOfTheBlockingCallAndALineOfItsOwn) {
  const CommandResult blocking = explain(GetParam().blocking), form = explain(GetParam().call);
  ASSERT_EQ(blocking.code, 0) << blocking.err;
  ASSERT_EQ(form.code, 0) << form.err;
  auto lines = lines_of(form.out);
  const auto own = std::find_if(lines.begin(), lines.end(),
                                [](const std::string& line) { return line.starts_with(GetParam().line); });
  ASSERT_NE(own, lines.end()) << form.out;
  lines.erase(own);
  EXPECT_EQ(lines, lines_of(blocking.out));
}
INSTANTIATE_TEST_SUITE_P(Explain, ExplainForm,
                         testing::Values(FormCase{"iallreduce", "allreduce", "nonblocking: "},
                                         FormCase{"allreduce_init", "allreduce", "persistent: "},
                                         FormCase{"ibarrier", "barrier", "nonblocking: "},
                                         FormCase{"reduce_scatter_block_init", "reduce_scatter_block",
                                                  "persistent: "}));

TEST(Explain, NamesTheKnownCollectives) {
  for (const char* call : {"iiallreduce", "iallreduce_init", "comm_dup", "all"}) {
    const CommandResult result = explain(call);
    EXPECT_EQ(result.code, 2) << call;
    EXPECT_NE(result.err.find(std::string("no collective '") + call + "'"), std::string::npos) << result.err;
    EXPECT_NE(result.err.find("reduce_scatter_block"), std::string::npos) << result.err;
  }
}

CommandResult explain_grid(std::vector<std::string> options) {
  options.insert(options.begin(), {FOLDLANE_BIN "/foldlane", "explain", "cart_create", "--topology",
                                   "package:2 l3:8 core:8 pu:1"});
  return Subprocess(options).wait();
}

TEST(ExplainReorder, OfAGridPrintsWhatCrossesEachLevel) {
  const CommandResult result = explain_grid({"--dims", "8x4x4", "--round-robin", "package", "-b", "1K"});
  ASSERT_EQ(result.code, 0) << result.err;
  const auto lines = lines_of(result.out);
  ASSERT_EQ(lines.size(), 6U) << result.out;
  EXPECT_EQ(lines[0],
            "cart_create: 8 x 4 x 4, 128 ranks, placed round robin by package, 1024 bytes to each neighbour");
  EXPECT_EQ(lines[1], "bytes that cross       ranks as they are           reordered");
  EXPECT_EQ(lines[2], "between packages                  196608               32768");
  EXPECT_EQ(lines[3], "between NUMA nodes                     0                   0");
  EXPECT_EQ(lines[4], "between caches                    425984              229376");
}

TEST(ExplainReorder, SaysIfNothingIsBetter) {
  const CommandResult result = explain_grid({"--dims", "128", "--periodic"});
  EXPECT_NE(result.out.find("128, periodic, 128 ranks, 8 bytes"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("ranks stay as they are"), std::string::npos) << result.out;
}

/// With ranks as they are: "between packages, between caches".
std::string crossing(const CommandResult& result) {
  std::string found;
  for (const std::string& line : lines_of(result.out)) {
    if (!line.starts_with("between packages") && !line.starts_with("between caches")) continue;
    const std::string column = line.substr(20, 20);
    found += (found.empty() ? "" : ", ") + column.substr(column.find_last_of(' ') + 1);
  }
  return found;
}

/// Of 8 x 16 ranks each package has four rows, and each cache half a row. So 16 edges go each way between the
/// fourth row and the fifth, and as many between the last and the first; between caches 16 for each two rows
/// that meet, and one in each row, or two if its ends meet.
TEST(ExplainReorder, OfAGridMayBePeriodicInSomeDimensions) {
  const std::pair<std::vector<std::string>, const char*> cases[] = {
      {{"--dims", "8x16"}, "256, 1920"},
      {{"--dims", "8x16", "--periodic"}, "512, 2304"},
      {{"--dims", "8x16", "--periodic", "1,1"}, "512, 2304"},
      {{"--dims", "8x16", "--periodic", "1,0"}, "512, 2176"},
      {{"--dims", "8x16", "--periodic=0,1"}, "256, 2048"},
      {{"--dims", "128", "--periodic", "0"}, "16, 240"},
      {{"--dims", "128", "--periodic", "1"}, "32, 256"}};
  for (const auto& [options, bytes] : cases)
    EXPECT_EQ(crossing(explain_grid(options)), bytes) << options.back();
  const CommandResult some = explain_grid({"--dims", "8x4x4", "--periodic", "1,0,1"});
  EXPECT_NE(some.out.find("8 x 4 x 4, periodic 1,0,1, 128 ranks"), std::string::npos) << some.out << some.err;
}

TEST(ExplainReorder, TakesPeriodicAloneInFrontOfTheCall) {
  const CommandResult result =
      Subprocess({FOLDLANE_BIN "/foldlane", "explain", "--periodic", "cart_create", "--dims", "2x2"}).wait();
  EXPECT_NE(result.out.find("2 x 2, periodic, 4 ranks"), std::string::npos) << result.out << result.err;
}

TEST(ExplainReorder, RefusesPeriodsThatAreNotOneForEachDimension) {
  for (const char* wrong : {"1,0,1", "1", "1,2", "1,", ",1", "10,1", "1,0,", "0,,1", "1,0 ", "yes,no"}) {
    const CommandResult result = explain_grid({"--dims", "8x16", std::string("--periodic=") + wrong});
    EXPECT_EQ(result.code, 1) << wrong;
    EXPECT_NE(result.err.find("takes 0 or 1 for each of 2 dimensions, not '" + std::string(wrong) + "'"),
              std::string::npos)
        << result.err;
  }
}

CommandResult explain_graph(const std::string& edges, const std::string& call = "dist_graph_create",
                            const std::vector<std::string>& more = {}) {
  const std::string file = testing::TempDir() + "explain_edges";
  std::ofstream(file) << edges;
  std::vector<std::string> words{FOLDLANE_BIN "/foldlane",    "explain", call, "--edges", file, "--topology",
                                 "package:2 l3:1 core:2 pu:1"};
  words.insert(words.end(), more.begin(), more.end());
  CommandResult result = Subprocess(words).wait();
  std::remove(file.c_str());
  return result;
}

TEST(ExplainReorder, OfAGraphReadsItsEdges) {
  const CommandResult result = explain_graph("0 3 5\n\n1 2\n 3 0\n");
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_NE(result.out.find("3 edges, 4 ranks, 8 bytes along each"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("between packages                      56                   0"),
            std::string::npos)
      << result.out;
  for (const char* wrong : {"0", "0 x", "0 1 x", "0 1 -1", "0 1 2 3", "-1 0", "0 4096"}) {
    const CommandResult refused = explain_graph(std::string("0 1\n") + wrong + "\n");
    EXPECT_EQ(refused.code, 1);
    EXPECT_NE(refused.err.find(std::string(":2: '") + wrong + "' is not FROM TO"), std::string::npos)
        << refused.err;
  }
}

TEST(ExplainReorder, OfAGraphThatAllRanksKnowHasEdgesWithoutWeights) {
  const CommandResult result = explain_graph("0 3\n3 0\n1 2\n", "graph_create");
  ASSERT_EQ(result.code, 0) << result.err;
  const auto lines = lines_of(result.out);
  EXPECT_EQ(lines[0], "graph_create: 3 edges, 4 ranks, 8 bytes along each");
  EXPECT_EQ(lines[2], "between packages                      24                   0");
  const CommandResult weighted = explain_graph("0 1\n0 3 5\n", "graph_create");
  EXPECT_EQ(weighted.code, 1);
  EXPECT_NE(weighted.err.find(":2: '0 3 5' is not FROM TO; ranks"), std::string::npos) << weighted.err;
}

/// Ranks 0 and 1 are on two packages. A rank without a node stays out of the communicator and cannot help;
/// of a distributed graph all ranks have a place, if not all have edges.
TEST(ExplainReorder, OfAGraphMayHaveMoreRanksThanNodes) {
  for (const auto& [call, reordered] : {std::pair{"graph_create", "8"}, {"dist_graph_create", "0"}}) {
    const CommandResult result = explain_graph("0 1\n", call, {"-n", "4", "--round-robin", "package"});
    EXPECT_NE(result.out.find("1 edges, 4 ranks, placed round robin by package, 8 bytes"), std::string::npos)
        << result.out << result.err;
    EXPECT_NE(result.out.find(std::string("between packages                       8                   ") +
                              reordered),
              std::string::npos)
        << result.out;
  }
}

TEST(ExplainReorder, RefusesWhatHasNoRanks) {
  const std::pair<std::vector<std::string>, const char*> cases[] = {
      {{}, "cart_create takes --dims"},
      {{"--dims", "2", "--edges", "x"}, "graph_create and dist_graph_create take --edges"},
      {{"--dims", "0x3"}, "a grid of 0 x 3 has no ranks"},
      {{"--dims", "5000"}, "or more than 4096"},
      {{"--dims", "4x4", "-n", "3"}, "16 ranks are needed, there are 3"}};
  for (const auto& [options, why] : cases) {
    const CommandResult result = explain_grid(options);
    EXPECT_EQ(result.code, 1);
    EXPECT_NE(result.err.find(why), std::string::npos) << result.err;
  }
}

}  // namespace
}  // namespace foldlane::tests
