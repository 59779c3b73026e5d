/* Threads of a rank that run the same pattern at once: each has its part of the buffers, and a communicator
 * that it shares with the thread of the same number in the other ranks. */
#include <pthread.h>

#include "probe.h"

static MPI_Comm comms[MAX_THREADS];
static int number_of_comms;

/* Not before a case needs them: communicators more are not what other cases are measured with. */
void provide_comms(void) {
  for (; number_of_comms < now.threads; ++number_of_comms) {
    must(MPI_Comm_dup(MPI_COMM_WORLD, &comms[number_of_comms]));
    must(MPI_Comm_set_errhandler(comms[number_of_comms], MPI_ERRORS_RETURN));
  }
  now.comm = now.threads > 0 ? comms[0] : MPI_COMM_WORLD;
}

void free_comms(void) {
  while (number_of_comms > 0) must(MPI_Comm_free(&comms[--number_of_comms]));
}

static struct thread {
  pthread_t id;
  struct measured now;
  work_of_thread* work;
  int warm_up, number;
  struct stamps stamps;
} threads[MAX_THREADS];

static struct measured case_of_thread(int thread) {
  struct measured own = now;
  own.thread = thread;
  own.comm = comms[thread];
  own.slots = own.messages;
  own.part = (size_t)thread * (size_t)own.slots * own.bytes;
  return own;
}

static void* run_thread(void* argument) {
  struct thread* const own = argument;
  now = own->now;
  run_on_cpu_of(rank + now.thread * ranks);
  choose_place(now.place);
  own->stamps = own->work(own->warm_up, own->number);
  own->now = now;
  return NULL;
}

static void start_threads(work_of_thread* work, int warm_up, int number) {
  for (int i = 0; i < now.threads; ++i) {
    threads[i] =
        (struct thread){.now = case_of_thread(i), .work = work, .warm_up = warm_up, .number = number};
    if (pthread_create(&threads[i].id, NULL, run_thread, &threads[i]) != 0) die("cannot start a thread");
  }
}

struct stamps in_threads(work_of_thread* work, int warm_up, int number) {
  if (now.threads <= 1) return work(warm_up, number);
  start_threads(work, warm_up, number);
  struct stamps all = {.entry = UINT64_MAX, .exit = 0};
  for (int i = 0; i < now.threads; ++i) {
    pthread_join(threads[i].id, NULL);
    const struct stamps own = threads[i].stamps;
    if (own.entry < all.entry) all.entry = own.entry;
    if (own.exit > all.exit) all.exit = own.exit;
  }
  now.turns = threads[0].now.turns;
  return all;
}
