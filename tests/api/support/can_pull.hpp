#pragma once

#include <mpi.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cstdint>

namespace foldlane::tests {

/// Whether the system lets processes read each other's memory here.
inline bool can_pull(int rank, int ranks) {
  const int to = (rank + 1) % ranks, from = (rank + ranks - 1) % ranks;
  const int word = 12345 + rank;
  const long mine[2] = {::getpid(), static_cast<long>(reinterpret_cast<std::uintptr_t>(&word))};
  long theirs[2] = {0, 0};
  MPI_Sendrecv(mine, 2, MPI_LONG, to, 0, theirs, 2, MPI_LONG, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  int read = 0;
  const iovec here{&read, sizeof read};
  const iovec there{reinterpret_cast<void*>(theirs[1]), sizeof read};
  int could = ::process_vm_readv(static_cast<pid_t>(theirs[0]), &here, 1, &there, 1, 0) == sizeof read &&
              read == 12345 + from;
  MPI_Allreduce(MPI_IN_PLACE, &could, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  return could != 0;
}

}  // namespace foldlane::tests
