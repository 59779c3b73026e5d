/* Sessions with several ranks, as "how" (the argument) says; the number of ranks is in the launcher's hand.

   only     sessions without MPI_Init, again after the last has ended
   uneven   each rank makes other numbers of sessions, and ends them at other times
   mixed    sessions around and after MPI_Init and MPI_Finalize
   left     a communicator is left over when its session ends (three ranks)
   alone    rank 0 comes and goes before anybody else starts                                               */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/expect.h"

enum { kLong = 1 << 18 }; /* elements: several chunks of the slots */

static MPI_Session begin(void) {
  MPI_Session session = MPI_SESSION_NULL;
  expect(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session) == MPI_SUCCESS);
  return session;
}

static MPI_Comm communicator_of(MPI_Session session, const char* tag) {
  MPI_Group group = MPI_GROUP_NULL;
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
  MPI_Comm_create_from_group(group, tag, MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
  MPI_Group_free(&group);
  return comm;
}

static void check_sum(MPI_Comm comm) {
  static int in[kLong], out[kLong];
  int size, rank;
  MPI_Comm_size(comm, &size);
  MPI_Comm_rank(comm, &rank);
  for (int i = 0; i < kLong; ++i) in[i] = rank + i;
  for (int count = 1; count <= kLong; count *= 64) {
    memset(out, 0, sizeof out);
    MPI_Allreduce(in, out, count, MPI_INT, MPI_SUM, comm);
    for (int i = 0; i < count; ++i) expect(out[i] == size * (size - 1) / 2 + size * i);
  }
}

static void one_session(void) {
  MPI_Session session = begin();
  MPI_Comm comm = communicator_of(session, "one");
  check_sum(comm);
  MPI_Comm_free(&comm);
  MPI_Session_finalize(&session);
}

/* The broadcast's root leaves while the others may still be reading. */
static void uneven(void) {
  MPI_Session session = begin(), more[20];
  MPI_Comm comm = communicator_of(session, "uneven");
  static int data[kLong];
  int rank;
  MPI_Comm_rank(comm, &rank);
  for (int i = 0; i < rank; ++i) more[i] = begin();
  for (int i = 0; i < kLong; ++i) data[i] = rank == 0 ? i : -1;
  MPI_Bcast(data, kLong, MPI_INT, 0, comm);
  if (rank % 2 == 1) MPI_Session_finalize(&session);
  for (int i = 0; i < rank; ++i) MPI_Session_finalize(&more[i]);
  if (rank % 2 == 0) MPI_Session_finalize(&session);
  for (int i = 0; i < kLong; ++i) expect(data[i] == i);
}

static MPI_Comm communicator_of_two(MPI_Session session, int first) {
  MPI_Group all = MPI_GROUP_NULL, two = MPI_GROUP_NULL;
  MPI_Comm comm = MPI_COMM_NULL;
  int ranks[] = {first, first + 1};
  MPI_Group_from_session_pset(session, "mpi://WORLD", &all);
  MPI_Group_incl(all, 2, ranks, &two);
  MPI_Comm_create_from_group(two, "two", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
  MPI_Group_free(&all);
  MPI_Group_free(&two);
  return comm;
}

/* Rank 0 broadcasts, ends its session without freeing the communicator, and sends other data from the same
   memory in the next one, before rank 2 has looked at the first. */
static void left(void) {
  static int data[1000];
  MPI_Session session = begin();
  MPI_Comm all = communicator_of(session, "left"), pair = MPI_COMM_NULL;
  int rank;
  MPI_Comm_rank(all, &rank);
  if (rank > 0) pair = communicator_of_two(session, 1);
  if (rank == 2) MPI_Barrier(pair);
  for (int i = 0; i < 1000; ++i) data[i] = rank == 0 ? i : -1;
  MPI_Bcast(data, 1000, MPI_INT, 0, all);
  for (int i = 0; i < 1000; ++i) expect(data[i] == i);
  if (rank == 0) {
    MPI_Session_finalize(&session);
    session = begin();
  }
  if (rank < 2) {
    MPI_Comm again = communicator_of_two(session, 0);
    for (int i = 0; i < 1000; ++i) data[i] = -7;
    for (int round = 0; round < 20; ++round) MPI_Bcast(data, 1000, MPI_INT, 0, again);
    MPI_Comm_free(&again);
  }
  if (rank == 1) MPI_Barrier(pair);
  MPI_Session_finalize(&session);
}

static void mixed(void) {
  int rank;
  MPI_Session session = begin(), extra = MPI_SESSION_NULL;
  MPI_Comm comm = communicator_of(session, "mixed"), dup;
  MPI_Init(NULL, NULL);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) extra = begin();
  check_sum(MPI_COMM_WORLD);
  MPI_Finalize();
  if (rank == 0) MPI_Session_finalize(&extra);
  check_sum(comm);
  MPI_Comm_dup(comm, &dup);
  check_sum(dup);
  MPI_Comm_free(&dup);
  MPI_Comm_free(&comm);
  MPI_Session_finalize(&session);
  one_session();
}

/* A session is local: nobody waits for ranks without a communicator with them. The others start when the file
   is there; its name ends with the launcher's number, for other tests run at the same time. */
static void alone(const char* stem) {
  char file[1000];
  snprintf(file, sizeof file, "%s.%ld", stem, (long)getppid());
  const int first = strcmp(getenv("FOLDLANE_RANK"), "0") == 0;
  FILE* sign = NULL;
  if (first) {
    MPI_Session session = begin();
    MPI_Group group = MPI_GROUP_NULL;
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Group_from_session_pset(session, "mpi://SELF", &group);
    MPI_Comm_create_from_group(group, "alone", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
    check_sum(comm);
    MPI_Group_free(&group);
    MPI_Comm_free(&comm);
    MPI_Session_finalize(&session);
    sign = fopen(file, "w");
  }
  while (sign == NULL) sign = fopen(file, "r");
  fclose(sign);
  one_session();
  if (first) remove(file);
}

static void three_sessions(void) {
  for (int round = 0; round < 3; ++round) one_session();
}

int main(int argc, char** argv) {
  const char* how = argc > 1 ? argv[1] : "";
  if (strcmp(how, "only") == 0) {
    three_sessions();
  } else if (strcmp(how, "uneven") == 0) {
    uneven();
  } else if (strcmp(how, "left") == 0) {
    left();
  } else if (strcmp(how, "mixed") == 0) {
    mixed();
  } else if (strcmp(how, "alone") == 0 && argc > 2) {
    alone(argv[2]);
  } else {
    fprintf(stderr, "session_world: \"%s\" is no way to use sessions\n", how);
    return 2;
  }
  return 0;
}
