#include "api/comm/hardware.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "api/core/calls.hpp"
#include "api/errors/args.hpp"
#include "api/group/process_sets.hpp"
#include "api/info/info.hpp"
#include "api/op/mismatch.hpp"
#include "engine/collectives/collectives.hpp"
#include "shm/machine/resources.hpp"

namespace foldlane::api {
namespace {

constexpr char kSharedMemory[] = "mpi_shared_memory";
constexpr char kSetKey[] = "mpi_pset_name";
HardwareChoice outside() { return {MPI_UNDEFINED, {}}; }

/// A machine that does not tell what it is made of has nothing to split by; failing here would leave the
/// other members waiting.
shm::Resources own_resources() {
  auto resources = shm::discover_resources();
  return resources.ok() ? std::move(resources.value()) : shm::Resources();
}

HardwareChoice choose_by_type(const std::string& name) {
  if (name == kSharedMemory) return {0, name};  // all ranks of a job share the memory of one machine
  const shm::Resources resources = own_resources();
  const shm::Resource* const found = shm::find_resource(resources, name);
  if (found == nullptr || !found->object) return outside();
  return {*found->object, name};
}

/// A set is told from others by its first member.
HardwareChoice choose_by_set(const std::string& name) {
  const auto members = members_of_process_set(name);
  return members ? HardwareChoice{members->front(), {}} : outside();
}

HardwareChoice choose_by_info(const InfoMap& info, bool sets_too) {
  const std::string* const type = info.find(kHardwareKey);
  const std::string* const set = sets_too ? info.find(kSetKey) : nullptr;
  if (type != nullptr && set != nullptr) {
    fail(MPI_ERR_INFO_VALUE,
         fmt::format("the info has both {} and {}; a communicator is split by one", kHardwareKey, kSetKey));
  }
  if (type != nullptr) return choose_by_type(*type);
  return set != nullptr ? choose_by_set(*set) : outside();
}

// ---- Unguided ----

/// What every member shows, whatever its split type, for MPI_UNDEFINED does not tell what the others pass.
struct Shown {
  // What fits; machines have ten or so (hwloc leaves instruction caches out).
  static constexpr std::size_t kLevels = engine::Team::kInlineBytes / sizeof(std::int32_t) - 1;
  std::int32_t takes_part;
  std::array<std::int32_t, kLevels> objects;  // from coarse to fine; negative where bound in no single one
};

Shown show(bool takes_part, const shm::Resources& resources) {
  Shown shown{takes_part ? 1 : 0, {}};
  shown.objects.fill(-1);
  const std::size_t levels = std::min(resources.size(), Shown::kLevels);
  for (std::size_t level = 0; level < levels; ++level)
    shown.objects[level] = resources[level].object.value_or(-1);
  return shown;
}

/// Some members are in one object, but not all are in the same.
bool splits(const std::vector<Shown>& all, std::size_t level) {
  std::vector<std::int32_t> objects;
  for (const Shown& each : all)
    if (each.takes_part != 0) objects.push_back(each.objects[level]);
  std::sort(objects.begin(), objects.end());
  return !objects.empty() && objects.front() != objects.back();
}

HardwareChoice choose_coarsest(const std::vector<Shown>& all, const Shown& own,
                               const shm::Resources& resources) {
  for (std::size_t level = 0; level < std::min(resources.size(), Shown::kLevels); ++level) {
    if (!splits(all, level)) continue;
    const std::int32_t object = own.objects[level];
    if (object < 0) return outside();
    return {object, "hwloc://" + resources[level].type};
  }
  return outside();
}

HardwareChoice choose_unguided(engine::Team& team, bool takes_part) {
  const shm::Resources resources = takes_part ? own_resources() : shm::Resources();
  const Shown own = show(takes_part, resources);
  return choose_coarsest(require(team, engine::exchange(team, engine::Call::split, own)), own, resources);
}

HardwareChoice choose(int split_type, const InfoMap& info) {
  switch (split_type) {
    case MPI_UNDEFINED:
    case MPI_COMM_TYPE_HW_UNGUIDED:
      return outside();
    case MPI_COMM_TYPE_SHARED:
      return {0, {}};
    case MPI_COMM_TYPE_HW_GUIDED:
      return choose_by_info(info, false);
    case MPI_COMM_TYPE_RESOURCE_GUIDED:
      return choose_by_info(info, true);
    default:
      fail(MPI_ERR_ARG, fmt::format("split_type is {}, which is none that this library knows", split_type));
  }
}

}  // namespace

HardwareChoice choose_hardware(engine::Team& team, int split_type, const InfoMap& info) {
  HardwareChoice choice = choose(split_type, info);
  HardwareChoice unguided = choose_unguided(team, split_type == MPI_COMM_TYPE_HW_UNGUIDED);
  return split_type == MPI_COMM_TYPE_HW_UNGUIDED ? unguided : choice;
}

int get_hw_resource_info(Call call, MPI_Info* hw_info) {
  return run(call, [&] {
    check_active();
    check_output(hw_info, "hw_info");
    InfoMap facts;
    facts.set(kSharedMemory, "true");
    for (const shm::Resource& resource : own_resources())
      facts.set("hwloc://" + resource.type, resource.object ? "true" : "false");
    *hw_info = new_info_handle(std::move(facts));
  });
}

}  // namespace foldlane::api
