// The machine's fingerprint as facts for people.
#include "bench/machine/machine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "shm/machine/topology.hpp"

namespace foldlane::bench {
namespace {

std::string or_else(const std::string& text, const char* otherwise) {
  return text.empty() ? otherwise : text;
}

std::string counted(std::size_t number, const std::string& thing) {
  return fmt::format("{} {}{}", number, thing, number == 1 ? "" : "s");
}
std::string counted(int number, const std::string& thing) {
  return counted(static_cast<std::size_t>(number), thing);
}

std::string binary_size(std::uint64_t bytes) {
  if (bytes >= std::uint64_t{1} << 30) {
    return fmt::format("{:.1f} GiB", static_cast<double>(bytes) / static_cast<double>(1 << 30));
  }
  return bytes % (1 << 20) == 0 ? fmt::format("{} MiB", bytes >> 20) : fmt::format("{} KiB", bytes >> 10);
}

std::string caches(const Surroundings& surroundings) {
  std::vector<std::string> all;
  for (const Cache& cache : surroundings.caches) all.push_back(cache.name + " " + binary_size(cache.bytes));
  return or_else(fmt::format("{}", fmt::join(all, ", ")), "not visible");
}

std::string layout(const shm::Topology& topology, const shm::UsableCpus& usable) {
  return fmt::format("{}, {}, {}, {}; {} usable", counted(topology.packages, "socket"),
                     counted(topology.numa_nodes, "NUMA node"), counted(topology.cores, "core"),
                     counted(topology.pus.size(), "thread"), counted(usable.usable, "CPU"));
}

/// Whether all share what `index` numbers; -1 is "the machine has none".
bool all_share(const std::vector<shm::Pu>& pus, int shm::Pu::*index) {
  return std::all_of(pus.begin(), pus.end(),
                     [&](const shm::Pu& pu) { return pu.*index != -1 && pu.*index == pus.front().*index; });
}

/// How far the farthest of them are from each other.
std::string distance(const std::vector<shm::Pu>& pus, const Surroundings& surroundings) {
  if (all_share(pus, &shm::Pu::core)) return "same core";
  if (all_share(pus, &shm::Pu::llc)) {
    return "same " + (surroundings.caches.empty() ? "last-level cache" : surroundings.caches.back().name);
  }
  if (all_share(pus, &shm::Pu::numa)) return "same NUMA node";
  return "across NUMA nodes";
}

std::string places(std::vector<int> cpus, const shm::Topology& topology, const Surroundings& surroundings) {
  if (cpus.empty()) return "not bound";
  std::sort(cpus.begin(), cpus.end());
  cpus.erase(std::unique(cpus.begin(), cpus.end()), cpus.end());
  std::string listed = fmt::format("CPU{} {}", cpus.size() == 1 ? "" : "s", fmt::join(cpus, ", "));
  std::vector<shm::Pu> pus;
  for (const shm::Pu& pu : topology.pus) {
    if (std::binary_search(cpus.begin(), cpus.end(), pu.os_index)) pus.push_back(pu);
  }
  if (cpus.size() == 1) return listed;
  if (pus.size() != cpus.size()) return listed + " (distance not visible)";
  return fmt::format("{} ({})", listed, distance(pus, surroundings));
}

/// "performance", or "performance and powersave"
std::string governor(const Surroundings& surroundings) {
  std::set<std::string> kinds;
  for (const auto& [cpu, kind] : surroundings.governors) kinds.insert(kind);
  return or_else(fmt::format("{}", fmt::join(kinds, " and ")), "not visible");
}

std::string clock(const Surroundings& surroundings) {
  return or_else(surroundings.clock_source, "not visible") +
         (has_invariant_clock(surroundings) ? ", invariant cycle counter" : ", no invariant cycle counter");
}

std::string huge_pages(const Surroundings& surroundings) {
  std::vector<std::string> reserved;
  for (const auto& [size, number] : surroundings.reserved_pages) {
    if (number > 0) reserved.push_back(fmt::format("{} of {}", number, size));
  }
  return fmt::format("transparent {}, shared memory {}, reserved {}",
                     or_else(surroundings.transparent_pages, "not visible"),
                     or_else(surroundings.shared_transparent_pages, "not visible"),
                     or_else(fmt::format("{}", fmt::join(reserved, " and ")), "none"));
}

std::string container_limits(const Surroundings& surroundings) {
  std::vector<std::string> limits;
  if (surroundings.cpu_quota > 0)
    limits.push_back(fmt::format("{:.3g} CPUs of time", surroundings.cpu_quota));
  if (surroundings.memory_limit > 0) limits.push_back(binary_size(surroundings.memory_limit) + " of memory");
  return or_else(fmt::format("{}", fmt::join(limits, ", ")), "none");
}

std::string virtual_machine(const Surroundings& surroundings) {
  if (surroundings.hypervisor) return "yes, " + or_else(surroundings.hypervisor_vendor, "vendor not visible");
  // Only x86 has a flag that says so.
  return surroundings.arm ? "not visible" : "no";
}

}  // namespace

std::vector<Fact> machine_facts(const Surroundings& surroundings, const shm::Topology& topology,
                                const shm::UsableCpus& usable, const std::vector<int>& cpus_used) {
  return {{"CPU", or_else(surroundings.model, "not visible")},
          {"caches", caches(surroundings)},
          {"layout", layout(topology, usable)},
          {"ranks on", places(cpus_used, topology, surroundings)},
          {"virtual machine", virtual_machine(surroundings)},
          {"governor", governor(surroundings)},
          {"clock", clock(surroundings)},
          {"huge pages", huge_pages(surroundings)},
          {"container limits", container_limits(surroundings)},
          {"memory", surroundings.memory_bytes == 0 ? "not visible" : binary_size(surroundings.memory_bytes)},
          {"load", or_else(surroundings.load, "not visible")},
          {"kernel", or_else(surroundings.kernel, "not visible")}};
}

std::vector<Fact> machine_facts(const std::vector<int>& cpus_used) {
  const auto topology = shm::discover_topology();
  if (!topology.ok()) throw std::runtime_error(topology.error().message);
  return machine_facts(read_surroundings(), topology.value(), shm::usable_cpus(), cpus_used);
}

}  // namespace foldlane::bench
