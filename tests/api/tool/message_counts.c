/* What the tool interface counts of messages: by the way they take, unexpected ones and the room for them,
   receives that wait, and that sleep. */
#include <mpi.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/expect.h"

static MPI_T_pvar_session session;
static int rank;

static unsigned long value_of(const char* name, int class) {
  int index, count;
  unsigned long value = 0;
  MPI_T_pvar_handle handle;
  expect_that(MPI_T_pvar_get_index(name, class, &index) == MPI_SUCCESS, name);
  expect_that(MPI_T_pvar_handle_alloc(session, index, NULL, &handle, &count) == MPI_SUCCESS, name);
  expect_that(MPI_T_pvar_read(session, handle, &value) == MPI_SUCCESS, name);
  expect_that(MPI_T_pvar_handle_free(session, &handle) == MPI_SUCCESS, name);
  return value;
}

static unsigned long counter(const char* name) { return value_of(name, MPI_T_PVAR_CLASS_COUNTER); }

/* Rank 0 sends so many bytes from one buffer to rank 1's other one; both ask how that went. */
static void goes_by(const char* way, char* from, char* to, int bytes) {
  char messages[64] = "foldlane_messages_", sizes[64] = "foldlane_message_bytes_";
  strcat(messages, way);
  strcat(sizes, way);
  const unsigned long before = counter(messages), bytes_before = counter(sizes);
  if (rank == 0) MPI_Send(from, bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
  if (rank == 1) MPI_Recv(to, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Barrier(MPI_COMM_WORLD);
  expect_that(counter(messages) - before == (rank == 0 ? 1U : 0U), way);
  expect_that(counter(sizes) - bytes_before == (rank == 0 ? (unsigned)bytes : 0U), way);
}

/* A receiver that is as fast as the sender may empty all boxes before that looks. */
static void goes_straight_or_by_boxes(char* from, char* to, int bytes) {
  const unsigned long straight = counter("foldlane_messages_straight");
  const unsigned long boxes = counter("foldlane_messages_boxes");
  if (rank == 0) MPI_Send(from, bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
  if (rank == 1) MPI_Recv(to, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  const unsigned long more =
      counter("foldlane_messages_straight") - straight + counter("foldlane_messages_boxes") - boxes;
  expect(more == (rank == 0 ? 1U : 0U));
}

static void count_unexpected(void) {
  int data = 0;
  if (rank == 0) {
    for (int tag = 0; tag < 6; ++tag) MPI_Send(&data, 1, MPI_INT, 1, tag, MPI_COMM_WORLD);
  } else {
    MPI_Recv(&data, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    expect(value_of("foldlane_unexpected_messages", MPI_T_PVAR_CLASS_LEVEL) == 5);
    expect(value_of("foldlane_unexpected_bytes", MPI_T_PVAR_CLASS_LEVEL) > 0);
    for (int tag = 0; tag < 5; ++tag) MPI_Recv(&data, 1, MPI_INT, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    expect(value_of("foldlane_unexpected_messages", MPI_T_PVAR_CLASS_LEVEL) == 0);
    expect(value_of("foldlane_unexpected_bytes", MPI_T_PVAR_CLASS_LEVEL) == 0);
    expect(value_of("foldlane_unexpected_messages_peak", MPI_T_PVAR_CLASS_HIGHWATERMARK) >= 5);
    expect(value_of("foldlane_unexpected_bytes_peak", MPI_T_PVAR_CLASS_HIGHWATERMARK) > 0);
  }
}

static void count_posted(void) {
  int data[7];
  MPI_Request requests[7];
  if (rank != 0) return;
  for (int i = 0; i < 7; ++i)
    MPI_Irecv(&data[i], 1, MPI_INT, i < 4 ? 0 : MPI_ANY_SOURCE, i, MPI_COMM_WORLD, &requests[i]);
  expect(value_of("foldlane_posted_receives", MPI_T_PVAR_CLASS_LEVEL) == 7);
  for (int i = 0; i < 7; ++i) MPI_Send(&i, 1, MPI_INT, 0, i, MPI_COMM_WORLD);
  MPI_Waitall(7, requests, MPI_STATUSES_IGNORE);
  expect(value_of("foldlane_posted_receives", MPI_T_PVAR_CLASS_LEVEL) == 0);
  expect(value_of("foldlane_posted_receives_peak", MPI_T_PVAR_CLASS_HIGHWATERMARK) == 7);
}

/* As a wait is that has lasted for a while. */
static int sleeps(int process) {
  char path[32], text[256] = "";
  snprintf(path, sizeof path, "/proc/%d/stat", process);
  FILE* const file = fopen(path, "r");
  expect(file != NULL);
  expect(fgets(text, sizeof text, file) != NULL);
  fclose(file);
  return strstr(text, ") S ") != NULL;
}

/* Who has said which process it is does not sleep before it waits for a message. */
static void count_sleeps(void) {
  int process = (int)getpid();
  if (rank == 0) {
    MPI_Recv(&process, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    while (!sleeps(process)) sched_yield();
    MPI_Send(&process, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
  } else {
    const unsigned long before = counter("foldlane_sleeps");
    MPI_Send(&process, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    expect(counter("foldlane_sleeps") == before);
    MPI_Recv(&process, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    expect(counter("foldlane_sleeps") > before);
  }
}

/* Rank 1 keeps about 16 MiB of what it has not asked for, and must take in more to get what is behind it. */
static void count_lifts(void) {
  enum { kMessages = 2500, kBytes = 8 << 10, kLast = 1 };
  static char data[kBytes];
  const unsigned long before = counter("foldlane_limit_lifts");
  if (rank == 0) {
    for (int i = 0; i < kMessages; ++i) MPI_Send(data, kBytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
    MPI_Send(data, 0, MPI_BYTE, 1, kLast, MPI_COMM_WORLD);
  } else {
    MPI_Recv(data, 0, MPI_BYTE, 0, kLast, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < kMessages; ++i)
      MPI_Recv(data, kBytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  expect((counter("foldlane_limit_lifts") > before) == (rank == 1));
}

int main(int argc, char** argv) {
  enum { kLarge = 1 << 20 };
  int provided;
  char *shared, *private = calloc(1, kLarge);
  MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_T_pvar_session_create(&session);
  MPI_Alloc_mem(kLarge, MPI_INFO_NULL, &shared);
  memset(shared, 0, kLarge);
  goes_by("cells", private, private, 96);
  goes_by("blocks", private, private, 97);
  goes_by("blocks", private, private, 8 << 10);
  goes_by("boxes", private, private, kLarge);
  goes_by("direct", shared, private, kLarge);
  goes_straight_or_by_boxes(private, shared, kLarge);
  count_unexpected();
  count_posted();
  count_sleeps();
  count_lifts();
  MPI_Free_mem(shared);
  free(private);
  MPI_T_pvar_session_free(&session);
  MPI_Finalize();
  MPI_T_finalize();
  return 0;
}
