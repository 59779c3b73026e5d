// How many CPUs this process can use at the same time: affinity, cut by the CPU quota of its cgroups.
#include <sched.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "shm/machine/cgroup.hpp"
#include "shm/machine/cpu_mask.hpp"
#include "shm/machine/topology.hpp"

namespace foldlane::shm {
namespace {

int affinity_cpus() {
  // A fixed cpu_set_t holds 1024 CPUs; the kernel answers EINVAL if it has more, so grow until it fits.
  for (int capacity = 1024; capacity <= 1 << 20; capacity *= 2) {
    cpu_set_t* set = CPU_ALLOC(static_cast<unsigned>(capacity));
    const std::size_t bytes = CPU_ALLOC_SIZE(static_cast<unsigned>(capacity));
    const bool known = sched_getaffinity(0, bytes, set) == 0;
    const int count = known ? CPU_COUNT_S(bytes, set) : 0;
    CPU_FREE(set);
    if (known) return count;
  }
  return 1;
}

}  // namespace

CpuMask own_cpus() {
  CpuMask mask;
  static_assert(CpuMask::kMostCpus % CPU_SETSIZE == 0);
  std::array<cpu_set_t, CpuMask::kMostCpus / CPU_SETSIZE> sets{};
  if (sched_getaffinity(0, sizeof sets, sets.data()) != 0) return mask;
  for (int cpu = 0; cpu < CpuMask::kMostCpus; ++cpu)
    if (CPU_ISSET_S(static_cast<unsigned>(cpu), sizeof sets, sets.data())) mask.add(cpu);
  return mask;
}

UsableCpus usable_cpus() {
  UsableCpus cpus{affinity_cpus(), static_cast<int>(std::ceil(cgroup_cpu_quota())), 0};
  const int limit = cpus.cgroup_quota > 0 ? cpus.cgroup_quota : cpus.affinity;
  cpus.usable = std::max(1, std::min(cpus.affinity, limit));
  return cpus;
}

}  // namespace foldlane::shm
