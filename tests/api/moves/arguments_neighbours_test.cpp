// Wrong arguments of the neighbourhood collectives: each gives its error class and changes nothing. One rank.
#include <functional>
#include <vector>

#include "support/mpi_world.hpp"

namespace {

using foldlane::testing::error_string;

int in[8] = {1, 2, 3, 4, 5, 6, 7, 8}, out[8];
const int ones[] = {1, 1}, none[] = {0, 0}, negative[] = {1, -1};
const MPI_Aint nowhere[] = {0, 0};
const MPI_Datatype ints[] = {MPI_INT, MPI_INT}, nulls[] = {MPI_INT, MPI_DATATYPE_NULL};

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

class NeighbourArguments : public ::testing::Test {
 protected:
  NeighbourArguments() {
    const int extent = 1, periodic = 1;
    MPI_Cart_create(MPI_COMM_SELF, 1, &extent, &periodic, 0, &ring_);
    MPI_Dist_graph_create_adjacent(MPI_COMM_SELF, 0, nullptr, MPI_UNWEIGHTED, 0, nullptr, MPI_UNWEIGHTED,
                                   MPI_INFO_NULL, 0, &lonely_);
  }
  ~NeighbourArguments() override {
    MPI_Comm_free(&ring_);
    MPI_Comm_free(&lonely_);
  }

  foldlane::testing::ErrorsReturn errors_return_;
  MPI_Comm ring_ = MPI_COMM_NULL, lonely_ = MPI_COMM_NULL;
};

TEST_F(NeighbourArguments, GiveTheirErrorClass) {
  MPI_Request request;
  const MPI_Comm self = MPI_COMM_SELF, ring = ring_, lonely = lonely_;
  const Mistake mistakes[] = {
      {"null communicator", MPI_ERR_COMM,
       [] { return MPI_Neighbor_alltoall(in, 1, MPI_INT, out, 1, MPI_INT, MPI_COMM_NULL); }},
      {"no topology", MPI_ERR_TOPOLOGY,
       [=] { return MPI_Neighbor_alltoall(in, 1, MPI_INT, out, 1, MPI_INT, self); }},
      {"no topology, nonblocking", MPI_ERR_TOPOLOGY,
       [&] { return MPI_Ineighbor_allgather(in, 1, MPI_INT, out, 1, MPI_INT, self, &request); }},
      {"no topology, persistent", MPI_ERR_TOPOLOGY,
       [&] {
         return MPI_Neighbor_alltoallv_init(in, ones, none, MPI_INT, out, ones, none, MPI_INT, self,
                                            MPI_INFO_NULL, &request);
       }},
      {"negative sendcount", MPI_ERR_COUNT,
       [=] { return MPI_Neighbor_allgather(in, -1, MPI_INT, out, 1, MPI_INT, ring); }},
      {"negative recvcount", MPI_ERR_COUNT,
       [=] { return MPI_Neighbor_alltoall(in, 1, MPI_INT, out, -1, MPI_INT, ring); }},
      {"negative count without neighbours", MPI_ERR_COUNT,
       [=] { return MPI_Neighbor_alltoall(in, -1, MPI_INT, out, 1, MPI_INT, lonely); }},
      {"negative count in a list", MPI_ERR_COUNT,
       [=] { return MPI_Neighbor_allgatherv(in, 1, MPI_INT, out, negative, none, MPI_INT, ring); }},
      {"null sendtype", MPI_ERR_TYPE,
       [=] { return MPI_Neighbor_allgather(in, 1, MPI_DATATYPE_NULL, out, 1, MPI_INT, ring); }},
      {"null type in a list", MPI_ERR_TYPE,
       [=] { return MPI_Neighbor_alltoallw(in, ones, nowhere, nulls, out, ones, nowhere, ints, ring); }},
      {"null sendbuf", MPI_ERR_BUFFER,
       [=] { return MPI_Neighbor_alltoall(nullptr, 1, MPI_INT, out, 1, MPI_INT, ring); }},
      {"null recvbuf", MPI_ERR_BUFFER,
       [=] { return MPI_Neighbor_alltoallv(in, ones, none, MPI_INT, nullptr, ones, none, MPI_INT, ring); }},
      {"sendbuf of an allgather in place", MPI_ERR_BUFFER,
       [=] { return MPI_Neighbor_allgather(MPI_IN_PLACE, 1, MPI_INT, out, 1, MPI_INT, ring); }},
      {"sendbuf of an alltoall in place", MPI_ERR_BUFFER,
       [=] { return MPI_Neighbor_alltoall(MPI_IN_PLACE, 0, MPI_INT, out, 0, MPI_INT, ring); }},
      {"recvbuf in place", MPI_ERR_BUFFER,
       [=] {
         return MPI_Neighbor_alltoallw(in, ones, nowhere, ints, MPI_IN_PLACE, ones, nowhere, ints, ring);
       }},
      {"in place without neighbours", MPI_ERR_BUFFER,
       [=] {
         return MPI_Neighbor_alltoallv(MPI_IN_PLACE, ones, none, MPI_INT, out, ones, none, MPI_INT, lonely);
       }},
      {"overlap", MPI_ERR_BUFFER,
       [=] { return MPI_Neighbor_alltoall(in, 2, MPI_INT, in + 3, 2, MPI_INT, ring); }},
      {"null counts", MPI_ERR_ARG,
       [=] { return MPI_Neighbor_allgatherv(in, 1, MPI_INT, out, nullptr, none, MPI_INT, ring); }},
      {"null displacements", MPI_ERR_ARG,
       [=] { return MPI_Neighbor_alltoallv(in, ones, nullptr, MPI_INT, out, ones, none, MPI_INT, ring); }},
      {"null types", MPI_ERR_ARG,
       [=] { return MPI_Neighbor_alltoallw(in, ones, nowhere, ints, out, ones, nowhere, nullptr, ring); }},
      {"huge count", MPI_ERR_COUNT,
       [=] {
         return MPI_Neighbor_alltoall_c(in, MPI_Count{1} << 62, MPI_INT, out, MPI_Count{1} << 62, MPI_INT,
                                        ring);
       }},
      {"null request", MPI_ERR_ARG,
       [=] { return MPI_Ineighbor_alltoall(in, 1, MPI_INT, out, 1, MPI_INT, ring, nullptr); }},
  };
  for (const Mistake& mistake : mistakes) {
    const int code = mistake.call();
    EXPECT_EQ(class_of(code), mistake.error_class) << mistake.what << ": " << error_string(code);
  }
  for (const int value : out) EXPECT_EQ(value, 0);
}

TEST_F(NeighbourArguments, LeaveTheNullRequest) {
  MPI_Request request = MPI_Request{};
  EXPECT_EQ(class_of(MPI_Ineighbor_alltoall(in, 1, MPI_INT, out, 1, MPI_INT, MPI_COMM_SELF, &request)),
            MPI_ERR_TOPOLOGY);
  EXPECT_EQ(request, MPI_REQUEST_NULL);
}

TEST_F(NeighbourArguments, SayWhatIsMissing) {
  const int code = MPI_Neighbor_alltoall(in, 1, MPI_INT, out, 1, MPI_INT, MPI_COMM_SELF);
  EXPECT_NE(
      error_string(code).find("MPI_Neighbor_alltoall on MPI_COMM_SELF: the communicator has no topology"),
      std::string::npos)
      << error_string(code);
}

/// What a rank gives itself is not what it expects of itself.
TEST_F(NeighbourArguments, OwnLengthsMustMatch) {
  const int code = MPI_Neighbor_alltoall(in, 2, MPI_INT, out, 1, MPI_INT, ring_);
  EXPECT_EQ(class_of(code), MPI_ERR_TRUNCATE);
  EXPECT_NE(error_string(code).find("rank 0 sent 8 bytes, rank 0 expects 4"), std::string::npos)
      << error_string(code);
}

/// Who has no neighbours has no lists, and no buffers.
TEST_F(NeighbourArguments, MayBeNullWithoutNeighbours) {
  EXPECT_EQ(MPI_Neighbor_allgather(nullptr, 1, MPI_INT, nullptr, 1, MPI_INT, lonely_), MPI_SUCCESS);
  EXPECT_EQ(MPI_Neighbor_allgatherv(nullptr, 1, MPI_INT, nullptr, nullptr, nullptr, MPI_INT, lonely_),
            MPI_SUCCESS);
  EXPECT_EQ(MPI_Neighbor_alltoall(nullptr, 1, MPI_INT, nullptr, 1, MPI_INT, lonely_), MPI_SUCCESS);
  EXPECT_EQ(
      MPI_Neighbor_alltoallv(nullptr, nullptr, nullptr, MPI_INT, nullptr, nullptr, nullptr, MPI_INT, lonely_),
      MPI_SUCCESS);
  EXPECT_EQ(
      MPI_Neighbor_alltoallw(nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, lonely_),
      MPI_SUCCESS);
}

}  // namespace
