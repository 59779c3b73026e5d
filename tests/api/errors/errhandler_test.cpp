// Error handlers of the program: when they are called and with what, how long they live, what may be freed.
#include <cstdlib>
#include <stdexcept>
#include <thread>
#include <vector>

#include "support/mpi_world.hpp"

namespace {

using foldlane::testing::error_string;
using foldlane::testing::ErrorsReturn;

struct Seen {
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_File file = MPI_FILE_NULL;
  int code = -1;
  int calls = 0;
  std::string text;
} seen;

extern "C" {

void note(MPI_Comm* comm, int* code, ...) {
  seen = {*comm, MPI_FILE_NULL, *code, seen.calls + 1, error_string(*code)};
  *code = -7;  // changes nothing
}

void note_file(MPI_File* file, int* code, ...) {
  seen = {MPI_COMM_NULL, *file, *code, seen.calls + 1, error_string(*code)};
}

void note_session(MPI_Session*, int*, ...) { ++seen.calls; }
void note_window(MPI_Win*, int*, ...) { ++seen.calls; }

}  // extern "C"

void throw_error(MPI_Comm*, int* code, ...) { throw std::runtime_error(std::to_string(*code)); }
void throw_no_memory(MPI_Comm*, int*, ...) { throw std::bad_alloc(); }

MPI_Errhandler create(MPI_Comm_errhandler_function* function) {
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  EXPECT_EQ(MPI_Comm_create_errhandler(function, &handler), MPI_SUCCESS);
  return handler;
}

MPI_Errhandler handler_of(MPI_Comm comm) {
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  EXPECT_EQ(MPI_Comm_get_errhandler(comm, &handler), MPI_SUCCESS);
  return handler;
}

void set_and_free(MPI_Comm comm, MPI_Comm_errhandler_function* function) {
  MPI_Errhandler handler = create(function);
  ASSERT_EQ(MPI_Comm_set_errhandler(comm, handler), MPI_SUCCESS);
  ASSERT_EQ(MPI_Errhandler_free(&handler), MPI_SUCCESS);
  EXPECT_EQ(handler, MPI_ERRHANDLER_NULL);
}

int wrong_call(MPI_Comm comm) { return MPI_Bcast(nullptr, -1, MPI_INT, 0, comm); }

class Errhandlers : public ::testing::Test {
 protected:
  Errhandlers() { seen = {}; }
  ErrorsReturn errors_return_;
};

TEST_F(Errhandlers, IsCalledWithTheCommunicatorAndTheCode) {
  set_and_free(MPI_COMM_WORLD, note);
  EXPECT_EQ(wrong_call(MPI_COMM_WORLD), MPI_ERR_COUNT);
  EXPECT_EQ(seen.calls, 1);
  EXPECT_EQ(seen.comm, MPI_COMM_WORLD);
  EXPECT_EQ(seen.code, MPI_ERR_COUNT);
  EXPECT_NE(seen.text.find("MPI_Bcast on MPI_COMM_WORLD: count is -1"), std::string::npos) << seen.text;
  EXPECT_EQ(wrong_call(MPI_COMM_SELF), MPI_ERR_COUNT);
  EXPECT_EQ(seen.calls, 1);
}

TEST_F(Errhandlers, CallsWithoutCommunicatorRaiseOnSelf) {
  set_and_free(MPI_COMM_SELF, note);
  EXPECT_EQ(MPI_Op_free(nullptr), MPI_ERR_ARG);
  EXPECT_EQ(MPI_Barrier(MPI_COMM_NULL), MPI_ERR_COMM);
  EXPECT_EQ(MPI_Win_fence(0, MPI_WIN_NULL), MPI_ERR_UNSUPPORTED_OPERATION);
  EXPECT_EQ(seen.calls, 3);
  EXPECT_EQ(seen.comm, MPI_COMM_SELF);
}

TEST_F(Errhandlers, TheHandleStaysTheSameWhileSomebodyHoldsTheHandler) {
  MPI_Errhandler handler = create(note);
  const MPI_Errhandler old = handler;
  ASSERT_EQ(MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler), MPI_SUCCESS);
  MPI_Errhandler second = handler_of(MPI_COMM_WORLD);
  EXPECT_EQ(second, old);
  EXPECT_EQ(MPI_Errhandler_free(&handler), MPI_SUCCESS);
  EXPECT_EQ(MPI_Comm_set_errhandler(MPI_COMM_SELF, second), MPI_SUCCESS);  // one handle is left
  EXPECT_EQ(MPI_Errhandler_free(&second), MPI_SUCCESS);
  EXPECT_EQ(MPI_Comm_set_errhandler(MPI_COMM_SELF, old), MPI_ERR_ERRHANDLER);
  MPI_Errhandler third = handler_of(MPI_COMM_WORLD);
  EXPECT_EQ(third, old);
  EXPECT_EQ(MPI_Comm_set_errhandler(MPI_COMM_SELF, third), MPI_SUCCESS);
  EXPECT_EQ(MPI_Errhandler_free(&third), MPI_SUCCESS);
  MPI_Errhandler copy = old;
  EXPECT_EQ(MPI_Errhandler_free(&copy), MPI_ERR_ERRHANDLER);
}

TEST_F(Errhandlers, AFreedHandleIsRecognised) {
  MPI_Errhandler handler = create(note);
  const MPI_Errhandler old = handler;
  ASSERT_EQ(MPI_Errhandler_free(&handler), MPI_SUCCESS);
  MPI_Errhandler other = create(note);
  EXPECT_NE(other, old);
  EXPECT_EQ(MPI_Comm_set_errhandler(MPI_COMM_WORLD, old), MPI_ERR_ERRHANDLER);
  EXPECT_NE(error_string(MPI_ERR_ERRHANDLER).find("does not exist; it may have been freed"),
            std::string::npos);
  EXPECT_EQ(handler_of(MPI_COMM_WORLD), MPI_ERRORS_RETURN);
  EXPECT_EQ(MPI_Errhandler_free(&other), MPI_SUCCESS);
}

// More than the table of handles has room for.
TEST_F(Errhandlers, NothingIsLeftOfAHandlerThatNobodyHolds) {
  for (int i = 0; i < 70000; ++i) {
    MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
    ASSERT_EQ(MPI_Comm_create_errhandler(note, &handler), MPI_SUCCESS);
    ASSERT_EQ(MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler), MPI_SUCCESS);
    ASSERT_EQ(MPI_Errhandler_free(&handler), MPI_SUCCESS);
  }
}

TEST_F(Errhandlers, AHandlerFitsOneKindOfObject) {
  MPI_Errhandler session = MPI_ERRHANDLER_NULL, window = MPI_ERRHANDLER_NULL, comm = create(note);
  ASSERT_EQ(MPI_Session_create_errhandler(note_session, &session), MPI_SUCCESS);
  ASSERT_EQ(MPI_Win_create_errhandler(note_window, &window), MPI_SUCCESS);
  EXPECT_EQ(MPI_Comm_set_errhandler(MPI_COMM_WORLD, session), MPI_ERR_ERRHANDLER);
  EXPECT_EQ(MPI_Comm_set_errhandler(MPI_COMM_WORLD, window), MPI_ERR_ERRHANDLER);
  EXPECT_NE(error_string(MPI_ERR_ERRHANDLER).find("created for another kind of object"), std::string::npos);
  EXPECT_EQ(MPI_File_set_errhandler(MPI_FILE_NULL, comm), MPI_ERR_ERRHANDLER);
  for (MPI_Errhandler handler : {session, window, comm}) {
    EXPECT_EQ(MPI_Errhandler_free(&handler), MPI_SUCCESS);
  }
}

TEST_F(Errhandlers, TheProgramCallsItItself) {
  set_and_free(MPI_COMM_WORLD, note);
  int code = -1;
  ASSERT_EQ(MPI_Add_error_code(MPI_ERR_IO, &code), MPI_SUCCESS);
  ASSERT_EQ(MPI_Add_error_string(code, "the disk burns"), MPI_SUCCESS);
  EXPECT_EQ(MPI_Comm_call_errhandler(MPI_COMM_WORLD, code), MPI_SUCCESS);
  EXPECT_EQ(seen.code, code);
  EXPECT_EQ(seen.text, "the disk burns");
  EXPECT_EQ(MPI_Comm_call_errhandler(MPI_COMM_WORLD, MPI_ERR_TAG), MPI_SUCCESS);
  EXPECT_EQ(seen.code, MPI_ERR_TAG);
  EXPECT_EQ(MPI_Comm_call_errhandler(MPI_COMM_SELF, MPI_ERR_TAG), MPI_SUCCESS);
  EXPECT_EQ(seen.calls, 2);
  EXPECT_EQ(MPI_Comm_call_errhandler(MPI_COMM_SELF, MPI_ERR_LASTCODE), MPI_ERR_ARG);
  EXPECT_EQ(MPI_Comm_call_errhandler(MPI_COMM_NULL, MPI_ERR_TAG), MPI_ERR_COMM);
}

TEST_F(Errhandlers, ReportingKeepsTheMessageOfTheCallThatFailed) {
  const int code = wrong_call(MPI_COMM_WORLD);
  EXPECT_EQ(MPI_Comm_call_errhandler(MPI_COMM_WORLD, code), MPI_SUCCESS);
  EXPECT_NE(error_string(code).find("last: MPI_Bcast"), std::string::npos) << error_string(code);
}

TEST_F(Errhandlers, ExceptionsOfAHandlerReachTheCaller) {
  for (int round = 0; round < 3; ++round) {
    set_and_free(MPI_COMM_WORLD, throw_error);
    EXPECT_THROW(wrong_call(MPI_COMM_WORLD), std::runtime_error);
    EXPECT_THROW(MPI_Comm_call_errhandler(MPI_COMM_WORLD, MPI_ERR_TAG), std::runtime_error);
    set_and_free(MPI_COMM_WORLD, throw_no_memory);
    EXPECT_THROW(wrong_call(MPI_COMM_WORLD), std::bad_alloc);
    EXPECT_THROW(MPI_Comm_call_errhandler(MPI_COMM_WORLD, MPI_ERR_TAG), std::bad_alloc);
    EXPECT_EQ(MPI_Barrier(MPI_COMM_WORLD), MPI_SUCCESS);
    EXPECT_EQ(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN), MPI_SUCCESS);
    EXPECT_EQ(wrong_call(MPI_COMM_WORLD), MPI_ERR_COUNT);
  }
}

void replace_myself(MPI_Comm* comm, int*, ...) {
  EXPECT_EQ(MPI_Comm_set_errhandler(*comm, MPI_ERRORS_RETURN), MPI_SUCCESS);
  EXPECT_EQ(wrong_call(*comm), MPI_ERR_COUNT);
  ++seen.calls;
}

TEST_F(Errhandlers, AHandlerMayReplaceItselfAndCallMpi) {
  set_and_free(MPI_COMM_WORLD, replace_myself);
  EXPECT_EQ(MPI_Bcast(nullptr, 1, MPI_INT, 5, MPI_COMM_WORLD), MPI_ERR_ROOT);
  EXPECT_EQ(seen.calls, 1);
  EXPECT_EQ(handler_of(MPI_COMM_WORLD), MPI_ERRORS_RETURN);
}

TEST_F(Errhandlers, FilesReturnByDefaultAndTakeHandlers) {
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  ASSERT_EQ(MPI_File_get_errhandler(MPI_FILE_NULL, &handler), MPI_SUCCESS);
  EXPECT_EQ(handler, MPI_ERRORS_RETURN);
  ASSERT_EQ(MPI_File_create_errhandler(note_file, &handler), MPI_SUCCESS);
  ASSERT_EQ(MPI_File_set_errhandler(MPI_FILE_NULL, handler), MPI_SUCCESS);
  MPI_File file = MPI_FILE_NULL;
  EXPECT_EQ(MPI_File_open(MPI_COMM_SELF, "x", MPI_MODE_RDONLY, MPI_INFO_NULL, &file),
            MPI_ERR_UNSUPPORTED_OPERATION);
  EXPECT_EQ(seen.calls, 1);
  EXPECT_EQ(seen.code, MPI_ERR_UNSUPPORTED_OPERATION);
  EXPECT_NE(seen.text.find("MPI_File_open"), std::string::npos);
  EXPECT_EQ(MPI_File_call_errhandler(MPI_FILE_NULL, MPI_ERR_NO_SPACE), MPI_SUCCESS);
  EXPECT_EQ(seen.code, MPI_ERR_NO_SPACE);
  EXPECT_EQ(MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_RETURN), MPI_SUCCESS);
  EXPECT_EQ(MPI_Errhandler_free(&handler), MPI_SUCCESS);
  const auto other = reinterpret_cast<MPI_File>(std::uintptr_t{0x12345});
  EXPECT_EQ(MPI_File_get_errhandler(other, &handler), MPI_ERR_FILE);
  EXPECT_EQ(MPI_File_set_errhandler(other, MPI_ERRORS_RETURN), MPI_ERR_FILE);
  EXPECT_EQ(MPI_File_call_errhandler(other, MPI_ERR_IO), MPI_ERR_FILE);
}

TEST_F(Errhandlers, NoWindowsAndSessionsExist) {
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  EXPECT_EQ(MPI_Win_get_errhandler(MPI_WIN_NULL, &handler), MPI_ERR_WIN);
  EXPECT_EQ(MPI_Win_set_errhandler(MPI_WIN_NULL, MPI_ERRORS_RETURN), MPI_ERR_WIN);
  EXPECT_EQ(MPI_Win_call_errhandler(MPI_WIN_NULL, MPI_ERR_TAG), MPI_ERR_WIN);
  EXPECT_EQ(MPI_Session_get_errhandler(MPI_SESSION_NULL, &handler), MPI_ERR_SESSION);
  EXPECT_EQ(MPI_Session_set_errhandler(MPI_SESSION_NULL, MPI_ERRORS_RETURN), MPI_ERR_SESSION);
  EXPECT_EQ(MPI_Session_call_errhandler(MPI_SESSION_NULL, MPI_ERR_TAG), MPI_ERR_SESSION);
}

TEST_F(Errhandlers, NullArguments) {
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  EXPECT_EQ(MPI_Comm_create_errhandler(nullptr, &handler), MPI_ERR_ARG);
  EXPECT_EQ(MPI_Comm_create_errhandler(note, nullptr), MPI_ERR_ARG);
  EXPECT_EQ(MPI_Comm_get_errhandler(MPI_COMM_WORLD, nullptr), MPI_ERR_ARG);
  EXPECT_EQ(MPI_Errhandler_free(nullptr), MPI_ERR_ARG);
  EXPECT_EQ(MPI_Errhandler_free(&handler), MPI_ERR_ERRHANDLER);
}

void count(MPI_Comm*, int*, ...) {}

TEST_F(Errhandlers, ThreadsSetAndRaiseAtOnce) {
  std::thread setter([] {
    for (int i = 0; i < 2000; ++i) set_and_free(MPI_COMM_WORLD, count);
  });
  for (int i = 0; i < 2000; ++i) ASSERT_EQ(wrong_call(MPI_COMM_WORLD), MPI_ERR_COUNT);
  setter.join();
}

void exit_7(MPI_Comm*, int*, ...) { std::exit(7); }

TEST(ErrhandlersDeathTest, AHandlerMayEndTheProcess) {
  EXPECT_EXIT(
      {
        set_and_free(MPI_COMM_WORLD, exit_7);
        wrong_call(MPI_COMM_WORLD);
      },
      ::testing::ExitedWithCode(7), "^$");
}

TEST(ErrhandlersDeathTest, ReportsEndTheJobByDefault) {
  EXPECT_EXIT(MPI_Comm_call_errhandler(MPI_COMM_WORLD, MPI_ERR_TAG), ::testing::ExitedWithCode(MPI_ERR_TAG),
              "^foldlane: rank 0: MPI_Comm_call_errhandler on MPI_COMM_WORLD: the program reports "
              "MPI_ERR_TAG: invalid tag \\(MPI_ERR_TAG\\)\n$");
}

// 16384 has no bit in the 8 bits of an exit code.
TEST(ErrhandlersDeathTest, ACodeOfTheProgramDoesNotEndWithSuccess) {
  EXPECT_EXIT(
      {
        int error_class = 0;
        MPI_Add_error_class(&error_class);
        MPI_Add_error_string(error_class, "out of tea");
        MPI_Comm_call_errhandler(MPI_COMM_WORLD, error_class);
      },
      ::testing::ExitedWithCode(1),
      "^foldlane: rank 0: [^\n]*: the program reports out of tea \\(error code 16384\\)\n$");
}

TEST(ErrhandlersDeathTest, FilesMayBeFatal) {
  EXPECT_EXIT(
      {
        MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_ARE_FATAL);
        MPI_File_sync(MPI_FILE_NULL);
      },
      ::testing::ExitedWithCode(MPI_ERR_UNSUPPORTED_OPERATION), "^foldlane: rank 0: MPI_File_sync: not sup");
}

TEST(ErrhandlersDeathTest, AfterFinalizeHandlersOfTheProgramAreNotCalled) {
  EXPECT_EXIT(
      {
        set_and_free(MPI_COMM_WORLD, exit_7);
        set_and_free(MPI_COMM_SELF, exit_7);
        MPI_Finalize();
        wrong_call(MPI_COMM_WORLD);
      },
      ::testing::ExitedWithCode(MPI_ERR_OTHER), "^foldlane: MPI_Bcast: called after MPI_Finalize");
}

}  // namespace
