// Wrong arguments of the calls that only move data: each gives its error class and changes nothing. One rank.
#include <functional>
#include <vector>

#include "support/mpi_world.hpp"

namespace {

using foldlane::testing::error_string;

int in[8] = {1, 2, 3, 4, 5, 6, 7, 8}, out[8];
const int one[] = {1}, none[] = {0}, negative[] = {-1};
const MPI_Datatype ints[] = {MPI_INT}, nulls[] = {MPI_DATATYPE_NULL};
const MPI_Comm self = MPI_COMM_SELF;

int class_of(int code) {
  int error_class = -1;
  MPI_Error_class(code, &error_class);
  return error_class;
}

struct Mistake {
  const char* what;
  int error_class;
  std::function<int()> call;
};

class MoveArguments : public ::testing::Test {
  foldlane::testing::ErrorsReturn errors_return_;
};

TEST_F(MoveArguments, GiveTheirErrorClass) {
  const Mistake mistakes[] = {
      {"null communicator", MPI_ERR_COMM,
       [] { return MPI_Alltoall(in, 1, MPI_INT, out, 1, MPI_INT, MPI_COMM_NULL); }},
      {"negative sendcount", MPI_ERR_COUNT,
       [] { return MPI_Gather(in, -1, MPI_INT, out, 1, MPI_INT, 0, self); }},
      {"negative recvcount", MPI_ERR_COUNT,
       [] { return MPI_Allgather(in, 1, MPI_INT, out, -1, MPI_INT, self); }},
      {"negative count in a list", MPI_ERR_COUNT,
       [] { return MPI_Alltoallv(in, one, none, MPI_INT, out, negative, none, MPI_INT, self); }},
      {"null sendtype", MPI_ERR_TYPE,
       [] { return MPI_Scatter(in, 1, MPI_DATATYPE_NULL, out, 1, MPI_INT, 0, self); }},
      {"null type in a list", MPI_ERR_TYPE,
       [] { return MPI_Alltoallw(in, one, none, nulls, out, one, none, ints, self); }},
      {"root", MPI_ERR_ROOT, [] { return MPI_Gather(in, 1, MPI_INT, out, 1, MPI_INT, 1, self); }},
      {"negative root", MPI_ERR_ROOT,
       [] { return MPI_Scatterv(in, one, none, MPI_INT, out, 1, MPI_INT, -1, self); }},
      {"null sendbuf", MPI_ERR_BUFFER,
       [] { return MPI_Alltoall(nullptr, 1, MPI_INT, out, 1, MPI_INT, self); }},
      {"null recvbuf", MPI_ERR_BUFFER,
       [] { return MPI_Gatherv(in, 1, MPI_INT, nullptr, one, none, MPI_INT, 0, self); }},
      {"recvbuf in place", MPI_ERR_BUFFER,
       [] { return MPI_Allgather(in, 1, MPI_INT, MPI_IN_PLACE, 1, MPI_INT, self); }},
      {"sendbuf of a scatter in place", MPI_ERR_BUFFER,
       [] { return MPI_Scatter(MPI_IN_PLACE, 1, MPI_INT, out, 1, MPI_INT, 0, self); }},
      {"overlap", MPI_ERR_BUFFER, [] { return MPI_Alltoall(in, 2, MPI_INT, in + 1, 2, MPI_INT, self); }},
      {"null counts", MPI_ERR_ARG,
       [] { return MPI_Allgatherv(in, 1, MPI_INT, out, nullptr, none, MPI_INT, self); }},
      {"null displacements", MPI_ERR_ARG,
       [] { return MPI_Alltoallv(in, one, nullptr, MPI_INT, out, one, none, MPI_INT, self); }},
      {"null types", MPI_ERR_ARG,
       [] { return MPI_Alltoallw(in, one, none, ints, out, one, none, nullptr, self); }},
      {"own lengths", MPI_ERR_TRUNCATE, [] { return MPI_Alltoall(in, 2, MPI_INT, out, 1, MPI_INT, self); }},
      {"huge count", MPI_ERR_COUNT,
       [] {
         return MPI_Gather_c(in, MPI_Count{1} << 62, MPI_INT, out, MPI_Count{1} << 62, MPI_INT, 0, self);
       }},
      {"null request", MPI_ERR_ARG,
       [] { return MPI_Ialltoall(in, 1, MPI_INT, out, 1, MPI_INT, self, nullptr); }},
  };
  for (const Mistake& mistake : mistakes) {
    const int code = mistake.call();
    EXPECT_EQ(class_of(code), mistake.error_class) << mistake.what << ": " << error_string(code);
  }
  for (const int value : out) EXPECT_EQ(value, 0);
}

TEST_F(MoveArguments, LeaveTheNullRequest) {
  MPI_Request request = MPI_Request{};
  EXPECT_EQ(class_of(MPI_Igather(in, -1, MPI_INT, out, 1, MPI_INT, 0, self, &request)), MPI_ERR_COUNT);
  EXPECT_EQ(request, MPI_REQUEST_NULL);
}

TEST_F(MoveArguments, SayWhatWasGiven) {
  const int code = MPI_Alltoall(in, 2, MPI_INT, out, 1, MPI_INT, self);
  EXPECT_NE(error_string(code).find("rank 0 sends itself 8 bytes, but expects 4"), std::string::npos)
      << error_string(code);
}

/// What means nothing where it stands may be anything.
TEST_F(MoveArguments, InPlaceSendingArgumentsMeanNothing) {
  out[0] = 7;
  EXPECT_EQ(MPI_Alltoallw(MPI_IN_PLACE, nullptr, nullptr, nullptr, out, one, none, ints, self), MPI_SUCCESS);
  EXPECT_EQ(MPI_Gather(MPI_IN_PLACE, -1, MPI_DATATYPE_NULL, out, 1, MPI_INT, 0, self), MPI_SUCCESS);
  EXPECT_EQ(MPI_Scatter(out, 1, MPI_INT, MPI_IN_PLACE, -1, MPI_DATATYPE_NULL, 0, self), MPI_SUCCESS);
  EXPECT_EQ(out[0], 7);
  out[0] = 0;
}

}  // namespace
