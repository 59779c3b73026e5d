// Every function that the library does not implement returns MPI_ERR_UNSUPPORTED_OPERATION and names itself,
// on whatever handler it is due.
#include <algorithm>
#include <string>

#include "api/call_table.hpp"
#include "mpi_world.hpp"

namespace {

using foldlane::testing::error_string;
using foldlane::testing::ErrorsReturn;

struct UnsupportedCall {
  const char* name;
  int (*call)();
};

const UnsupportedCall kUnsupported[] = {
#include "unsupported_calls.inc"
};

TEST(Unsupported, EveryCallNamesItself) {
  ErrorsReturn errors_return;
  for (const UnsupportedCall& unsupported : kUnsupported) {
    ASSERT_EQ(unsupported.call(), MPI_ERR_UNSUPPORTED_OPERATION) << unsupported.name;
    ASSERT_NE(
        error_string(MPI_ERR_UNSUPPORTED_OPERATION).find(std::string(": ") + unsupported.name + ": not"),
        std::string::npos)
        << error_string(MPI_ERR_UNSUPPORTED_OPERATION);
  }
}

TEST(Unsupported, NamesTheCommunicatorAndSaysWhereTheSupportedCallsAre) {
  ErrorsReturn errors_return;
  EXPECT_EQ(MPI_Send(nullptr, 0, MPI_INT, 0, 0, MPI_COMM_WORLD), MPI_ERR_UNSUPPORTED_OPERATION);
  const std::string text = error_string(MPI_ERR_UNSUPPORTED_OPERATION);
  EXPECT_NE(text.find("MPI_Send on MPI_COMM_WORLD: not supported by Foldlane "), std::string::npos) << text;
  EXPECT_NE(text.find("foldlane info --calls"), std::string::npos) << text;
}

TEST(Unsupported, FilesReturnByDefault) {
  MPI_File file = MPI_FILE_NULL;
  EXPECT_EQ(MPI_File_open(MPI_COMM_WORLD, "x", MPI_MODE_RDONLY, MPI_INFO_NULL, &file),
            MPI_ERR_UNSUPPORTED_OPERATION);
  EXPECT_EQ(MPI_File_close(&file), MPI_ERR_UNSUPPORTED_OPERATION);
  EXPECT_EQ(MPI_File_sync(MPI_FILE_NULL), MPI_ERR_UNSUPPORTED_OPERATION);
}

TEST(UnsupportedDeathTest, OtherCallsEndTheJobByDefault) {
  EXPECT_EXIT(MPI_Send(nullptr, 0, MPI_INT, 0, 0, MPI_COMM_WORLD),
              ::testing::ExitedWithCode(MPI_ERR_UNSUPPORTED_OPERATION),
              "^foldlane: rank 0: MPI_Send on MPI_COMM_WORLD: not supported by Foldlane [^\n]* "
              "\\(MPI_ERR_UNSUPPORTED_OPERATION\\)\n$");
  EXPECT_EXIT(MPI_Win_fence(0, MPI_WIN_NULL), ::testing::ExitedWithCode(MPI_ERR_UNSUPPORTED_OPERATION),
              "^foldlane: rank 0: MPI_Win_fence: not supported");
}

TEST(CallTable, HoldsAllFunctionsOnceAndTheirState) {
  const auto table = foldlane::api::call_table();
  EXPECT_EQ(table.size(), 664U);
  const auto supported = [&](const char* name) {
    const auto row =
        std::find_if(table.begin(), table.end(), [&](const auto& info) { return info.name == name; });
    EXPECT_NE(row, table.end()) << name;
    return row != table.end() && row->supported;
  };
  EXPECT_TRUE(supported("MPI_Allreduce") && supported("MPI_Allreduce_c") && supported("MPI_Wtime"));
  EXPECT_FALSE(supported("MPI_Send") || supported("MPI_File_open"));
  const auto count =
      std::count_if(table.begin(), table.end(), [](const auto& info) { return !info.supported; });
  EXPECT_EQ(static_cast<std::size_t>(count), std::size(kUnsupported));
}

}  // namespace
