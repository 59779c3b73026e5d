// One of two ranks passes data out of memory that nobody may read any more. The other one, which pulls them,
// says so with the rank that gives them, and both learn of it. Needs FOLDLANE_ARMS=pass-way=pull and two
// ranks.
#include <mpi.h>
#include <sys/mman.h>

#include <cstdio>
#include <string>

#include "moves/unreadable.hpp"
#include "support/can_pull.hpp"

namespace {

using foldlane::tests::map_pages;
using foldlane::tests::text_of;

constexpr int kBytes = 32 << 10;  // pages, and what a gather still puts into boxes
constexpr int kGiver = 1, kTaker = 0;

/// call(block, other, comm) passes kBytes from the giver to the taker.
template <class Call>
void expect_refused(int rank, const char* name, const Call& call) {
  char *const block = map_pages(kBytes), *const other = map_pages(kBytes);
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  expect_that(call(block, other, comm) == MPI_SUCCESS, std::string(name) + " of what can be read");
  MPI_Barrier(comm);  // what the taker wants has been told
  if (rank == kGiver) expect(mprotect(block, kBytes, PROT_NONE) == 0);
  int code = call(block, other, comm);
  if (rank == kTaker) expect_that(code != MPI_SUCCESS, std::string(name) + " of what cannot be read");
  if (code == MPI_SUCCESS) code = MPI_Barrier(comm);  // the giver may have left before
  const bool is_named = text_of(code).find("rank 0 could not read what rank 1 sends") != std::string::npos;
  expect_that(is_named, std::string(name) + ": " + text_of(code));
  munmap(block, kBytes);
  munmap(other, kBytes);
}

}  // namespace

int main(int argc, char** argv) {
  int rank = 0, ranks = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (foldlane::tests::can_pull(rank, ranks)) {
    expect_refused(rank, "MPI_Reduce", [](char* block, char* other, MPI_Comm comm) {
      return MPI_Reduce(block, other, kBytes / 8, MPI_LONG, MPI_SUM, kTaker, comm);
    });
    expect_refused(rank, "MPI_Bcast", [](char* block, char*, MPI_Comm comm) {
      return MPI_Bcast(block, kBytes, MPI_BYTE, kGiver, comm);
    });
    expect_refused(rank, "MPI_Gather", [rank](char* block, char* other, MPI_Comm comm) {
      static char gathered[2 * kBytes];
      return MPI_Gather(rank == kGiver ? block : other, kBytes, MPI_BYTE, gathered, kBytes, MPI_BYTE, kTaker,
                        comm);
    });
  } else if (rank == 0) {
    std::puts("the system lets nobody pull");
  }
  MPI_Finalize();
  return 0;
}
