#include "bench/machine/cpu_binding.hpp"

#include <pthread.h>
#include <sched.h>

#include <cstddef>

namespace foldlane::bench {

void run_on_cpu(int cpu) {
  cpu_set_t mask;
  CPU_ZERO(&mask);
  CPU_SET(static_cast<std::size_t>(cpu), &mask);
  ::pthread_setaffinity_np(::pthread_self(), sizeof mask, &mask);
}

}  // namespace foldlane::bench
