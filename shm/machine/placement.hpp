// Which rank runs where: a pure decision over a Topology, carried out by the launcher.
#pragma once

#include <span>
#include <vector>

#include "shm/machine/cpu_mask.hpp"
#include "shm/machine/topology.hpp"

namespace foldlane::shm {

enum class BindTo : std::uint8_t {
  automatic,  // slice if the ranks fit on the usable cores, else none
  none,
  slice,     // contiguous equal slices of the cores
  core,      // one core each, in order
  hwthread,  // one processing unit each, in order
  llc,       // all units of the last-level cache the slice lies in
  numa,
  package,
};

struct RankPlace {
  std::vector<int> os_cpus;  // affinity to set; empty means "leave as it is"
  int numa = 0;              // where the rank's partition of the segment goes; -1: no preference
  int llc = 0;
  int package = 0;
};

struct Placement {
  std::vector<RankPlace> ranks;
  int cpus = 1;                 // that can run ranks at the same time
  bool oversubscribed = false;  // more ranks than usable CPUs: nobody spins
  const char* why = "";         // one clause, printed by --report-bindings and foldlane info
};

/// `cpus_per_rank`: so many units for each rank, one rank after the other, and no more; 0: as `bind_to` says.
/// Never fails: a binding that cannot give each rank a unit of its own wraps around and is marked
/// oversubscribed.
Placement place_ranks(const Topology& topology, const UsableCpus& cpus, int ranks, BindTo bind_to,
                      int cpus_per_rank = 0);

/// Of ranks that somebody else has bound to these CPUs, for the `cpus` of one of them: only the cgroup's
/// quota is asked. What a rank's CPUs do not have in common is that of the first of them; a rank without a
/// NUMA node of its own has no preference.
Placement place_bound_ranks(const Topology& topology, const UsableCpus& cpus, std::span<const CpuMask> ranks);

}  // namespace foldlane::shm
