/* How much the memory of a rank grows behind a flood of messages that it does not ask for: flood [MESSAGES]
 *
 * Rank 0 receives from the last rank, which comes 3 s late, while all others send to it, MESSAGES (100,000)
 * of 1 KiB together. Then it receives those. Plain MPI, so that it can be built for every implementation. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { BYTES = 1024, LATE_S = 3, FLOOD = 1, LATE = 2 };

static char message[BYTES];

/* What only this process has, and what it has touched of shared memory. */
static long resident_kib(void) {
  FILE* const file = fopen("/proc/self/status", "r");
  char line[256];
  long all = 0, part = 0;
  if (file == NULL) return 0;
  while (fgets(line, sizeof line, file) != NULL)
    if (sscanf(line, "RssAnon: %ld", &part) == 1 || sscanf(line, "RssShmem: %ld", &part) == 1) all += part;
  fclose(file);
  return all;
}

static void send_flood(int messages) {
  for (int i = 0; i < messages; ++i) MPI_Send(message, BYTES, MPI_BYTE, 0, FLOOD, MPI_COMM_WORLD);
}

static void receive_flood(int messages) {
  const double start = MPI_Wtime();
  for (int i = 0; i < messages; ++i)
    MPI_Recv(message, BYTES, MPI_BYTE, MPI_ANY_SOURCE, FLOOD, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  printf("%d messages of %d bytes, received in %.2f s\n", messages, BYTES, MPI_Wtime() - start);
}

static void send_late(void) {
  sleep(LATE_S);
  MPI_Send(message, BYTES, MPI_BYTE, 0, LATE, MPI_COMM_WORLD);
}

/* Of the receiver until the late one was heard, of the others until they had sent. */
static long growth_kib(int rank, int last, int messages) {
  const long before = resident_kib();
  const int of_each = messages / (last - 1);
  if (rank == last) send_late();
  if (rank > 0 && rank < last) send_flood(of_each);
  if (rank > 0) return resident_kib() - before;
  MPI_Recv(message, BYTES, MPI_BYTE, last, LATE, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  const long growth = resident_kib() - before;
  receive_flood(of_each * (last - 1));
  return growth;
}

static void print(const long* growths, int ranks) {
  for (int rank = 0; rank < ranks; ++rank)
    printf("rank %d (%s): %.1f MiB more\n", rank,
           rank == 0           ? "receives"
           : rank == ranks - 1 ? "comes late"
                               : "sends",
           (double)growths[rank] / 1024);
}

int main(int argc, char** argv) {
  int rank = 0, ranks = 0;
  const int messages = argc > 1 ? atoi(argv[1]) : 100000;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (ranks < 3 || messages < 1) {
    if (rank == 0) fprintf(stderr, "flood: needs 3 ranks and a message: mpiexec -n 3 flood [MESSAGES]\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  long* const growths = calloc((size_t)ranks, sizeof *growths);
  MPI_Barrier(MPI_COMM_WORLD);
  const long growth = growth_kib(rank, ranks - 1, messages);
  MPI_Gather(&growth, 1, MPI_LONG, growths, 1, MPI_LONG, 0, MPI_COMM_WORLD);
  if (rank == 0) print(growths, ranks);
  free(growths);
  return MPI_Finalize();
}
