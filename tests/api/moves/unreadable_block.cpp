// A rank gives a block whose memory nobody may read. Who pulls it says so, with the rank that gives it, and
// everybody learns of it. Needs FOLDLANE_ARMS=block-way=pull and more than two ranks.
#include <mpi.h>
#include <sys/mman.h>

#include <cstddef>
#include <cstdio>
#include <string>
#include <vector>

#include "moves/unreadable.hpp"
#include "support/can_pull.hpp"

namespace {

using foldlane::tests::map_pages;
using foldlane::tests::text_of;

constexpr int kBytes = 64 << 10;  // pages, and no block that has room beside its table
constexpr int kGiver = 1, kTaker = 0;

}  // namespace

int main(int argc, char** argv) {
  int rank = 0, ranks = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (!foldlane::tests::can_pull(rank, ranks)) {
    if (rank == 0) std::puts("the system lets nobody pull");
    MPI_Finalize();
    return 0;
  }
  char* const send = map_pages(static_cast<std::size_t>(ranks) * kBytes);
  char* const recv = map_pages(static_cast<std::size_t>(ranks) * kBytes);
  std::vector<int> counts(static_cast<std::size_t>(ranks), kBytes), places;
  for (int other = 0; other < ranks; ++other) places.push_back(other * kBytes);
  if (rank == kGiver) expect(mprotect(send + kTaker * kBytes, kBytes, PROT_NONE) == 0);
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  int code = MPI_Alltoallv(send, counts.data(), places.data(), MPI_CHAR, recv, counts.data(), places.data(),
                           MPI_CHAR, comm);
  if (rank == kTaker) expect_that(code != MPI_SUCCESS, "a block that cannot be read");
  if (code == MPI_SUCCESS) code = MPI_Barrier(comm);  // it may have had all of its own
  int error_class = MPI_SUCCESS;
  MPI_Error_class(code, &error_class);
  expect_that(error_class == MPI_ERR_OTHER, "a call of a broken communicator: " + text_of(code));
  const bool is_named = text_of(code).find("rank 0 could not read what rank 1 sends") != std::string::npos;
  expect_that(is_named, text_of(code));
  MPI_Finalize();
  return 0;
}
