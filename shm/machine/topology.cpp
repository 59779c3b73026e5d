#include "shm/machine/topology.hpp"

#include <hwloc.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <memory>

namespace foldlane::shm {
namespace {

struct Destroy {
  void operator()(hwloc_topology_t topology) const { hwloc_topology_destroy(topology); }
};
using Handle = std::unique_ptr<std::remove_pointer_t<hwloc_topology_t>, Destroy>;

int ancestor_index(hwloc_topology_t topology, hwloc_obj_t pu, hwloc_obj_type_t type) {
  const hwloc_obj_t ancestor = hwloc_get_ancestor_obj_by_type(topology, type, pu);
  return ancestor == nullptr ? -1 : static_cast<int>(ancestor->logical_index);
}

int numa_index(hwloc_topology_t topology, hwloc_obj_t pu) {
  for (hwloc_obj_t node = nullptr;
       (node = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_NUMANODE, node)) != nullptr;) {
    if (hwloc_bitmap_isset(node->cpuset, pu->os_index)) return static_cast<int>(node->os_index);
  }
  return -1;
}

/// The outermost cache above a PU that several cores may share: L3 or L4 if there is one, else L2.
hwloc_obj_t last_level_cache(hwloc_topology_t topology, hwloc_obj_t pu) {
  for (const hwloc_obj_type_t type : {HWLOC_OBJ_L4CACHE, HWLOC_OBJ_L3CACHE, HWLOC_OBJ_L2CACHE}) {
    if (const hwloc_obj_t cache = hwloc_get_ancestor_obj_by_type(topology, type, pu)) return cache;
  }
  return nullptr;
}

std::uint64_t cache_bytes(hwloc_obj_t cache) { return cache == nullptr ? 0 : cache->attr->cache.size; }

void fill_counts(Topology& topology) {
  const auto distinct = [&](int Pu::*index) {
    std::vector<int> seen;
    for (const Pu& pu : topology.pus) seen.push_back(pu.*index);
    std::sort(seen.begin(), seen.end());
    return static_cast<int>(std::unique(seen.begin(), seen.end()) - seen.begin());
  };
  topology.cores = distinct(&Pu::core);
  topology.llcs = distinct(&Pu::llc);
  topology.numa_nodes = distinct(&Pu::numa);
  topology.packages = distinct(&Pu::package);
}

Topology reduce(hwloc_topology_t handle, std::string source) {
  Topology result;
  result.source = std::move(source);
  for (hwloc_obj_t pu = nullptr; (pu = hwloc_get_next_obj_by_type(handle, HWLOC_OBJ_PU, pu)) != nullptr;) {
    const hwloc_obj_t llc = last_level_cache(handle, pu);
    result.pus.push_back({static_cast<int>(pu->os_index), ancestor_index(handle, pu, HWLOC_OBJ_CORE),
                          llc == nullptr ? -1 : static_cast<int>(llc->logical_index), numa_index(handle, pu),
                          ancestor_index(handle, pu, HWLOC_OBJ_PACKAGE)});
    result.llc_bytes = std::max(result.llc_bytes, cache_bytes(llc));
    result.l2_bytes =
        std::max(result.l2_bytes, cache_bytes(hwloc_get_ancestor_obj_by_type(handle, HWLOC_OBJ_L2CACHE, pu)));
  }
  fill_counts(result);
  return result;
}

Error hwloc_error(const std::string& attempt) { return system_error("hwloc: " + attempt, errno); }

/// A topology without plugins: they tell of devices only, and loading them (OpenCL, X11, PCI) takes 6 ms of a
/// launch. hwloc looks for them once in a process, when the first topology is made.
hwloc_topology_t init_without_plugins() {
  const char* const original = std::getenv("HWLOC_PLUGINS_PATH");
  if (original == nullptr) setenv("HWLOC_PLUGINS_PATH", "", 0);
  hwloc_topology_t topology = nullptr;
  const int status = hwloc_topology_init(&topology);
  if (original == nullptr) unsetenv("HWLOC_PLUGINS_PATH");
  return status == 0 ? topology : nullptr;
}

template <class Restrict>
Result<Topology> discover(const Restrict& restrict) {
  const hwloc_topology_t raw = init_without_plugins();
  if (raw == nullptr) return hwloc_error("topology_init");
  const Handle handle(raw);
  // The one that runs on every CPU in turn to ask it; Linux has told everything before.
  hwloc_topology_set_components(raw, HWLOC_TOPOLOGY_COMPONENTS_FLAG_BLACKLIST, "x86");
  // Devices and instruction caches are never asked for; leaving them out keeps the launch quick.
  hwloc_topology_set_all_types_filter(raw, HWLOC_TYPE_FILTER_KEEP_NONE);
  for (const auto type :
       {HWLOC_OBJ_CORE, HWLOC_OBJ_PACKAGE, HWLOC_OBJ_L2CACHE, HWLOC_OBJ_L3CACHE, HWLOC_OBJ_L4CACHE}) {
    hwloc_topology_set_type_filter(raw, type, HWLOC_TYPE_FILTER_KEEP_ALL);
  }
  if (hwloc_topology_load(raw) != 0) return hwloc_error("reading this machine's topology");
  restrict(raw);
  return reduce(raw, "this machine");
}

void restrict_to_own(hwloc_topology_t topology) {
  const hwloc_cpuset_t allowed = hwloc_bitmap_alloc();
  if (hwloc_get_cpubind(topology, allowed, HWLOC_CPUBIND_THREAD) == 0)
    hwloc_topology_restrict(topology, allowed, 0);
  hwloc_bitmap_free(allowed);
}

/// hwloc refuses a set without any CPU of the machine.
void restrict_to(hwloc_topology_t topology, const CpuMask& cpus) {
  const hwloc_cpuset_t allowed = hwloc_bitmap_alloc();
  for (int cpu = 0; cpu < CpuMask::kMostCpus; ++cpu)
    if (cpus.holds(cpu)) hwloc_bitmap_set(allowed, static_cast<unsigned>(cpu));
  hwloc_topology_restrict(topology, allowed, 0);
  hwloc_bitmap_free(allowed);
}

}  // namespace

Result<Topology> discover_topology() { return discover(restrict_to_own); }

Result<Topology> discover_topology(const CpuMask& cpus) {
  return discover([&cpus](hwloc_topology_t topology) { restrict_to(topology, cpus); });
}

Result<Topology> synthetic_topology(const std::string& description) {
  hwloc_topology_t raw = nullptr;
  if (hwloc_topology_init(&raw) != 0) return hwloc_error("topology_init");
  const Handle handle(raw);
  // hwloc wants the hardware threads spelled out even where a core has one.
  const bool known = hwloc_topology_set_synthetic(raw, description.c_str()) == 0 ||
                     hwloc_topology_set_synthetic(raw, (description + " pu:1").c_str()) == 0;
  if (!known || hwloc_topology_load(raw) != 0) {
    return Error{Errc::invalid, "'" + description +
                                    "' is not a synthetic topology; hwloc's notation looks like "
                                    "\"package:2 numa:2 l3:4 core:8 pu:2\""};
  }
  return reduce(raw, description);
}

}  // namespace foldlane::shm
