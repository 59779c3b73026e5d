/* Calls that all ranks start together, and their times. */
#define _GNU_SOURCE
#include <sched.h>

#include "clock.h"
#include "probe.h"

int uses_counter;
uint64_t lead;
int yields;

/* Of threads there may be more than CPUs, whatever the number of ranks. */
static void pause_or_yield(void) {
  if (yields || now.threads > 1) {
    sched_yield();
    return;
  }
#if defined(__x86_64__)
  _mm_pause();
#endif
}

static void await_turn(int of, uint64_t turn) {
  while (atomic_load_explicit(&lines[of].turn, memory_order_acquire) < turn) pause_or_yield();
}

/* Threads of this rank, but for the first. */
static _Atomic int threads_there;

static void await_threads(void) {
  while (atomic_load_explicit(&threads_there, memory_order_acquire) < now.threads - 1) pause_or_yield();
  atomic_store_explicit(&threads_there, 0, memory_order_relaxed);
}

/* By the first thread of each rank, when the others are there. */
static void announce(uint64_t turn) {
  await_threads();
  if (rank == 0) {
    for (int other = 1; other < ranks; ++other) await_turn(other, turn);
    atomic_store_explicit(&lines[0].start, read_clock(uses_counter) + lead, memory_order_relaxed);
  }
  atomic_store_explicit(&lines[rank].turn, turn, memory_order_release);
}

static void start_together(void) {
  const uint64_t turn = atomic_load_explicit(&lines[rank].turn, memory_order_relaxed) + 1;
  if (now.thread == 0) {
    announce(turn);
  } else {
    atomic_fetch_add_explicit(&threads_there, 1, memory_order_release);
  }
  await_turn(0, turn);
  const uint64_t start = atomic_load_explicit(&lines[0].start, memory_order_relaxed);
  while (read_clock(uses_counter) < start) pause_or_yield();
}

/* A slice goes on where the one before ended, so that rotating buffers are cold. */
static void next_place(void) {
  if (now.places > 1) choose_place(now.turns++);
}

void run_stamped(int warm_up, int number) {
  for (int i = 0; i < warm_up + number; ++i) {
    next_place();
    if (now.fresh) write_input();
    start_together();
    const uint64_t entry = read_clock(uses_counter);
    const int code = now.run();
    const uint64_t exit = read_clock(uses_counter);
    must(code);
    if (i >= warm_up) own_stamps[i - warm_up] = (struct stamps){entry, exit};
  }
}

static struct stamps loop(int warm_up, int number) {
  for (int i = 0; i < warm_up; ++i) {
    next_place();
    must(now.run());
  }
  start_together();
  struct stamps stamps = {.entry = read_clock(uses_counter)};
  for (int i = 0; i < number; ++i) {
    next_place();
    if (now.fresh) write_input();
    must(now.run());
  }
  stamps.exit = read_clock(uses_counter);
  return stamps;
}

void run_back_to_back(int warm_up, int number) { own_stamps[0] = in_threads(loop, warm_up, number); }

static struct stamps one_call(int warm_up, int number) {
  (void)warm_up, (void)number;
  must(now.run());
  return (struct stamps){0, 0};
}

void run_once(void) { in_threads(one_call, 0, 1); }
