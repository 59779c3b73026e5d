/* Calls that all ranks start together, and their times. */
#define _GNU_SOURCE
#include <sched.h>

#include "clock.h"
#include "probe.h"

int uses_counter;
uint64_t lead;
int yields;

static void pause_or_yield(void) {
  if (yields) {
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

static void start_together(void) {
  const uint64_t turn = atomic_load_explicit(&lines[rank].turn, memory_order_relaxed) + 1;
  if (rank != 0) {
    atomic_store_explicit(&lines[rank].turn, turn, memory_order_release);
    await_turn(0, turn);
  } else {
    for (int other = 1; other < ranks; ++other) await_turn(other, turn);
    atomic_store_explicit(&lines[0].start, read_clock(uses_counter) + lead, memory_order_relaxed);
    atomic_store_explicit(&lines[0].turn, turn, memory_order_release);
  }
  const uint64_t start = atomic_load_explicit(&lines[0].start, memory_order_relaxed);
  while (read_clock(uses_counter) < start) pause_or_yield();
}

/* A slice goes on where the one before ended, so that rotating buffers are cold. */
static void next_place(void) {
  static unsigned number;
  if (now.places > 1) choose_place(number++);
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

void run_back_to_back(int warm_up, int number) {
  for (int i = 0; i < warm_up; ++i) {
    next_place();
    must(now.run());
  }
  start_together();
  own_stamps[0].entry = read_clock(uses_counter);
  for (int i = 0; i < number; ++i) {
    next_place();
    if (now.fresh) write_input();
    must(now.run());
  }
  own_stamps[0].exit = read_clock(uses_counter);
}
