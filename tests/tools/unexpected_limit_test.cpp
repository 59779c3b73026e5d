// FOLDLANE_UNEXPECTED_LIMIT, for ranks that mpiexec --unexpected-limit does not reach.
#include <gtest/gtest.h>

#include <string>

#include "subprocess.hpp"

namespace foldlane::tests {
namespace {

TEST(UnexpectedLimit, IsANumberOfBytes) {
  for (const char* text : {"2M", "1024", "-1", "99999999999999999999"}) {
    const auto result = mpiexec(
        {"-x", std::string("FOLDLANE_UNEXPECTED_LIMIT=") + text, "-n", "1", FOLDLANE_RELEASED, "waitall"});
    EXPECT_NE(result.code, 0);
    const std::string expected = "MPI_Init: reading FOLDLANE_UNEXPECTED_LIMIT: '" + std::string(text) +
                                 "' is no number of bytes of 65536 or more";
    EXPECT_NE(result.err.find(expected), std::string::npos) << result.err;
  }
}

}  // namespace
}  // namespace foldlane::tests
