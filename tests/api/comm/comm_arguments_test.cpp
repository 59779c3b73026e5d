// Wrong arguments of the calls that make communicators, of prefixes, and of folds of derived datatypes: each
// gives its error class.
#include <cstdint>

#include "support/mpi_world.hpp"

namespace {

class CommArguments : public ::testing::Test {
 protected:
  static MPI_Comm stale() {
    MPI_Comm comm = MPI_COMM_NULL;
    EXPECT_EQ(MPI_Comm_dup(MPI_COMM_SELF, &comm), MPI_SUCCESS);
    const MPI_Comm freed = comm;
    EXPECT_EQ(MPI_Comm_free(&comm), MPI_SUCCESS);
    EXPECT_EQ(comm, MPI_COMM_NULL);
    return freed;
  }
  static MPI_Group world_group() {
    MPI_Group group = MPI_GROUP_NULL;
    EXPECT_EQ(MPI_Comm_group(MPI_COMM_WORLD, &group), MPI_SUCCESS);
    return group;
  }

 private:
  foldlane::testing::ErrorsReturn errors_return_;
};

TEST_F(CommArguments, HandlesThatAreNoCommunicators) {
  MPI_Group group = world_group();
  for (const MPI_Comm bad : {MPI_COMM_NULL, static_cast<MPI_Comm>(nullptr), stale()}) {
    MPI_Comm out = bad;
    int value = -1;
    MPI_Group asked = MPI_GROUP_NULL;
    MPI_Info info = MPI_INFO_NULL;
    double in[2] = {}, result[2] = {};
    EXPECT_EQ(MPI_Comm_dup(bad, &out), MPI_ERR_COMM);
    EXPECT_EQ(MPI_Comm_dup_with_info(bad, MPI_INFO_NULL, &out), MPI_ERR_COMM);
    EXPECT_EQ(MPI_Comm_split(bad, 0, 0, &out), MPI_ERR_COMM);
    EXPECT_EQ(MPI_Comm_split_type(bad, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &out), MPI_ERR_COMM);
    EXPECT_EQ(MPI_Comm_create(bad, group, &out), MPI_ERR_COMM);
    EXPECT_EQ(MPI_Comm_create_group(bad, group, 0, &out), MPI_ERR_COMM);
    EXPECT_EQ(MPI_Comm_free(&out), MPI_ERR_COMM);
    EXPECT_EQ(MPI_Comm_disconnect(&out), MPI_ERR_COMM);
    EXPECT_EQ(MPI_Comm_compare(bad, MPI_COMM_WORLD, &value), MPI_ERR_COMM);
    EXPECT_EQ(MPI_Comm_compare(MPI_COMM_WORLD, bad, &value), MPI_ERR_COMM);
    EXPECT_EQ(MPI_Comm_test_inter(bad, &value), MPI_ERR_COMM);
    EXPECT_EQ(MPI_Comm_group(bad, &asked), MPI_ERR_COMM);
    EXPECT_EQ(MPI_Comm_remote_size(bad, &value), MPI_ERR_COMM);
    EXPECT_EQ(MPI_Comm_remote_group(bad, &asked), MPI_ERR_COMM);
    EXPECT_EQ(MPI_Comm_get_info(bad, &info), MPI_ERR_COMM);
    EXPECT_EQ(MPI_Comm_set_info(bad, MPI_INFO_NULL), MPI_ERR_COMM);
    EXPECT_EQ(MPI_Intercomm_merge(bad, 0, &out), MPI_ERR_COMM);
    EXPECT_EQ(MPI_Intercomm_create(bad, 0, MPI_COMM_WORLD, 0, 0, &out), MPI_ERR_COMM);
    EXPECT_EQ(MPI_Intercomm_create(MPI_COMM_SELF, 0, bad, 0, 0, &out), MPI_ERR_COMM);
    EXPECT_EQ(MPI_Scan(in, result, 1, MPI_DOUBLE, MPI_SUM, bad), MPI_ERR_COMM);
    EXPECT_EQ(MPI_Exscan(in, result, 1, MPI_DOUBLE, MPI_SUM, bad), MPI_ERR_COMM);
    EXPECT_EQ(out, bad);
  }
  MPI_Group_free(&group);
}

TEST_F(CommArguments, NoPlaceForTheResult) {
  MPI_Group group = world_group();
  const auto comm = MPI_COMM_WORLD;
  EXPECT_EQ(MPI_Comm_dup(comm, nullptr), MPI_ERR_ARG);
  EXPECT_EQ(MPI_Comm_dup_with_info(comm, MPI_INFO_NULL, nullptr), MPI_ERR_ARG);
  EXPECT_EQ(MPI_Comm_split(comm, 0, 0, nullptr), MPI_ERR_ARG);
  EXPECT_EQ(MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, nullptr), MPI_ERR_ARG);
  EXPECT_EQ(MPI_Comm_create(comm, group, nullptr), MPI_ERR_ARG);
  EXPECT_EQ(MPI_Comm_create_group(comm, group, 0, nullptr), MPI_ERR_ARG);
  EXPECT_EQ(MPI_Comm_create_from_group(group, "tag", MPI_INFO_NULL, MPI_ERRORS_RETURN, nullptr), MPI_ERR_ARG);
  EXPECT_EQ(MPI_Comm_free(nullptr), MPI_ERR_ARG);
  EXPECT_EQ(MPI_Comm_disconnect(nullptr), MPI_ERR_ARG);
  EXPECT_EQ(MPI_Comm_compare(comm, comm, nullptr), MPI_ERR_ARG);
  EXPECT_EQ(MPI_Comm_test_inter(comm, nullptr), MPI_ERR_ARG);
  EXPECT_EQ(MPI_Comm_group(comm, nullptr), MPI_ERR_ARG);
  EXPECT_EQ(MPI_Comm_get_info(comm, nullptr), MPI_ERR_ARG);
  EXPECT_EQ(MPI_Intercomm_create(comm, 0, comm, 0, 0, nullptr), MPI_ERR_ARG);
  MPI_Group_free(&group);
}

TEST_F(CommArguments, PredefinedOnesAreNotFreed) {
  for (const MPI_Comm predefined : {MPI_COMM_WORLD, MPI_COMM_SELF}) {
    MPI_Comm comm = predefined;
    EXPECT_EQ(MPI_Comm_free(&comm), MPI_ERR_COMM);
    EXPECT_EQ(MPI_Comm_disconnect(&comm), MPI_ERR_COMM);
    EXPECT_EQ(comm, predefined);
    EXPECT_EQ(MPI_Barrier(comm), MPI_SUCCESS);
  }
}

TEST_F(CommArguments, WrongColorsTagsGroupsAndLeaders) {
  MPI_Comm out = MPI_COMM_NULL;
  MPI_Group group = world_group();
  for (const int color : {-1, -2, -32765, -2'000'000'000})
    EXPECT_EQ(MPI_Comm_split(MPI_COMM_WORLD, color, 0, &out), MPI_ERR_ARG) << color;
  EXPECT_EQ(MPI_Comm_split_type(MPI_COMM_WORLD, 12345, 0, MPI_INFO_NULL, &out), MPI_ERR_ARG);
  EXPECT_EQ(MPI_Comm_create(MPI_COMM_WORLD, MPI_GROUP_NULL, &out), MPI_ERR_GROUP);
  EXPECT_EQ(MPI_Comm_create_group(MPI_COMM_WORLD, MPI_GROUP_NULL, 0, &out), MPI_ERR_GROUP);
  EXPECT_EQ(MPI_Comm_create_group(MPI_COMM_WORLD, group, -1, &out), MPI_ERR_TAG);
  EXPECT_EQ(MPI_Comm_create_from_group(MPI_GROUP_NULL, "tag", MPI_INFO_NULL, MPI_ERRORS_RETURN, &out),
            MPI_ERR_GROUP);
  EXPECT_EQ(MPI_Comm_create_from_group(group, nullptr, MPI_INFO_NULL, MPI_ERRORS_RETURN, &out), MPI_ERR_ARG);
  for (const int leader : {-1, 1}) {
    EXPECT_EQ(MPI_Intercomm_create(MPI_COMM_SELF, leader, MPI_COMM_WORLD, 0, 0, &out), MPI_ERR_RANK);
    EXPECT_EQ(MPI_Intercomm_create(MPI_COMM_SELF, 0, MPI_COMM_WORLD, leader, 0, &out), MPI_ERR_RANK);
  }
  EXPECT_EQ(MPI_Intercomm_create(MPI_COMM_SELF, 0, MPI_COMM_WORLD, 0, 0, &out), MPI_ERR_RANK);
  EXPECT_EQ(MPI_Intercomm_create(MPI_COMM_SELF, 0, MPI_COMM_WORLD, 0, -1, &out), MPI_ERR_TAG);
  EXPECT_EQ(
      MPI_Intercomm_create_from_groups(group, 0, group, 0, "tag", MPI_INFO_NULL, MPI_ERRORS_RETURN, &out),
      MPI_ERR_GROUP);
  EXPECT_EQ(MPI_Intercomm_merge(MPI_COMM_WORLD, 0, &out), MPI_ERR_COMM);
  int size = -1;
  EXPECT_EQ(MPI_Comm_remote_size(MPI_COMM_WORLD, &size), MPI_ERR_COMM);
  MPI_Group remote = MPI_GROUP_NULL;
  EXPECT_EQ(MPI_Comm_remote_group(MPI_COMM_WORLD, &remote), MPI_ERR_COMM);
  EXPECT_EQ(MPI_Comm_dup_with_info(MPI_COMM_WORLD, reinterpret_cast<MPI_Info>(std::uintptr_t{0x5000}), &out),
            MPI_ERR_INFO);
  EXPECT_EQ(out, MPI_COMM_NULL);
  MPI_Group_free(&group);
}

TEST_F(CommArguments, WrongArgumentsOfPrefixes) {
  double in[2] = {1, 2}, out[2] = {3, 4};
  const auto both = [&](auto&& call) {
    call(MPI_Scan);
    call(MPI_Exscan);
  };
  both([&](auto* scan) {
    EXPECT_EQ(scan(in, out, -1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD), MPI_ERR_COUNT);
    EXPECT_EQ(scan(in, out, 1, MPI_DATATYPE_NULL, MPI_SUM, MPI_COMM_WORLD), MPI_ERR_TYPE);
    EXPECT_EQ(scan(in, out, 1, MPI_DOUBLE, MPI_OP_NULL, MPI_COMM_WORLD), MPI_ERR_OP);
    EXPECT_EQ(scan(in, out, 1, MPI_DOUBLE, MPI_BAND, MPI_COMM_WORLD), MPI_ERR_OP);
    EXPECT_EQ(scan(in, out, 1, MPI_DOUBLE, MPI_REPLACE, MPI_COMM_WORLD), MPI_ERR_OP);
    EXPECT_EQ(scan(nullptr, out, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD), MPI_ERR_BUFFER);
    EXPECT_EQ(scan(MPI_IN_PLACE, nullptr, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD), MPI_ERR_BUFFER);
    EXPECT_EQ(scan(in, MPI_IN_PLACE, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD), MPI_ERR_BUFFER);
    EXPECT_EQ(scan(nullptr, nullptr, 0, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD), MPI_SUCCESS);
  });
  EXPECT_EQ(MPI_Scan(in, nullptr, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD), MPI_ERR_BUFFER);
  EXPECT_EQ(MPI_Scan(out, out, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD), MPI_ERR_BUFFER);
  EXPECT_EQ(out[0], 3);
  // The receive buffer of rank 0 of an exclusive prefix means nothing.
  EXPECT_EQ(MPI_Exscan(in, nullptr, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD), MPI_SUCCESS);
  EXPECT_EQ(MPI_Exscan(in, out, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD), MPI_SUCCESS);
  EXPECT_EQ(out[0], 3);
  EXPECT_EQ(MPI_Scan(in, out, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD), MPI_SUCCESS);
  EXPECT_EQ(out[1], 2);
}

void keep(void*, void*, int*, MPI_Datatype*) {}

TEST_F(CommArguments, DatatypesThatAreNotCommittedOrNotPredefined) {
  MPI_Datatype pair = MPI_DATATYPE_NULL;
  MPI_Op op = MPI_OP_NULL;
  ASSERT_EQ(MPI_Type_contiguous(2, MPI_INT, &pair), MPI_SUCCESS);
  ASSERT_EQ(MPI_Op_create(keep, 0, &op), MPI_SUCCESS);
  int in[8] = {}, out[8] = {};
  const int counts[] = {1};
  const auto comm = MPI_COMM_WORLD;
  const auto all = [&](MPI_Op with, int expected) {
    EXPECT_EQ(MPI_Reduce(in, out, 1, pair, with, 0, comm), expected);
    EXPECT_EQ(MPI_Allreduce(in, out, 1, pair, with, comm), expected);
    EXPECT_EQ(MPI_Reduce_scatter(in, out, counts, pair, with, comm), expected);
    EXPECT_EQ(MPI_Reduce_scatter_block(in, out, 1, pair, with, comm), expected);
    EXPECT_EQ(MPI_Scan(in, out, 1, pair, with, comm), expected);
    EXPECT_EQ(MPI_Exscan(in, out, 1, pair, with, comm), expected);
    EXPECT_EQ(MPI_Reduce_local(in, out, 1, pair, with), expected);
  };
  all(op, MPI_ERR_TYPE);
  EXPECT_EQ(MPI_Bcast(out, 1, pair, 0, comm), MPI_ERR_TYPE);
  all(MPI_SUM, MPI_ERR_OP);
  ASSERT_EQ(MPI_Type_commit(&pair), MPI_SUCCESS);
  all(op, MPI_SUCCESS);
  all(MPI_SUM, MPI_ERR_OP);
  all(MPI_MINLOC, MPI_ERR_OP);
  EXPECT_EQ(MPI_Bcast(out, 1, pair, 0, comm), MPI_SUCCESS);
  const MPI_Datatype freed = pair;
  MPI_Type_free(&pair);
  pair = freed;
  all(op, MPI_ERR_TYPE);
  EXPECT_EQ(MPI_Bcast(out, 1, pair, 0, comm), MPI_ERR_TYPE);
  MPI_Op_free(&op);
}

TEST_F(CommArguments, HugeCountsOfDerivedTypes) {
  MPI_Datatype spread = MPI_DATATYPE_NULL;
  ASSERT_EQ(MPI_Type_create_resized(MPI_INT, 0, MPI_Aint{1} << 40, &spread), MPI_SUCCESS);
  MPI_Type_commit(&spread);
  MPI_Op op = MPI_OP_NULL;
  MPI_Op_create(keep, 0, &op);
  int value[2] = {};
  EXPECT_EQ(MPI_Bcast_c(value, MPI_Count{1} << 40, spread, 0, MPI_COMM_WORLD), MPI_ERR_COUNT);
  EXPECT_EQ(MPI_Scan_c(MPI_IN_PLACE, value, MPI_Count{1} << 40, spread, op, MPI_COMM_WORLD), MPI_ERR_COUNT);
  EXPECT_EQ(MPI_Allreduce(MPI_IN_PLACE, value, 1, spread, op, MPI_COMM_WORLD), MPI_SUCCESS);
  MPI_Type_free(&spread);
  MPI_Op_free(&op);
}

}  // namespace
