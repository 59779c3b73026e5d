// Communicators of one rank: what each call makes, and what it copies.
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "support/mpi_world.hpp"

namespace {

class Comm : public ::testing::Test {
 protected:
  static MPI_Comm duplicate(MPI_Comm comm) {
    MPI_Comm twin = MPI_COMM_NULL;
    EXPECT_EQ(MPI_Comm_dup(comm, &twin), MPI_SUCCESS);
    return twin;
  }
  static int compare(MPI_Comm left, MPI_Comm right) {
    int result = -1;
    EXPECT_EQ(MPI_Comm_compare(left, right, &result), MPI_SUCCESS);
    return result;
  }
  static MPI_Group world_group() {
    MPI_Group group = MPI_GROUP_NULL;
    EXPECT_EQ(MPI_Comm_group(MPI_COMM_WORLD, &group), MPI_SUCCESS);
    return group;
  }

 private:
  foldlane::testing::ErrorsReturn errors_return_;
};

TEST_F(Comm, Relations) {
  MPI_Comm twin = duplicate(MPI_COMM_WORLD);
  EXPECT_EQ(compare(twin, twin), MPI_IDENT);
  EXPECT_EQ(compare(MPI_COMM_WORLD, MPI_COMM_WORLD), MPI_IDENT);
  EXPECT_EQ(compare(twin, MPI_COMM_WORLD), MPI_CONGRUENT);
  EXPECT_EQ(compare(MPI_COMM_SELF, MPI_COMM_WORLD), MPI_CONGRUENT);
  MPI_Comm_free(&twin);
}

TEST_F(Comm, EveryWayToMakeOne) {
  MPI_Group group = world_group();
  std::array<MPI_Comm, 7> made{};
  EXPECT_EQ(MPI_Comm_dup(MPI_COMM_SELF, &made[0]), MPI_SUCCESS);
  EXPECT_EQ(MPI_Comm_dup_with_info(MPI_COMM_SELF, MPI_INFO_NULL, &made[1]), MPI_SUCCESS);
  EXPECT_EQ(MPI_Comm_split(MPI_COMM_WORLD, 0, -5, &made[2]), MPI_SUCCESS);
  EXPECT_EQ(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &made[3]),
            MPI_SUCCESS);
  EXPECT_EQ(MPI_Comm_create(MPI_COMM_WORLD, group, &made[4]), MPI_SUCCESS);
  EXPECT_EQ(MPI_Comm_create_group(MPI_COMM_WORLD, group, 3, &made[5]), MPI_SUCCESS);
  EXPECT_EQ(MPI_Comm_create_from_group(group, "a tag", MPI_INFO_NULL, MPI_ERRORS_RETURN, &made[6]),
            MPI_SUCCESS);
  MPI_Group_free(&group);
  for (MPI_Comm& comm : made) {
    int rank = -1, size = -1, flag = -1;
    EXPECT_EQ(MPI_Comm_rank(comm, &rank), MPI_SUCCESS);
    EXPECT_EQ(MPI_Comm_size(comm, &size), MPI_SUCCESS);
    EXPECT_EQ(MPI_Comm_test_inter(comm, &flag), MPI_SUCCESS);
    EXPECT_EQ(rank, 0);
    EXPECT_EQ(size, 1);
    EXPECT_EQ(flag, 0);
    double in = 2.5, out = 0;
    EXPECT_EQ(MPI_Allreduce(&in, &out, 1, MPI_DOUBLE, MPI_SUM, comm), MPI_SUCCESS);
    EXPECT_EQ(out, 2.5);
    EXPECT_EQ(MPI_Barrier(comm), MPI_SUCCESS);
    EXPECT_GE(MPI_Comm_toint(comm), 0x1000);
    EXPECT_EQ(MPI_Comm_fromint(MPI_Comm_toint(comm)), comm);
    EXPECT_EQ(MPI_Comm_disconnect(&comm), MPI_SUCCESS);
    EXPECT_EQ(comm, MPI_COMM_NULL);
  }
}

TEST_F(Comm, NobodyIsInIt) {
  MPI_Comm comm = MPI_COMM_WORLD;
  EXPECT_EQ(MPI_Comm_split(MPI_COMM_WORLD, MPI_UNDEFINED, 0, &comm), MPI_SUCCESS);
  EXPECT_EQ(comm, MPI_COMM_NULL);
  comm = MPI_COMM_WORLD;
  EXPECT_EQ(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_UNDEFINED, 0, MPI_INFO_NULL, &comm), MPI_SUCCESS);
  EXPECT_EQ(comm, MPI_COMM_NULL);
  comm = MPI_COMM_WORLD;
  EXPECT_EQ(MPI_Comm_create(MPI_COMM_WORLD, MPI_GROUP_EMPTY, &comm), MPI_SUCCESS);
  EXPECT_EQ(comm, MPI_COMM_NULL);
  comm = MPI_COMM_WORLD;
  EXPECT_EQ(MPI_Comm_create_group(MPI_COMM_WORLD, MPI_GROUP_EMPTY, 0, &comm), MPI_SUCCESS);
  EXPECT_EQ(comm, MPI_COMM_NULL);
  comm = MPI_COMM_WORLD;
  EXPECT_EQ(MPI_Comm_create_from_group(MPI_GROUP_EMPTY, "tag", MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm),
            MPI_SUCCESS);
  EXPECT_EQ(comm, MPI_COMM_NULL);
}

TEST_F(Comm, ManyAtATime) {
  std::vector<MPI_Comm> comms(1000);
  for (MPI_Comm& comm : comms) comm = duplicate(MPI_COMM_SELF);
  for (MPI_Comm& comm : comms) EXPECT_EQ(MPI_Comm_free(&comm), MPI_SUCCESS);
}

int copies = 0, deletions = 0;

int copy_doubled(MPI_Comm, int, void* extra, void* in, void* out, int* flag) {
  ++copies;
  EXPECT_EQ(extra, &copies);
  *static_cast<std::intptr_t*>(out) = 2 * reinterpret_cast<std::intptr_t>(in);
  *flag = 1;
  return MPI_SUCCESS;
}
int copy_failing(MPI_Comm, int, void*, void*, void*, int*) { return MPI_ERR_INTERN; }
int count_deletion(MPI_Comm, int, void*, void*) {
  ++deletions;
  return MPI_SUCCESS;
}

std::intptr_t attribute(MPI_Comm comm, int key) {
  void* value = nullptr;
  int flag = 0;
  EXPECT_EQ(MPI_Comm_get_attr(comm, key, &value, &flag), MPI_SUCCESS);
  return flag != 0 ? reinterpret_cast<std::intptr_t>(value) : -1;
}

TEST_F(Comm, DupCopiesAttributesThroughTheirFunctions) {
  int doubled = MPI_KEYVAL_INVALID, kept = MPI_KEYVAL_INVALID, private_key = MPI_KEYVAL_INVALID;
  copies = deletions = 0;
  MPI_Comm_create_keyval(copy_doubled, count_deletion, &doubled, &copies);
  MPI_Comm_create_keyval(MPI_COMM_DUP_FN, count_deletion, &kept, nullptr);
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, count_deletion, &private_key, nullptr);
  MPI_Comm from = duplicate(MPI_COMM_SELF);
  for (const int key : {doubled, kept, private_key})
    MPI_Comm_set_attr(from, key, reinterpret_cast<void*>(std::intptr_t{21}));
  MPI_Comm to = duplicate(from);
  EXPECT_EQ(attribute(to, doubled), 42);
  EXPECT_EQ(attribute(to, kept), 21);
  EXPECT_EQ(attribute(to, private_key), -1);
  EXPECT_EQ(attribute(from, doubled), 21);
  EXPECT_EQ(copies, 1);
  MPI_Comm part = MPI_COMM_NULL;
  EXPECT_EQ(MPI_Comm_split(from, 0, 0, &part), MPI_SUCCESS);
  EXPECT_EQ(attribute(part, kept), -1);
  MPI_Comm_free(&part);
  EXPECT_EQ(deletions, 0);
  MPI_Comm_free(&to);
  EXPECT_EQ(deletions, 2);
  MPI_Comm_free(&from);
  EXPECT_EQ(deletions, 5);
  for (int* key : {&doubled, &kept, &private_key}) MPI_Comm_free_keyval(key);
}

TEST_F(Comm, DupFailsWithACopyFunction) {
  int key = MPI_KEYVAL_INVALID;
  MPI_Comm_create_keyval(copy_failing, MPI_COMM_NULL_DELETE_FN, &key, nullptr);
  MPI_Comm from = duplicate(MPI_COMM_SELF), to = MPI_COMM_NULL;
  MPI_Comm_set_attr(from, key, nullptr);
  EXPECT_NE(MPI_Comm_dup(from, &to), MPI_SUCCESS);
  EXPECT_EQ(to, MPI_COMM_NULL);
  MPI_Comm_free(&from);
  MPI_Comm_free_keyval(&key);
}

int refuse_deletion(MPI_Comm, int, void*, void* extra) { return *static_cast<int*>(extra); }

TEST_F(Comm, FreeFailsWithADeleteFunction) {
  int key = MPI_KEYVAL_INVALID, answer = MPI_ERR_INTERN;
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, refuse_deletion, &key, &answer);
  MPI_Comm comm = duplicate(MPI_COMM_SELF);
  MPI_Comm_set_attr(comm, key, nullptr);
  EXPECT_NE(MPI_Comm_free(&comm), MPI_SUCCESS);
  ASSERT_NE(comm, MPI_COMM_NULL);
  EXPECT_EQ(MPI_Barrier(comm), MPI_SUCCESS);
  answer = MPI_SUCCESS;
  EXPECT_EQ(MPI_Comm_free(&comm), MPI_SUCCESS);
  MPI_Comm_free_keyval(&key);
}

std::string name_of(MPI_Comm comm) {
  char name[MPI_MAX_OBJECT_NAME];
  int length = -1;
  EXPECT_EQ(MPI_Comm_get_name(comm, name, &length), MPI_SUCCESS);
  return {name, static_cast<std::size_t>(length)};
}

TEST_F(Comm, NamesAreNotCopied) {
  MPI_Comm from = duplicate(MPI_COMM_WORLD);
  EXPECT_EQ(name_of(from), "");
  EXPECT_EQ(MPI_Comm_set_name(from, "rows"), MPI_SUCCESS);
  EXPECT_EQ(name_of(from), "rows");
  MPI_Comm to = duplicate(from);
  EXPECT_EQ(name_of(to), "");
  MPI_Comm_free(&to);
  MPI_Comm_free(&from);
}

int errors_seen = 0;
void see(MPI_Comm*, int*, ...) { ++errors_seen; }

TEST_F(Comm, ErrorHandlersAreInherited) {
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  MPI_Comm_create_errhandler(see, &handler);
  MPI_Comm from = duplicate(MPI_COMM_SELF);
  MPI_Comm_set_errhandler(from, handler);
  MPI_Errhandler_free(&handler);
  MPI_Group group = world_group();
  std::array<MPI_Comm, 4> made{};
  made[0] = duplicate(from);
  EXPECT_EQ(MPI_Comm_split(from, 0, 0, &made[1]), MPI_SUCCESS);
  EXPECT_EQ(MPI_Comm_create(from, group, &made[2]), MPI_SUCCESS);
  EXPECT_EQ(MPI_Comm_create_group(from, group, 0, &made[3]), MPI_SUCCESS);
  MPI_Group_free(&group);
  MPI_Comm_free(&from);
  for (MPI_Comm& comm : made) {
    errors_seen = 0;
    EXPECT_EQ(MPI_Bcast(nullptr, -1, MPI_INT, 0, comm), MPI_ERR_COUNT);
    EXPECT_EQ(errors_seen, 1);
    MPI_Comm_free(&comm);
  }
}

TEST_F(Comm, ErrorsOfMakingAreRaisedOnTheParent) {
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  MPI_Comm_create_errhandler(see, &handler);
  MPI_Comm from = duplicate(MPI_COMM_SELF), out = MPI_COMM_NULL;
  MPI_Comm_set_errhandler(from, handler);
  errors_seen = 0;
  EXPECT_EQ(MPI_Comm_split(from, -7, 0, &out), MPI_ERR_ARG);
  EXPECT_EQ(MPI_Comm_dup(from, nullptr), MPI_ERR_ARG);
  EXPECT_EQ(MPI_Intercomm_create(from, 9, MPI_COMM_WORLD, 0, 0, &out), MPI_ERR_RANK);
  EXPECT_EQ(errors_seen, 3);
  MPI_Errhandler_free(&handler);
  MPI_Comm_free(&from);
}

}  // namespace
