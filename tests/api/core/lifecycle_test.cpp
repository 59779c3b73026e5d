// What is allowed before MPI_Init and after MPI_Finalize, the thread levels, and MPI_Abort. Every case runs
// in a process of its own, because MPI starts and ends once per process.
#include <gtest/gtest.h>
#include <mpi.h>

#include <cstdlib>
#include <string>
#include <thread>

#include "support/expect.h"

namespace {

constexpr int kPassed = 77;

int flag_of(int (*call)(int*)) {
  int flag = -1;
  expect(call(&flag) == MPI_SUCCESS);
  return flag;
}

void ignore_error(MPI_Comm*, int*, ...) {}

void add_and_remove_errors() {
  int error_class = -1, code = -1;
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  expect(MPI_Add_error_class(&error_class) == MPI_SUCCESS);
  expect(MPI_Add_error_code(error_class, &code) == MPI_SUCCESS);
  expect(MPI_Add_error_string(code, "mine") == MPI_SUCCESS);
  expect(MPI_Remove_error_string(code) == MPI_SUCCESS);
  expect(MPI_Remove_error_code(code) == MPI_SUCCESS);
  expect(MPI_Remove_error_class(error_class) == MPI_SUCCESS);
  expect(MPI_Comm_create_errhandler(ignore_error, &handler) == MPI_SUCCESS);
  expect(MPI_Errhandler_free(&handler) == MPI_SUCCESS);
}

void use_infos() {
  MPI_Info info = MPI_INFO_NULL;
  int count = 0;
  expect(MPI_Info_create(&info) == MPI_SUCCESS && MPI_Info_set(info, "key", "value") == MPI_SUCCESS);
  expect(MPI_Info_get_nkeys(info, &count) == MPI_SUCCESS && count == 1);
  expect(MPI_Info_free(&info) == MPI_SUCCESS);
  expect(MPI_Info_create_env(0, nullptr, &info) == MPI_SUCCESS && MPI_Info_free(&info) == MPI_SUCCESS);
  expect(MPI_Abi_get_info(&info) == MPI_SUCCESS && MPI_Info_free(&info) == MPI_SUCCESS);
}

void call_what_is_always_allowed() {
  int major = 0, minor = -1, length = 0, error_class = -1;
  char text[MPI_MAX_LIBRARY_VERSION_STRING];
  expect(MPI_Get_version(&major, &minor) == MPI_SUCCESS && major == 5 && minor == 0);
  expect(MPI_Abi_get_version(&major, &minor) == MPI_SUCCESS && major == 1 && minor == 0);
  expect(MPI_Get_library_version(text, &length) == MPI_SUCCESS &&
         std::string(text).rfind("Foldlane ", 0) == 0);
  expect(std::string(text).size() == static_cast<std::size_t>(length));
  expect(MPI_Error_class(MPI_ERR_ROOT, &error_class) == MPI_SUCCESS && error_class == MPI_ERR_ROOT);
  expect(MPI_Error_string(MPI_ERR_ROOT, text, &length) == MPI_SUCCESS);
  expect(MPI_Comm_fromint(MPI_Comm_toint(MPI_COMM_WORLD)) == MPI_COMM_WORLD);
  expect(MPI_Type_toint(MPI_INT) == 0x209 && MPI_Op_fromint(0x21) == MPI_SUM);
  expect(MPI_Aint_diff(MPI_Aint_add(1000, -24), 900) == 76);
  expect(MPI_Wtick() > 0 && MPI_Wtick() < 1e-3);
  expect(MPI_Pcontrol(1, "anything", 2) == MPI_SUCCESS);
  add_and_remove_errors();
  use_infos();
  expect(MPI_T_init_thread(MPI_THREAD_SINGLE, &length) == MPI_SUCCESS && MPI_T_finalize() == MPI_SUCCESS);
}

class LifecycleDeathTest : public ::testing::Test {
 protected:
  LifecycleDeathTest() { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

TEST_F(LifecycleDeathTest, FromStartToEnd) {
  EXPECT_EXIT(
      {
        expect(flag_of(MPI_Initialized) == 0 && flag_of(MPI_Finalized) == 0);
        call_what_is_always_allowed();
        expect(MPI_Init(nullptr, nullptr) == MPI_SUCCESS);
        expect(flag_of(MPI_Initialized) == 1 && flag_of(MPI_Finalized) == 0);
        call_what_is_always_allowed();
        expect(MPI_Finalize() == MPI_SUCCESS);
        expect(flag_of(MPI_Initialized) == 1 && flag_of(MPI_Finalized) == 1);
        call_what_is_always_allowed();
        std::exit(kPassed);
      },
      ::testing::ExitedWithCode(kPassed), "^$");
}

void be_one_rank() {
  int size = -1, rank = -1, length = 0;
  char host[MPI_MAX_PROCESSOR_NAME];
  MPI_Init(nullptr, nullptr);
  for (MPI_Comm comm : {MPI_COMM_WORLD, MPI_COMM_SELF}) {
    expect(MPI_Comm_size(comm, &size) == MPI_SUCCESS && size == 1);
    expect(MPI_Comm_rank(comm, &rank) == MPI_SUCCESS && rank == 0);
  }
  expect(MPI_Get_processor_name(host, &length) == MPI_SUCCESS && length > 0 && host[length] == '\0');
  const double before = MPI_Wtime();
  while (MPI_Wtime() == before) {
  }
  expect(MPI_Wtime() > before);
  MPI_Finalize();
  std::exit(kPassed);
}

TEST_F(LifecycleDeathTest, OneRankWithoutALauncher) {
  EXPECT_EXIT(be_one_rank(), ::testing::ExitedWithCode(kPassed), "^$");
}

TEST_F(LifecycleDeathTest, BeforeInit) {
  int value = 0;
  double element = 0, result = 0;
  EXPECT_EXIT(MPI_Comm_rank(MPI_COMM_WORLD, &value), ::testing::ExitedWithCode(MPI_ERR_OTHER),
              "^foldlane: MPI_Comm_rank: called before MPI_Init \\(MPI_ERR_OTHER\\)\n$");
  EXPECT_EXIT(MPI_Allreduce(&element, &result, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD),
              ::testing::ExitedWithCode(MPI_ERR_OTHER),
              "^foldlane: MPI_Allreduce: called before MPI_Init [^\n]*\n$");
  EXPECT_EXIT(MPI_Type_size(MPI_INT, &value), ::testing::ExitedWithCode(MPI_ERR_OTHER),
              "called before MPI_Init");
  EXPECT_EXIT(MPI_Finalize(), ::testing::ExitedWithCode(MPI_ERR_OTHER), "called before MPI_Init");
  EXPECT_EXIT(MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD), ::testing::ExitedWithCode(MPI_ERR_OTHER),
              "^foldlane: MPI_Send: called before MPI_Init");
  EXPECT_EXIT(MPI_Win_fence(0, MPI_WIN_NULL), ::testing::ExitedWithCode(MPI_ERR_UNSUPPORTED_OPERATION),
              "^foldlane: MPI_Win_fence: not supported");
}

TEST_F(LifecycleDeathTest, AfterFinalize) {
  EXPECT_EXIT(
      {
        MPI_Init(nullptr, nullptr);
        MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
        MPI_Finalize();
        MPI_Barrier(MPI_COMM_WORLD);
      },
      ::testing::ExitedWithCode(MPI_ERR_OTHER),
      "^foldlane: MPI_Barrier: called after MPI_Finalize \\(MPI_ERR_OTHER\\)\n$");
}

TEST_F(LifecycleDeathTest, InitTwice) {
  EXPECT_EXIT(
      {
        MPI_Init(nullptr, nullptr);
        MPI_Init(nullptr, nullptr);
      },
      ::testing::ExitedWithCode(MPI_ERR_OTHER), "^foldlane: rank 0: MPI_Init: called a second time[^\n]*\n$");
}

TEST_F(LifecycleDeathTest, InitAfterFinalize) {
  EXPECT_EXIT(
      {
        MPI_Init(nullptr, nullptr);
        MPI_Finalize();
        MPI_Init(nullptr, nullptr);
      },
      ::testing::ExitedWithCode(MPI_ERR_OTHER), "^foldlane: MPI_Init: called after MPI_Finalize[^\n]*\n$");
}

void check_thread_level(int required, int expected) {
  int provided = -1, answer = -1;
  expect(MPI_Init_thread(nullptr, nullptr, required, &provided) == MPI_SUCCESS);
  expect(provided == expected);
  expect(MPI_Query_thread(&answer) == MPI_SUCCESS && answer == expected);
  expect(flag_of(MPI_Is_thread_main) == 1);
  std::thread([] { expect(flag_of(MPI_Is_thread_main) == 0); }).join();
  MPI_Finalize();
  std::exit(kPassed);
}

TEST_F(LifecycleDeathTest, ThreadLevels) {
  const auto passed = ::testing::ExitedWithCode(kPassed);
  EXPECT_EXIT(check_thread_level(MPI_THREAD_SINGLE, MPI_THREAD_SINGLE), passed, "^$");
  EXPECT_EXIT(check_thread_level(MPI_THREAD_FUNNELED, MPI_THREAD_FUNNELED), passed, "^$");
  EXPECT_EXIT(check_thread_level(MPI_THREAD_SERIALIZED, MPI_THREAD_SERIALIZED), passed, "^$");
  EXPECT_EXIT(check_thread_level(MPI_THREAD_MULTIPLE, MPI_THREAD_MULTIPLE), passed, "^$");
  EXPECT_EXIT(check_thread_level(3, MPI_THREAD_SINGLE), ::testing::ExitedWithCode(MPI_ERR_ARG),
              "MPI_Init_thread: 3 is not a thread level");
}

void abort_with(int code) {
  MPI_Init(nullptr, nullptr);
  MPI_Abort(MPI_COMM_WORLD, code);
}

TEST_F(LifecycleDeathTest, Abort) {
  EXPECT_EXIT(abort_with(3), ::testing::ExitedWithCode(3),
              "^foldlane: rank 0: MPI_Abort on MPI_COMM_WORLD: the program ends the job with code 3\n$");
  EXPECT_EXIT(abort_with(-1), ::testing::ExitedWithCode(255), "with code -1\n$");
  EXPECT_EXIT(abort_with(512), ::testing::ExitedWithCode(1), "with code 512\n$");
  EXPECT_EXIT(abort_with(0), ::testing::ExitedWithCode(0), "with code 0\n$");
  EXPECT_EXIT(MPI_Abort(MPI_COMM_WORLD, 9), ::testing::ExitedWithCode(9), "^foldlane: MPI_Abort: ");
}

}  // namespace
