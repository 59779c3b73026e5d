// Leaves this CPU to the others that want it.
#pragma once

#include <sched.h>
#include <sys/syscall.h>

namespace foldlane::shm {

/// sched_yield(2). Without the C library, whose code would be one page more to find on the way back: a CPU
/// keeps the address translations of a few processes only.
inline void yield_cpu() noexcept {
#if defined(__x86_64__)
  long result = SYS_sched_yield;
  __asm__ __volatile__("syscall" : "+a"(result) : : "rcx", "r11", "memory");
#elif defined(__aarch64__)
  register long number __asm__("x8") = SYS_sched_yield;
  register long result __asm__("x0");
  __asm__ __volatile__("svc #0" : "=r"(result) : "r"(number) : "memory");
#else
  ::sched_yield();
#endif
}

}  // namespace foldlane::shm
