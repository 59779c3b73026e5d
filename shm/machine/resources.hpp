// Kinds of hardware (packages, caches, cores, …), and which object of a kind a process is bound in. In plain
// names: those of hwloc's types.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "shm/base/result.hpp"

namespace foldlane::shm {

/// A kind that the machine has.
struct Resource {
  std::string type;           // as hwloc writes it: "Package", "NUMANode", "L3Cache", "Core", "PU"
  std::optional<int> object;  // the smallest one that covers the binding, counted from 0; none if it spans
                              // several
};

/// From coarse to fine.
using Resources = std::vector<Resource>;

/// Of the running machine and the CPUs to which this process is bound now.
Result<Resources> discover_resources();

/// hwloc synthetic notation, and the CPUs (as the operating system would number them) of a binding.
Result<Resources> synthetic_resources(const std::string& description, const std::vector<int>& os_cpus);

/// The kind that `name` means: any spelling that hwloc reads ("numa", "L3", "l3cache"), also behind
/// "hwloc://". Null if the machine has none, or if there is no such kind.
const Resource* find_resource(const Resources& resources, const std::string& name);

}  // namespace foldlane::shm
