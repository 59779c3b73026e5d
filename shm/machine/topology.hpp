// The machine, reduced from hwloc to plain structs: which processing units this job may use, and what they
// share. Synthetic topologies (hwloc's notation) are accepted, so that placement is testable on machines we
// do not have.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "shm/base/result.hpp"
#include "shm/machine/cpu_mask.hpp"

namespace foldlane::shm {

/// One processing unit (hardware thread). Indices count from 0 within the topology; -1 where the machine has
/// none. `numa` is the number the kernel gives the node, which is what mbind wants.
struct Pu {
  int os_index;  // what sched_setaffinity calls it
  int core;
  int llc;  // last-level cache group
  int numa;
  int package;
};

struct Topology {
  std::vector<Pu> pus;  // usable ones, in hwloc's logical order (neighbours share most)
  int cores = 0;
  int llcs = 0;
  int numa_nodes = 0;
  int packages = 0;
  std::uint64_t l2_bytes = 0;   // of one core; 0 if unknown
  std::uint64_t llc_bytes = 0;  // of one last-level cache; 0 if unknown
  std::string source;           // "this machine" or the synthetic description
};

/// The running machine, restricted to the calling thread's affinity.
Result<Topology> discover_topology();
/// The same, restricted to some of its CPUs; to none: whole.
Result<Topology> discover_topology(const CpuMask& cpus);

/// hwloc synthetic notation, e.g. "package:2 numa:2 l3:4 core:8 pu:2".
Result<Topology> synthetic_topology(const std::string& description);

/// CPUs this process can really use at the same time: its affinity, cut by the cgroup's CPU quota (rounded
/// up).
struct UsableCpus {
  int affinity;      // CPUs in the affinity mask
  int cgroup_quota;  // 0 if there is none
  int usable;        // the smaller of the two, at least 1
};
UsableCpus usable_cpus();

}  // namespace foldlane::shm
