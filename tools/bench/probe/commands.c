/* The commands of the driver. */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "probe.h"

static long long cpu_ns(void) {
  struct timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return (long long)time.tv_sec * 1000000000 + time.tv_nsec;
}

void obey(const char* line, char* answer, size_t capacity) {
  const long long before = cpu_ns();
  int warm_up = 0, number = 0, stamped = 0, kind = 0, there = 1;
  size_t send_bytes = 0, recv_bytes = 0;
  unsigned long long ahead = 0;
  if (sscanf(line, "arenas %zu %zu %d", &send_bytes, &recv_bytes, &kind) == 3) {
    make_arenas(send_bytes, recv_bytes, kind);
  } else if (sscanf(line, "pace %llu %d", &ahead, &yields) == 2) {
    lead = ahead;
  } else if (strncmp(line, "case ", 5) == 0) {
    set_case(line);
  } else if (sscanf(line, "run %d %d %d", &warm_up, &number, &stamped) == 3) {
    if (now.in_place) write_input();
    (stamped ? run_stamped : run_back_to_back)(warm_up, number);
    choose_place(0);
  } else if (strncmp(line, "put ", 4) == 0) {
    move_data(line, 1);
  } else if (strncmp(line, "get ", 4) == 0) {
    move_data(line, 0);
  } else if (strncmp(line, "load ", 5) == 0) {
    set_load(line);
  } else if (strncmp(line, "try", 3) == 0) {
    there = is_there();
  } else if (strncmp(line, "once", 4) == 0) {
    run_once();
  } else {
    die("a command that cannot be read");
  }
  if (there) {
    snprintf(answer, capacity, "ok %lld\n", cpu_ns() - before);
  } else {
    snprintf(answer, capacity, "lacks\n");
  }
}
