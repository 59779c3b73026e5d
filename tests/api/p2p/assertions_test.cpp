// What programs promise about a communicator by its hints (MPI-5.0, 7.4.4).
#include <gtest/gtest.h>
#include <mpi.h>

#include <string>

#include "support/mpi_world.hpp"

namespace foldlane::tests {
namespace {

constexpr const char* kAll[] = {"mpi_assert_no_any_tag", "mpi_assert_no_any_source",
                                "mpi_assert_exact_length", "mpi_assert_allow_overtaking",
                                "mpi_assert_strict_persistent_collective_ordering"};

class Assertions : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(MPI_Comm_dup(MPI_COMM_SELF, &comm), MPI_SUCCESS);
    ASSERT_EQ(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN), MPI_SUCCESS);
  }
  void TearDown() override { EXPECT_EQ(MPI_Comm_free(&comm), MPI_SUCCESS); }

  static MPI_Info info_with(const char* key, const char* value) {
    MPI_Info info = MPI_INFO_NULL;
    EXPECT_EQ(MPI_Info_create(&info), MPI_SUCCESS);
    EXPECT_EQ(MPI_Info_set(info, key, value), MPI_SUCCESS);
    return info;
  }
  void promise(const char* key, const char* value = "true") const {
    MPI_Info info = info_with(key, value);
    EXPECT_EQ(MPI_Comm_set_info(comm, info), MPI_SUCCESS);
    EXPECT_EQ(MPI_Info_free(&info), MPI_SUCCESS);
  }
  static std::string said(MPI_Comm comm, const char* key) {
    MPI_Info info = MPI_INFO_NULL;
    char text[MPI_MAX_INFO_VAL];
    int length = sizeof text, found = 0;
    EXPECT_EQ(MPI_Comm_get_info(comm, &info), MPI_SUCCESS);
    EXPECT_EQ(MPI_Info_get_string(info, key, &length, text, &found), MPI_SUCCESS);
    EXPECT_EQ(MPI_Info_free(&info), MPI_SUCCESS);
    return found != 0 ? text : "(missing)";
  }
  int receive(int source, int tag) const {
    int data = 0;
    MPI_Request request = MPI_REQUEST_NULL;
    const int code = MPI_Irecv(&data, 1, MPI_INT, source, tag, comm, &request);
    if (request != MPI_REQUEST_NULL) {
      EXPECT_EQ(MPI_Cancel(&request), MPI_SUCCESS);
      EXPECT_EQ(MPI_Wait(&request, MPI_STATUS_IGNORE), MPI_SUCCESS);
    }
    return code;
  }

  MPI_Comm comm = MPI_COMM_NULL;
};

TEST_F(Assertions, AreFalseUntilTheyAreGiven) {
  for (const char* key : kAll) {
    EXPECT_EQ(said(comm, key), "false");
    promise(key, "maybe");
    EXPECT_EQ(said(comm, key), "false");
    promise(key);
    EXPECT_EQ(said(comm, key), "true");
  }
  for (const char* key : kAll) EXPECT_EQ(said(comm, key), "true") << "set before the next ones";
  promise(kAll[0], "false");
  EXPECT_EQ(said(comm, kAll[0]), "false");
}

TEST_F(Assertions, AreGivenToDuplicatesByInfoOnly) {
  promise("mpi_assert_no_any_tag");
  MPI_Comm copy = MPI_COMM_NULL;
  ASSERT_EQ(MPI_Comm_dup(comm, &copy), MPI_SUCCESS);
  EXPECT_EQ(said(copy, "mpi_assert_no_any_tag"), "false");
  EXPECT_EQ(MPI_Comm_free(&copy), MPI_SUCCESS);
  MPI_Info info = info_with("mpi_assert_no_any_source", "true");
  ASSERT_EQ(MPI_Comm_dup_with_info(comm, info, &copy), MPI_SUCCESS);
  EXPECT_EQ(MPI_Info_free(&info), MPI_SUCCESS);
  EXPECT_EQ(said(copy, "mpi_assert_no_any_source"), "true");
  int flag = 0;
  EXPECT_EQ(MPI_Iprobe(MPI_ANY_SOURCE, 0, copy, &flag, MPI_STATUS_IGNORE), MPI_ERR_RANK);
  EXPECT_EQ(MPI_Comm_free(&copy), MPI_SUCCESS);
}

TEST_F(Assertions, RefuseTheWildcardThatWasPromisedAway) {
  int data = 0, flag = 0;
  MPI_Message message = MPI_MESSAGE_NULL;
  promise("mpi_assert_no_any_tag");
  EXPECT_EQ(receive(0, MPI_ANY_TAG), MPI_ERR_TAG);
  EXPECT_EQ(receive(MPI_PROC_NULL, MPI_ANY_TAG), MPI_ERR_TAG);
  EXPECT_EQ(MPI_Iprobe(0, MPI_ANY_TAG, comm, &flag, MPI_STATUS_IGNORE), MPI_ERR_TAG);
  EXPECT_EQ(MPI_Iprobe(MPI_ANY_SOURCE, 0, comm, &flag, MPI_STATUS_IGNORE), MPI_SUCCESS);
  promise("mpi_assert_no_any_tag", "false");
  promise("mpi_assert_no_any_source");
  EXPECT_EQ(receive(MPI_ANY_SOURCE, 0), MPI_ERR_RANK);
  EXPECT_EQ(MPI_Improbe(MPI_ANY_SOURCE, 0, comm, &flag, &message, MPI_STATUS_IGNORE), MPI_ERR_RANK);
  EXPECT_EQ(MPI_Sendrecv(&data, 1, MPI_INT, MPI_PROC_NULL, 0, &data, 1, MPI_INT, MPI_ANY_SOURCE, 0, comm,
                         MPI_STATUS_IGNORE),
            MPI_ERR_RANK);
  EXPECT_EQ(receive(MPI_PROC_NULL, MPI_ANY_TAG), MPI_SUCCESS);
}

TEST_F(Assertions, MakeShortMessagesAnError) {
  int data[2] = {7, 8}, got[2] = {0, 0}, other = 0;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Message message = MPI_MESSAGE_NULL;
  const auto send = [&](int count) {
    ASSERT_EQ(MPI_Isend(data, count, MPI_INT, 0, 0, comm, &request), MPI_SUCCESS);
  };
  const auto done = [&] { EXPECT_EQ(MPI_Wait(&request, MPI_STATUS_IGNORE), MPI_SUCCESS); };
  send(1);
  EXPECT_EQ(MPI_Recv(got, 2, MPI_INT, 0, 0, comm, MPI_STATUS_IGNORE), MPI_SUCCESS);
  done();
  promise("mpi_assert_exact_length");
  send(1);
  EXPECT_EQ(MPI_Recv(got, 2, MPI_INT, 0, 0, comm, MPI_STATUS_IGNORE), MPI_ERR_TRUNCATE);
  done();
  send(2);
  EXPECT_EQ(MPI_Recv(got, 2, MPI_INT, 0, 0, comm, MPI_STATUS_IGNORE), MPI_SUCCESS);
  EXPECT_EQ(got[1], 8);
  done();
  send(1);
  EXPECT_EQ(MPI_Mprobe(0, 0, comm, &message, MPI_STATUS_IGNORE), MPI_SUCCESS);
  EXPECT_EQ(MPI_Mrecv(got, 2, MPI_INT, &message, MPI_STATUS_IGNORE), MPI_ERR_TRUNCATE);
  done();
  send(1);
  MPI_Request received = MPI_REQUEST_NULL;
  EXPECT_EQ(MPI_Irecv(&other, 1, MPI_INT, 0, 0, comm, &received), MPI_SUCCESS);
  EXPECT_EQ(MPI_Wait(&received, MPI_STATUS_IGNORE), MPI_SUCCESS);
  EXPECT_EQ(other, 7);
  done();
}

}  // namespace
}  // namespace foldlane::tests
