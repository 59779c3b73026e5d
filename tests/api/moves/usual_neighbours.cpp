// Short blocks among neighbours of which the arguments are as usual take a short way. What differs from them
// in one place is judged as ever, and meets those at their turns.
#include <mpi.h>

#include <array>

#include "support/expect.h"

namespace {

MPI_Comm ring;
int before, behind;  // neighbours
int own;

int class_of(int code) {
  int error_class = MPI_SUCCESS;
  MPI_Error_class(code, &error_class);
  return error_class;
}

void make_ring() {
  const int periodic = 1;
  int size = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &periodic, 0, &ring);
  MPI_Comm_set_errhandler(ring, MPI_ERRORS_RETURN);
  MPI_Cart_shift(ring, 0, 1, &before, &behind);
  MPI_Comm_rank(ring, &own);
}

/// What goes to the neighbour before: 10 r + 1, and behind: 10 r + 2.
std::array<int, 2> given() { return {10 * own + 1, 10 * own + 2}; }

void expect_taken(const std::array<int, 2>& taken, const char* what) {
  expect_that(taken[0] == 10 * before + 2 && taken[1] == 10 * behind + 1, what);
}

void expect_right_calls() {
  const auto in = given();
  std::array<int, 2> out{};
  MPI_Neighbor_alltoall(in.data(), 1, MPI_INT, out.data(), 4, MPI_BYTE, ring);
  expect_taken(out, "MPI_Neighbor_alltoall");
  MPI_Neighbor_allgather(&in[1], 1, MPI_INT, out.data(), 1, MPI_INT, ring);
  expect_that(out[0] == 10 * before + 2 && out[1] == 10 * behind + 2, "MPI_Neighbor_allgather");
}

/// One rank's blocks are not dense, or its call does not block.
void expect_calls_of_both_ways() {
  MPI_Datatype apart = MPI_DATATYPE_NULL;
  MPI_Type_create_resized(MPI_INT, 0, 2 * sizeof(int), &apart);
  MPI_Type_commit(&apart);
  const auto in = given();
  std::array<int, 2> out{};
  if (own == 1) {
    std::array<int, 4> wide{};
    MPI_Neighbor_alltoall(in.data(), 1, MPI_INT, wide.data(), 1, apart, ring);
    out = {wide[0], wide[2]};
  } else {
    MPI_Neighbor_alltoall(in.data(), 1, MPI_INT, out.data(), 1, MPI_INT, ring);
  }
  expect_taken(out, "ranks with different datatypes");
  MPI_Type_free(&apart);
  out = {};
  MPI_Request request = MPI_REQUEST_NULL;
  if (own == 0) {
    MPI_Ineighbor_alltoall(in.data(), 1, MPI_INT, out.data(), 1, MPI_INT, ring, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  } else {
    MPI_Neighbor_alltoall(in.data(), 1, MPI_INT, out.data(), 1, MPI_INT, ring);
  }
  expect_taken(out, "a rank whose call does not block");
}

/// The first and the last one have one neighbour: their other block is neither read nor written.
void expect_nothing_behind_the_border() {
  int size = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int open = 0;
  MPI_Comm line = MPI_COMM_NULL;
  MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &open, 0, &line);
  const auto in = given();
  std::array<int, 2> out{-1, -1};
  MPI_Neighbor_alltoall(in.data(), 1, MPI_INT, out.data(), 1, MPI_INT, line);
  expect_that(out[0] == (own == 0 ? -1 : 10 * (own - 1) + 2), "before");
  expect_that(out[1] == (own == size - 1 ? -1 : 10 * (own + 1) + 1), "behind");
  MPI_Comm_free(&line);
}

void expect_mistakes() {
  const std::array before_calls{10 * own + 1, 10 * own + 2, 10 * own + 3, 10 * own + 4};
  auto mixed = before_calls;
  const int overlap = MPI_Neighbor_alltoall(mixed.data(), 1, MPI_INT, mixed.data() + 1, 1, MPI_INT, ring);
  expect_that(class_of(overlap) == MPI_ERR_BUFFER, "buffers that overlap");
  const int inside = MPI_Neighbor_allgather(&mixed[1], 1, MPI_INT, mixed.data(), 1, MPI_INT, ring);
  expect_that(class_of(inside) == MPI_ERR_BUFFER, "an input within the result");
  const int nowhere = MPI_Neighbor_alltoall(nullptr, 1, MPI_INT, mixed.data(), 1, MPI_INT, ring);
  expect_that(class_of(nowhere) == MPI_ERR_BUFFER, "from nowhere");
  const int negative = MPI_Neighbor_alltoall(mixed.data(), -1, MPI_INT, mixed.data() + 2, -1, MPI_INT, ring);
  expect_that(class_of(negative) == MPI_ERR_COUNT, "a negative count");
  const int none =
      MPI_Neighbor_alltoall(mixed.data(), 1, MPI_INT, mixed.data() + 2, 1, MPI_INT, MPI_COMM_WORLD);
  expect_that(class_of(none) == MPI_ERR_TOPOLOGY, "a communicator without neighbours");
  expect_that(mixed == before_calls, "a call with a mistake changes nothing");
}

/// Of ranks that expect more than they give, which is unusual, and of one among others. The communicator
/// cannot be used any more.
void expect_other_lengths() {
  const std::array<int, 4> in{};
  std::array<int, 4> out{};
  for (const bool is_one : {false, true}) {
    MPI_Comm other = MPI_COMM_NULL;
    MPI_Comm_dup(ring, &other);
    const int given = is_one && own == 0 ? 2 : 1, expected = is_one ? given : 2;
    int code = MPI_Neighbor_alltoall(in.data(), given, MPI_INT, out.data(), expected, MPI_INT, other);
    if (code == MPI_SUCCESS) code = MPI_Barrier(other);  // its neighbours are as it is
    expect_that(class_of(code) == MPI_ERR_TRUNCATE, "neighbours give other than is expected");
    MPI_Comm_free(&other);
  }
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  make_ring();
  expect_right_calls();
  expect_mistakes();
  expect_right_calls();
  expect_calls_of_both_ways();
  expect_nothing_behind_the_border();
  expect_other_lengths();
  MPI_Comm_free(&ring);
  MPI_Finalize();
  return 0;
}
