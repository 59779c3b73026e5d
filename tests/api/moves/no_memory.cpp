// Addresses that are no memory: an error in whatever way a call goes, and none where there are no bytes.
#include <mpi.h>

#include <vector>

#include "support/expect.h"

namespace {

int class_of(int code) {
  int error_class = MPI_SUCCESS;
  MPI_Error_class(code, &error_class);
  return error_class;
}

void expect_refused(void* nowhere, int ranks) {
  std::vector<int> place(static_cast<std::size_t>(ranks), 1);
  const MPI_Comm world = MPI_COMM_WORLD;
  const int sends[] = {MPI_Alltoall(nowhere, 1, MPI_INT, place.data(), 1, MPI_INT, world),
                       MPI_Allgather(nowhere, 1, MPI_INT, place.data(), 1, MPI_INT, world)};
  const int receives[] = {MPI_Alltoall(place.data(), 1, MPI_INT, nowhere, 1, MPI_INT, world),
                          MPI_Allgather(place.data(), 1, MPI_INT, nowhere, 1, MPI_INT, world)};
  for (const int code : sends) expect_that(class_of(code) == MPI_ERR_BUFFER, "a send buffer that is none");
  for (const int code : receives)
    expect_that(class_of(code) == MPI_ERR_BUFFER, "a receive buffer that is none");
}

/// Of a datatype without bytes there may be any number anywhere.
void expect_nothing_from_nowhere(int ranks) {
  MPI_Datatype empty = MPI_DATATYPE_NULL;
  MPI_Type_contiguous(0, MPI_INT, &empty);
  MPI_Type_commit(&empty);
  const std::vector<int> ones(static_cast<std::size_t>(ranks), 1), places(ones.size(), 0);
  const std::vector<MPI_Datatype> types(ones.size(), empty);
  expect_that(MPI_Alltoallv(nullptr, ones.data(), places.data(), empty, nullptr, ones.data(), places.data(),
                            empty, MPI_COMM_WORLD) == MPI_SUCCESS,
              "MPI_Alltoallv of nothing");
  expect_that(MPI_Alltoallw(nullptr, ones.data(), places.data(), types.data(), nullptr, ones.data(),
                            places.data(), types.data(), MPI_COMM_WORLD) == MPI_SUCCESS,
              "MPI_Alltoallw of nothing");
  MPI_Type_free(&empty);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int ranks = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  expect_refused(nullptr, ranks);
  expect_refused(MPI_BUFFER_AUTOMATIC, ranks);
  expect_nothing_from_nowhere(ranks);
  MPI_Finalize();
  return 0;
}
