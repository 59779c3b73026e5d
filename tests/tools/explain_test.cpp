// `foldlane explain`: a form of a collective has the plan of the blocking call, and says how it gets on; what
// reorder saves.
#include <gtest/gtest.h>

#include <algorithm>
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

CommandResult explain_graph(const std::string& edges) {
  const std::string file = testing::TempDir() + "explain_edges";
  std::ofstream(file) << edges;
  return Subprocess({FOLDLANE_BIN "/foldlane", "explain", "dist_graph_create", "--edges", file, "--topology",
                     "package:2 l3:1 core:2 pu:1"})
      .wait();
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

TEST(ExplainReorder, RefusesWhatHasNoRanks) {
  const std::pair<std::vector<std::string>, const char*> cases[] = {
      {{}, "cart_create takes --dims"},
      {{"--dims", "2", "--edges", "x"}, "dist_graph_create takes --edges"},
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
