#include "shm/machine/resources.hpp"

#include <hwloc.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <memory>
#include <string_view>

namespace foldlane::shm {
namespace {

struct Destroy {
  void operator()(hwloc_topology_t topology) const { hwloc_topology_destroy(topology); }
  void operator()(hwloc_bitmap_t bitmap) const { hwloc_bitmap_free(bitmap); }
};
using Handle = std::unique_ptr<std::remove_pointer_t<hwloc_topology_t>, Destroy>;
using Bitmap = std::unique_ptr<std::remove_pointer_t<hwloc_bitmap_t>, Destroy>;

Error hwloc_error(const std::string& attempt) { return system_error("hwloc: " + attempt, errno); }

/// Groups are left out: a machine may have them at several depths under one name.
std::vector<hwloc_obj_type_t> types_from_coarse_to_fine(hwloc_topology_t topology) {
  std::vector<hwloc_obj_type_t> types;
  const hwloc_obj_t node = hwloc_get_obj_by_type(topology, HWLOC_OBJ_NUMANODE, 0);
  for (int depth = 0; depth < hwloc_topology_get_depth(topology); ++depth) {
    const hwloc_obj_type_t type = hwloc_get_depth_type(topology, depth);
    if (type != HWLOC_OBJ_GROUP) types.push_back(type);
    // Memory hangs beside the tree: it follows what it is attached to.
    if (node != nullptr && node->parent->depth == depth) types.push_back(HWLOC_OBJ_NUMANODE);
  }
  return types;
}

std::optional<int> object_covering(hwloc_topology_t topology, hwloc_obj_type_t type,
                                   hwloc_const_bitmap_t binding) {
  hwloc_obj_t smallest = nullptr;
  for (hwloc_obj_t object = nullptr;
       (object = hwloc_get_next_obj_by_type(topology, type, object)) != nullptr;) {
    if (hwloc_bitmap_isincluded(binding, object->cpuset) == 0) continue;
    const bool smaller =
        smallest == nullptr || hwloc_bitmap_weight(object->cpuset) < hwloc_bitmap_weight(smallest->cpuset);
    if (smaller) smallest = object;
  }
  if (smallest == nullptr) return std::nullopt;
  return static_cast<int>(smallest->logical_index);
}

Resources list(hwloc_topology_t topology, hwloc_const_bitmap_t binding) {
  Resources resources;
  for (const hwloc_obj_type_t type : types_from_coarse_to_fine(topology))
    resources.push_back({hwloc_obj_type_string(type), object_covering(topology, type, binding)});
  return resources;
}

}  // namespace

Result<Resources> discover_resources() {
  hwloc_topology_t raw = nullptr;
  if (hwloc_topology_init(&raw) != 0) return hwloc_error("topology_init");
  const Handle handle(raw);
  if (hwloc_topology_load(raw) != 0) return hwloc_error("reading this machine's topology");
  const Bitmap binding(hwloc_bitmap_alloc());
  // Where the operating system does not tell, the process may be anywhere.
  if (hwloc_get_cpubind(raw, binding.get(), HWLOC_CPUBIND_PROCESS) != 0) hwloc_bitmap_fill(binding.get());
  hwloc_bitmap_and(binding.get(), binding.get(), hwloc_topology_get_topology_cpuset(raw));
  return list(raw, binding.get());
}

Result<Resources> synthetic_resources(const std::string& description, const std::vector<int>& os_cpus) {
  hwloc_topology_t raw = nullptr;
  if (hwloc_topology_init(&raw) != 0) return hwloc_error("topology_init");
  const Handle handle(raw);
  if (hwloc_topology_set_synthetic(raw, description.c_str()) != 0 || hwloc_topology_load(raw) != 0)
    return Error{Errc::invalid, "'" + description + "' is not a synthetic topology"};
  const Bitmap binding(hwloc_bitmap_alloc());
  for (const int cpu : os_cpus) hwloc_bitmap_set(binding.get(), static_cast<unsigned>(cpu));
  return list(raw, binding.get());
}

const Resource* find_resource(const Resources& resources, const std::string& name) {
  constexpr std::string_view kScheme = "hwloc://";
  const bool has_scheme = name.compare(0, kScheme.size(), kScheme) == 0;
  const std::string bare = has_scheme ? name.substr(kScheme.size()) : name;
  // hwloc overlooks what follows a type, such as the "://x" of another scheme.
  const bool clean =
      std::all_of(bare.begin(), bare.end(), [](unsigned char letter) { return std::isalnum(letter) != 0; });
  hwloc_obj_type_t type;
  if (!clean || hwloc_type_sscanf(bare.c_str(), &type, nullptr, 0) != 0) return nullptr;
  const std::string_view written = hwloc_obj_type_string(type);
  const auto found = std::find_if(resources.begin(), resources.end(),
                                  [&](const Resource& each) { return each.type == written; });
  return found == resources.end() ? nullptr : &*found;
}

}  // namespace foldlane::shm
