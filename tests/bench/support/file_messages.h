/* Messages between ranks through files, for an MPI that need not have its own: included before each file of
 * the measurement program. FILE_MESSAGES names a directory of this launch; FILE_MESSAGES_FAULT what goes
 * wrong: "flip" the last byte of each message with data, "lose" the data of those that MPI_Sendrecv receives,
 * "misname" sources. */
#pragma once
#define _GNU_SOURCE
#include <fcntl.h>
#include <mpi.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FILE_RANKS = 16, FILE_TAGS = 3, FILE_WINDOW = 128 };

/* One per sender, receiver and tag: in a file messages cannot overtake each other. */
struct channel {
  int fd;
  off_t read;
};

static struct channel* channel_between(int from, int to, int tag) {
  static struct channel all[FILE_RANKS][FILE_RANKS][FILE_TAGS];
  struct channel* const channel = &all[from][to][tag];
  char path[256];
  if (channel->fd != 0) return channel;
  snprintf(path, sizeof path, "%s/%d-%d-%d", getenv("FILE_MESSAGES"), from, to, tag);
  channel->fd = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  return channel;
}

static int world(int (*of)(MPI_Comm, int*)) {
  int value = 0;
  of(MPI_COMM_WORLD, &value);
  return value;
}
static int file_rank(void) { return world(PMPI_Comm_rank); }
static int file_ranks(void) { return world(PMPI_Comm_size); }

/* A byte more, so that also a message without data can be seen. */
static size_t file_bytes(int count, MPI_Datatype type) {
  int size = 0;
  PMPI_Type_size(type, &size);
  return (size_t)count * (size_t)size + 1;
}

static int has_fault(const char* name) {
  const char* const fault = getenv("FILE_MESSAGES_FAULT");
  return fault != NULL && strcmp(fault, name) == 0;
}

static int file_send(const void* from, int count, MPI_Datatype type, int to, int tag) {
  const size_t bytes = file_bytes(count, type);
  char* const message = calloc(1, bytes);
  if (count > 0) memcpy(message, from, bytes - 1);
  const ssize_t written = write(channel_between(file_rank(), to, tag)->fd, message, bytes);
  free(message);
  return written == (ssize_t)bytes ? MPI_SUCCESS : MPI_ERR_OTHER;
}

static int take(struct channel* channel, char* to, size_t bytes) {
  struct stat file;
  if (fstat(channel->fd, &file) != 0 || file.st_size - channel->read < (off_t)bytes) return 0;
  char* const message = malloc(bytes);
  const ssize_t length = pread(channel->fd, message, bytes, channel->read);
  if (bytes > 1 && has_fault("flip")) message[bytes - 2] ^= 1;
  if (bytes > 1 && to != NULL) memcpy(to, message, bytes - 1);
  free(message);
  channel->read += (off_t)bytes;
  return length == (ssize_t)bytes;
}

static int file_receive(void* to, int count, MPI_Datatype type, int from, int tag, MPI_Status* status) {
  const int anybody = from == MPI_ANY_SOURCE, ranks = file_ranks();
  int source = anybody ? 0 : from;
  while (!take(channel_between(source, file_rank(), tag), to, file_bytes(count, type))) {
    if (anybody) source = (source + 1) % ranks;
    if (source == 0 || !anybody) sched_yield();
  }
  if (status != MPI_STATUS_IGNORE) status->MPI_SOURCE = has_fault("misname") ? 1 : source;
  return MPI_SUCCESS;
}

/* What was started and is not complete: receives, which take place when they are waited for. */
struct receive {
  void* to;
  int count, from, tag;
  MPI_Datatype type;
};
static struct receive receives[FILE_WINDOW];
static int number_of_receives;

static inline int file_start_receive(void* to, int count, MPI_Datatype type, int from, int tag) {
  receives[number_of_receives++] = (struct receive){to, count, from, tag, type};
  return MPI_SUCCESS;
}

static inline int file_wait_for_all(void) {
  for (int i = 0; i < number_of_receives; ++i) {
    const struct receive* const one = &receives[i];
    file_receive(one->to, one->count, one->type, one->from, one->tag, MPI_STATUS_IGNORE);
  }
  number_of_receives = 0;
  return MPI_SUCCESS;
}

static inline int file_exchange(const void* from, int count, MPI_Datatype type, int to, int tag, void* into,
                                int source) {
  const int code = file_send(from, count, type, to, tag);
  if (code != MPI_SUCCESS) return code;
  return file_receive(has_fault("lose") ? NULL : into, count, type, source, tag, MPI_STATUS_IGNORE);
}

#define MPI_Send(from, count, type, to, tag, comm) file_send(from, count, type, to, tag)
#define MPI_Isend(from, count, type, to, tag, comm, request) \
  ((void)(request), file_send(from, count, type, to, tag))
#define MPI_Recv(to, count, type, from, tag, comm, status) file_receive(to, count, type, from, tag, status)
#define MPI_Irecv(to, count, type, from, tag, comm, request) \
  ((void)(request), file_start_receive(to, count, type, from, tag))
#define MPI_Waitall(count, requests, statuses) ((void)(requests), file_wait_for_all())
#define MPI_Sendrecv(from, count, type, to, tag, into, in_count, in_type, source, in_tag, comm, status) \
  file_exchange(from, count, type, to, tag, into, source)
