// Error classes, their texts, and what the error handlers do with an error.
#include <cstring>
#include <set>
#include <thread>

#include "support/mpi_world.hpp"

namespace {

using foldlane::testing::error_string;
using foldlane::testing::ErrorsReturn;

TEST(Errors, EveryClassHasItsOwnText) {
  std::set<std::string> texts;
  for (int code = MPI_SUCCESS; code <= MPI_ERR_ABI; ++code) {
    int error_class = -1;
    EXPECT_EQ(MPI_Error_class(code, &error_class), MPI_SUCCESS);
    EXPECT_EQ(error_class, code);
    texts.insert(error_string(code));
  }
  EXPECT_EQ(texts.size(), 63U);
  for (int code = MPI_T_ERR_CANNOT_INIT; code <= MPI_T_ERR_PVAR_NO_ATOMIC; ++code) {
    int error_class = -1;
    EXPECT_EQ(MPI_Error_class(code, &error_class), MPI_SUCCESS);
    EXPECT_EQ(error_class, code);
    texts.insert(error_string(code));
  }
  EXPECT_EQ(texts.size(), 81U);
  EXPECT_EQ(error_string(MPI_T_ERR_CANNOT_INIT).find("MPI_T_ERR_CANNOT_INIT: "), 0U);
  EXPECT_EQ(error_string(MPI_T_ERR_PVAR_NO_ATOMIC).find("MPI_T_ERR_PVAR_NO_ATOMIC: "), 0U);
  EXPECT_EQ(error_string(MPI_SUCCESS), "MPI_SUCCESS: no error");
  EXPECT_EQ(error_string(MPI_ERR_ABI).find("MPI_ERR_ABI: "), 0U);
  EXPECT_EQ(error_string(MPI_ERR_PROC_ABORTED).find("MPI_ERR_PROC_ABORTED: "), 0U);
  EXPECT_EQ(error_string(MPI_ERR_NO_MEM).find("MPI_ERR_NO_MEM: "), 0U);
  EXPECT_EQ(error_string(MPI_ERR_LOCKTYPE).find("MPI_ERR_LOCKTYPE: "), 0U);
}

TEST(Errors, OtherCodesAreRejected) {
  ErrorsReturn errors_return;
  for (int code :
       {-1, MPI_ERR_ABI + 1, MPI_T_ERR_CANNOT_INIT - 1, MPI_T_ERR_PVAR_NO_ATOMIC + 1, MPI_ERR_LASTCODE}) {
    int value = -1;
    char text[MPI_MAX_ERROR_STRING] = "";
    EXPECT_EQ(MPI_Error_class(code, &value), MPI_ERR_ARG);
    EXPECT_EQ(MPI_Error_string(code, text, &value), MPI_ERR_ARG);
  }
}

TEST(Errors, LongMessagesFitTheBufferOfTheCaller) {
  ErrorsReturn errors_return;
  EXPECT_EQ(MPI_Allreduce(nullptr, nullptr, -1, MPI_INT, MPI_SUM, MPI_COMM_WORLD), MPI_ERR_COUNT);
  EXPECT_LT(error_string(MPI_ERR_COUNT).size(), static_cast<std::size_t>(MPI_MAX_ERROR_STRING));
}

TEST(Errors, TheLastMessageBelongsToItsThread) {
  ErrorsReturn errors_return;
  EXPECT_EQ(MPI_Bcast(nullptr, -7, MPI_INT, 0, MPI_COMM_WORLD), MPI_ERR_COUNT);
  std::thread([] { EXPECT_EQ(error_string(MPI_ERR_COUNT), "MPI_ERR_COUNT: invalid count"); }).join();
  EXPECT_NE(error_string(MPI_ERR_COUNT).find("count is -7"), std::string::npos);
}

TEST(Errhandler, EachCommunicatorHasItsOwn) {
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  ASSERT_EQ(MPI_Comm_get_errhandler(MPI_COMM_WORLD, &handler), MPI_SUCCESS);
  EXPECT_EQ(handler, MPI_ERRORS_ARE_FATAL);
  ASSERT_EQ(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ABORT), MPI_SUCCESS);
  ASSERT_EQ(MPI_Comm_get_errhandler(MPI_COMM_SELF, &handler), MPI_SUCCESS);
  EXPECT_EQ(handler, MPI_ERRORS_ABORT);
  ASSERT_EQ(MPI_Comm_get_errhandler(MPI_COMM_WORLD, &handler), MPI_SUCCESS);
  EXPECT_EQ(handler, MPI_ERRORS_ARE_FATAL);
  ASSERT_EQ(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL), MPI_SUCCESS);
}

// The two calls of the standard that return a handler say that the caller frees it afterwards.
TEST(Errhandler, APredefinedOneIsFreedOnlyAfterItWasHandedOut) {
  ErrorsReturn errors_return;
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  ASSERT_EQ(MPI_Comm_get_errhandler(MPI_COMM_SELF, &handler), MPI_SUCCESS);
  EXPECT_EQ(handler, MPI_ERRORS_RETURN);
  EXPECT_EQ(MPI_Errhandler_free(&handler), MPI_SUCCESS);
  EXPECT_EQ(handler, MPI_ERRHANDLER_NULL);
  EXPECT_EQ(MPI_Errhandler_free(&handler), MPI_ERR_ERRHANDLER);
  handler = MPI_ERRORS_RETURN;
  EXPECT_EQ(MPI_Errhandler_free(&handler), MPI_ERR_ERRHANDLER);
  EXPECT_EQ(handler, MPI_ERRORS_RETURN);
}

TEST(Errhandler, OnlyErrorHandlersAreAccepted) {
  ErrorsReturn errors_return;
  EXPECT_EQ(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRHANDLER_NULL), MPI_ERR_ERRHANDLER);
  EXPECT_EQ(MPI_Comm_set_errhandler(MPI_COMM_WORLD, nullptr), MPI_ERR_ERRHANDLER);
}

// One line, nothing else, and the class as the exit code.
using ErrhandlerDeathTest = ::testing::Test;

TEST(ErrhandlerDeathTest, FatalIsTheDefault) {
  EXPECT_EXIT(MPI_Barrier(MPI_COMM_NULL), ::testing::ExitedWithCode(MPI_ERR_COMM),
              "^foldlane: rank 0: MPI_Barrier: the communicator is MPI_COMM_NULL \\(MPI_ERR_COMM\\)\n$");
}

TEST(ErrhandlerDeathTest, AbortEndsTheProcessToo) {
  EXPECT_EXIT(
      {
        MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ABORT);
        MPI_Bcast(nullptr, -3, MPI_INT, 0, MPI_COMM_WORLD);
      },
      ::testing::ExitedWithCode(MPI_ERR_COUNT),
      "^foldlane: rank 0: MPI_Bcast on MPI_COMM_WORLD: count is -3; counts must not be negative "
      "\\(MPI_ERR_COUNT\\)\n$");
}

TEST(ErrhandlerDeathTest, TheHandlerOfTheOtherCommunicatorDoesNotCount) {
  EXPECT_EXIT(
      {
        MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
        MPI_Bcast(nullptr, -3, MPI_INT, 0, MPI_COMM_SELF);
      },
      ::testing::ExitedWithCode(MPI_ERR_COUNT), "^foldlane: rank 0: MPI_Bcast on MPI_COMM_SELF: [^\n]*\n$");
}

TEST(ErrhandlerDeathTest, CallsWithoutCommunicatorRaiseOnSelf) {
  EXPECT_EXIT(
      {
        MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
        MPI_Reduce_local(nullptr, nullptr, 1, MPI_INT, MPI_SUM);
      },
      ::testing::ExitedWithCode(MPI_ERR_BUFFER),
      "^foldlane: rank 0: MPI_Reduce_local: inbuf is null[^\n]*\n$");
}

TEST(ErrhandlerDeathTest, OutputOfTheProgramIsNotLost) {
  EXPECT_EXIT(
      {
        std::fputs("written before; ", stdout);
        std::fflush(nullptr);
        dup2(STDERR_FILENO, STDOUT_FILENO);
        std::fputs("still in the buffer; ", stdout);
        MPI_Barrier(MPI_COMM_NULL);
      },
      ::testing::ExitedWithCode(MPI_ERR_COMM), "^still in the buffer; foldlane: rank 0: ");
}

}  // namespace
