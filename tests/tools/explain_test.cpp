// `foldlane explain`: a form of a collective has the plan of the blocking call, and says how it gets on.
#include <gtest/gtest.h>

#include <algorithm>

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

}  // namespace
}  // namespace foldlane::tests
