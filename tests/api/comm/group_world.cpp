// The groups of the two communicators that every job has, with several ranks.
#include <mpi.h>

#include <initializer_list>

#include "support/expect.h"

namespace {

int compared(MPI_Group left, MPI_Group right) {
  int result = -1;
  MPI_Group_compare(left, right, &result);
  return result;
}

int size_of(MPI_Group group) {
  int size = -1;
  MPI_Group_size(group, &size);
  return size;
}

int rank_in(MPI_Group group) {
  int rank = -1;
  MPI_Group_rank(group, &rank);
  return rank;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = -1, size = -1, found = -1;
  const int first = 0;
  MPI_Group world = MPI_GROUP_NULL, self = MPI_GROUP_NULL, others = MPI_GROUP_NULL;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Comm_group(MPI_COMM_SELF, &self);
  expect_that(size_of(world) == size && rank_in(world) == rank, "the world is all ranks in their order");
  expect_that(size_of(self) == 1 && rank_in(self) == 0, "self is this rank alone");
  MPI_Group_translate_ranks(self, 1, &first, world, &found);
  expect_that(found == rank, "self is this rank of the world");
  MPI_Group_difference(world, self, &others);
  expect_that(size_of(others) == size - 1 && rank_in(others) == MPI_UNDEFINED,
              "the others are without this rank");
  expect_that(compared(world, self) == (size == 1 ? MPI_IDENT : MPI_UNEQUAL),
              "world and self are two groups");
  for (MPI_Group* group : {&world, &self, &others}) MPI_Group_free(group);
  MPI_Finalize();
}
