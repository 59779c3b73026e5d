/* The clock of the stamps, which the ranks and their driver (C++, machine/ticks.cpp) read alike. */
#pragma once

#include <stdint.h>
#include <time.h>
#if defined(__x86_64__)
#include <x86intrin.h>
#endif

/* The CPUs' counter, once all that stands before it is done; or the system's nanoseconds. */
static inline uint64_t read_clock(int counter) {
#if defined(__x86_64__)
  unsigned core = 0;
  if (counter) return __rdtscp(&core);
#elif defined(__aarch64__)
  uint64_t value = 0;
  if (counter) {
    __asm__ volatile("isb; mrs %0, cntvct_el0" : "=r"(value));
    return value;
  }
#endif
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000U + (uint64_t)time.tv_nsec;
}
