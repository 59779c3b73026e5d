// The error handlers of sessions, on sessions put into the table by hand.
#include "api/objects/session.hpp"
#include "support/mpi_world.hpp"

namespace {

using foldlane::api::ErrorHandlerSlot;
using foldlane::api::predefined_error_handler;
using foldlane::api::sessions;

MPI_Session seen_session;
int seen_code;

void note(MPI_Session* session, int* code, ...) {
  seen_session = *session;
  seen_code = *code;
}

void nothing(MPI_Comm*, int*, ...) {}

class SessionErrhandler : public ::testing::Test {
 protected:
  ~SessionErrhandler() override { sessions.erase(session_); }

  MPI_Session session_ = sessions.insert({ErrorHandlerSlot(predefined_error_handler(MPI_ERRORS_RETURN))});
};

TEST_F(SessionErrhandler, IsCalledWithTheSession) {
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL, same = MPI_ERRHANDLER_NULL;
  ASSERT_EQ(MPI_Session_create_errhandler(note, &handler), MPI_SUCCESS);
  ASSERT_EQ(MPI_Session_set_errhandler(session_, handler), MPI_SUCCESS);
  ASSERT_EQ(MPI_Session_get_errhandler(session_, &same), MPI_SUCCESS);
  EXPECT_EQ(same, handler);
  EXPECT_EQ(MPI_Errhandler_free(&same), MPI_SUCCESS);
  EXPECT_EQ(MPI_Errhandler_free(&handler), MPI_SUCCESS);
  EXPECT_EQ(MPI_Session_call_errhandler(session_, MPI_ERR_PORT), MPI_SUCCESS);
  EXPECT_EQ(seen_session, session_);
  EXPECT_EQ(seen_code, MPI_ERR_PORT);
  EXPECT_EQ(MPI_Session_set_errhandler(session_, MPI_ERRHANDLER_NULL), MPI_ERR_ERRHANDLER);
  EXPECT_EQ(seen_code, MPI_ERR_ERRHANDLER);
}

TEST_F(SessionErrhandler, OfACommunicatorDoesNotFit) {
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  ASSERT_EQ(MPI_Comm_create_errhandler(nothing, &handler), MPI_SUCCESS);
  EXPECT_EQ(MPI_Session_set_errhandler(session_, handler), MPI_ERR_ERRHANDLER);
  EXPECT_EQ(MPI_Errhandler_free(&handler), MPI_SUCCESS);
}

TEST_F(SessionErrhandler, NullArguments) {
  EXPECT_EQ(MPI_Session_get_errhandler(session_, nullptr), MPI_ERR_ARG);
  EXPECT_EQ(MPI_Session_call_errhandler(session_, MPI_ERR_LASTCODE), MPI_ERR_ARG);
}

}  // namespace
