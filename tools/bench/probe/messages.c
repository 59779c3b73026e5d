/* Messages between ranks, in patterns: what a rank does in one run of each. Their time is divided by the
 * driver (report/pattern.hpp). */
#include "probe.h"

enum { DATA, GO, ANSWER };

/* Of messages in flight. */
static _Thread_local MPI_Request requests[2 * MAX_MESSAGES];

#define TRY(call)                         \
  do {                                    \
    const int code = (call);              \
    if (code != MPI_SUCCESS) return code; \
  } while (0)

static int is_even(void) { return rank % 2 == 0; }
static int partner(void) { return rank ^ 1; }

static unsigned char* slot(unsigned char* buffer, int number) { return buffer + (size_t)number * now.bytes; }

static int start_sends(MPI_Request* at) {
  for (int i = 0; i < now.messages; ++i)
    TRY(MPI_Isend(slot(now.send, i), now.count, now.type, partner(), DATA, now.comm, &at[i]));
  return MPI_SUCCESS;
}

static int start_receives(MPI_Request* at) {
  for (int i = 0; i < now.messages; ++i)
    TRY(MPI_Irecv(slot(now.recv, i), now.count, now.type, partner(), DATA, now.comm, &at[i]));
  return MPI_SUCCESS;
}

/* Nothing but that it comes. */
static int signal_to(int to, int tag) { return MPI_Send(NULL, 0, MPI_BYTE, to, tag, now.comm); }
static int await_signal(int from, int tag) {
  return MPI_Recv(NULL, 0, MPI_BYTE, from, tag, now.comm, MPI_STATUS_IGNORE);
}

static int send_one(void) { return MPI_Send(now.send, now.count, now.type, partner(), DATA, now.comm); }

int run_pingpong(void) {
  if (is_even()) TRY(send_one());
  TRY(MPI_Recv(now.recv, now.count, now.type, partner(), DATA, now.comm, MPI_STATUS_IGNORE));
  return is_even() ? MPI_SUCCESS : send_one();
}

/* The answer keeps the sender from running ahead, so that receives are there before their messages. */
int run_stream(void) {
  TRY((is_even() ? start_sends : start_receives)(requests));
  TRY(MPI_Waitall(now.messages, requests, MPI_STATUSES_IGNORE));
  return is_even() ? await_signal(partner(), ANSWER) : signal_to(partner(), ANSWER);
}

int run_bidirectional(void) {
  TRY(start_receives(requests));
  TRY(start_sends(requests + now.messages));
  return MPI_Waitall(2 * now.messages, requests, MPI_STATUSES_IGNORE);
}

int run_exchange(void) {
  return MPI_Sendrecv(now.send, now.count, now.type, (rank + 1) % ranks, DATA, now.recv, now.count, now.type,
                      (rank + ranks - 1) % ranks, DATA, now.comm, MPI_STATUS_IGNORE);
}

/* Whoever comes first: which message that was only its source tells, and the order of its sender. */
static int receive_from_all(void) {
  const int all = now.messages * (ranks - 1);
  if (all > MAX_SOURCES) die("more messages than sources can be noted");
  MPI_Status status;
  for (int i = 0, place = 0; i < all; ++i) {
    TRY(MPI_Recv(slot(now.recv, place), now.count, now.type, MPI_ANY_SOURCE, DATA, now.comm, &status));
    sources[i] = status.MPI_SOURCE;
    if (++place == now.slots) place = 0;
  }
  for (int other = 1; other < ranks; ++other) TRY(signal_to(other, ANSWER));
  return MPI_SUCCESS;
}

int run_incast(void) {
  if (rank == 0) return receive_from_all();
  for (int i = 0; i < now.messages; ++i)
    TRY(MPI_Send(slot(now.send, i % now.slots), now.count, now.type, 0, DATA, now.comm));
  return await_signal(0, ANSWER);
}

/* Messages of a pair do not overtake each other: who has received the last has met all others. */
static int receive_late(void) {
  TRY(await_signal(partner(), GO));
  for (int i = 0; i < now.messages; ++i)
    TRY(MPI_Recv(slot(now.recv, i), now.count, now.type, partner(), DATA, now.comm, MPI_STATUS_IGNORE));
  return signal_to(partner(), ANSWER);
}

int run_unexpected(void) {
  if (!is_even()) return receive_late();
  TRY(start_sends(requests));
  TRY(signal_to(partner(), GO));
  TRY(MPI_Waitall(now.messages, requests, MPI_STATUSES_IGNORE));
  return await_signal(partner(), ANSWER);
}
