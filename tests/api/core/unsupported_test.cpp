// Every function that the library does not implement returns MPI_ERR_UNSUPPORTED_OPERATION and names itself,
// on whatever handler it is due.
#include <algorithm>
#include <cstdlib>
#include <regex>
#include <string>

#include "api/core/call_table.hpp"
#include "support/mpi_world.hpp"

namespace {

using foldlane::testing::error_string;
using foldlane::testing::ErrorsReturn;

/// Neither null nor the handle of anything.
template <class Handle>
const Handle kGarbage = reinterpret_cast<Handle>(0x7777);

template <class Handle>
Handle given = kGarbage<Handle>;

/// Where the calls below find or leave a handle.
template <class Handle>
Handle* handle() {
  given<Handle> = kGarbage<Handle>;
  return &given<Handle>;
}

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

/// Which null handles the call has left behind.
std::string nulls_after(const UnsupportedCall& unsupported) {
  handle<MPI_Comm>(), handle<MPI_File>(), handle<MPI_Request>(), handle<MPI_Win>();
  unsupported.call();
  std::string nulls;
  if (given<MPI_Comm> == MPI_COMM_NULL) nulls += "comm";
  if (given<MPI_File> == MPI_FILE_NULL) nulls += "file";
  if (given<MPI_Request> == MPI_REQUEST_NULL) nulls += "request";
  if (given<MPI_Win> == MPI_WIN_NULL) nulls += "win";
  return nulls;
}

/// By its name; calls that only work on objects, or make none of these kinds, leave nothing.
std::string nulls_due(const std::string& name) {
  const auto is = [&](const char* expression) { return std::regex_match(name, std::regex(expression)); };
  if (is("MPI_(Start|Cancel|Startall|File_close|Win_free)")) return "";
  if (is("MPI_File_open")) return "file";
  if (is("MPI_Win_(create|allocate)(_dynamic|_shared)?(_c)?")) return "win";
  if (is("MPI_Comm_(accept|connect|join|spawn|spawn_multiple)")) return "comm";
  if (is("MPI_Grequest_start")) return "request";
  if (is("MPI_File_(iread|iwrite).*|MPI_R(get|put|accumulate|get_accumulate)(_c)?")) return "request";
  if (is("MPI_(I|Buffer_i|Comm_i|Session_i)[a-z].*|MPI_.*_init(_c)?")) {
    return is("MPI_(Improbe|Iprobe)") ? "" : "request";
  }
  return "";
}

TEST(Unsupported, LeavesNullWhereTheCallWouldPutWhatItMakes) {
  ErrorsReturn errors_return;
  for (const UnsupportedCall& unsupported : kUnsupported)
    EXPECT_EQ(nulls_after(unsupported), nulls_due(unsupported.name)) << unsupported.name;
}

int spawn() {
  MPI_Comm spawned = MPI_COMM_NULL;
  return MPI_Comm_spawn("x", MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &spawned,
                        MPI_ERRCODES_IGNORE);
}

TEST(Unsupported, NamesTheCommunicatorAndSaysWhereTheSupportedCallsAre) {
  ErrorsReturn errors_return;
  EXPECT_EQ(spawn(), MPI_ERR_UNSUPPORTED_OPERATION);
  const std::string text = error_string(MPI_ERR_UNSUPPORTED_OPERATION);
  EXPECT_NE(text.find("MPI_Comm_spawn on MPI_COMM_WORLD: not supported by Foldlane "), std::string::npos)
      << text;
  EXPECT_NE(text.find("foldlane info --calls"), std::string::npos) << text;
}

int open_a_file() {
  MPI_File file = MPI_FILE_NULL;
  return MPI_File_open(MPI_COMM_WORLD, "x", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
}

/// A program that does not look at the code would not know why it has no file.
TEST(UnsupportedDeathTest, FilesReturnByDefaultAfterOneLineForEachCall) {
  EXPECT_EXIT(
      {
        for (int round = 0; round < 3; ++round) {
          if (open_a_file() != MPI_ERR_UNSUPPORTED_OPERATION) std::abort();
          if (MPI_File_sync(MPI_FILE_NULL) != MPI_ERR_UNSUPPORTED_OPERATION) std::abort();
        }
        std::exit(7);
      },
      ::testing::ExitedWithCode(7),
      "^foldlane: rank 0: MPI_File_open: not supported by Foldlane [^\n]*\n"
      "foldlane: rank 0: MPI_File_sync: not supported by Foldlane [^\n]*\n$");
}

void end_well(MPI_File*, int*, ...) { std::exit(7); }

TEST(UnsupportedDeathTest, FilesWithAHandlerOfTheProgramPrintNothing) {
  EXPECT_EXIT(
      {
        MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
        MPI_File_create_errhandler(end_well, &handler);
        MPI_File_set_errhandler(MPI_FILE_NULL, handler);
        open_a_file();
      },
      ::testing::ExitedWithCode(7), "^$");
}

TEST(UnsupportedDeathTest, OtherCallsEndTheJobByDefault) {
  EXPECT_EXIT(spawn(), ::testing::ExitedWithCode(MPI_ERR_UNSUPPORTED_OPERATION),
              "^foldlane: rank 0: MPI_Comm_spawn on MPI_COMM_WORLD: not supported by Foldlane [^\n]* "
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
  EXPECT_FALSE(supported("MPI_Comm_spawn") || supported("MPI_File_open"));
  const auto count =
      std::count_if(table.begin(), table.end(), [](const auto& info) { return !info.supported; });
  EXPECT_EQ(static_cast<std::size_t>(count), std::size(kUnsupported));
}

}  // namespace
