#include "explain.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <exception>
#include <map>

#include "engine/plan.hpp"
#include "shm/layout.hpp"
#include "shm/placement.hpp"
#include "shm/topology.hpp"

namespace foldlane::tools {
namespace {

using engine::Call;

const std::map<std::string, Call> kCalls{{"barrier", Call::barrier},
                                         {"bcast", Call::bcast},
                                         {"reduce", Call::reduce},
                                         {"allreduce", Call::allreduce},
                                         {"reduce_scatter", Call::reduce_scatter},
                                         {"scan", Call::scan},
                                         {"exscan", Call::exscan}};

struct ExplainOptions {
  std::string call;
  int ranks = 0;
  std::uint64_t bytes = 8;
  std::string topology;
};

shm::Topology topology_of(const ExplainOptions& options) {
  auto topology =
      options.topology.empty() ? shm::discover_topology() : shm::synthetic_topology(options.topology);
  if (!topology.ok()) throw std::runtime_error(topology.error().message);
  return std::move(topology.value());
}

/// A described machine is one where all of it may be used.
shm::UsableCpus cpus_of(const ExplainOptions& options, const shm::Topology& topology) {
  if (options.topology.empty()) return shm::usable_cpus();
  const int units = static_cast<int>(topology.pus.size());
  return {units, 0, units};
}

/// What ranks that are placed like this share.
engine::Groups groups_of(const shm::Placement& placement) {
  std::vector<engine::Seat> seats;
  for (const shm::RankPlace& place : placement.ranks) seats.push_back({place.llc, place.numa, place.package});
  return engine::groups_of(seats);
}

void explain(const ExplainOptions& options) {
  const shm::Topology topology = topology_of(options);
  const shm::UsableCpus cpus = cpus_of(options, topology);
  const int ranks = options.ranks > 0 ? options.ranks : cpus.usable;
  const shm::SegmentShape shape = shm::shape_for(ranks);
  const shm::Placement placement = shm::place_ranks(topology, cpus, ranks, shm::BindTo::automatic);
  const int shared_cpus = placement.oversubscribed ? placement.cpus : 0;
  const engine::Groups groups = groups_of(placement);
  const engine::Hierarchy hierarchy(groups, ranks, 0);
  const bool grouped = shared_cpus == 0 && !groups.levels.empty();
  const engine::TeamShape team{.ranks = ranks,
                               .slot_bytes = shape.slot_bytes,
                               .llc_bytes = topology.llc_bytes,
                               .shared_cpus = shared_cpus,
                               .hierarchy = grouped ? &hierarchy : nullptr,
                               .has_common_memory = shape.heap_bytes > 0};
  fmt::print("{}\n", engine::describe(kCalls.at(options.call), options.bytes, team));
  if (engine::plan(kCalls.at(options.call), options.bytes, team).direct_first)
    fmt::print(
        "common memory is what MPI_Alloc_mem gives, and with mpiexec --shared-heap what a program "
        "allocates after MPI_Init\n");
  fmt::print("on {}: {} usable CPUs, {} last-level caches of {} KiB, {} NUMA nodes\n", topology.source,
             cpus.usable, topology.llcs, topology.llc_bytes >> 10, topology.numa_nodes);
  fmt::print("{}: {}\n", engine::describe(groups), groups.why);
  fmt::print(
      "ranks {}; waiting ranks {}\n", placement.why,
      placement.oversubscribed ? "yield and sleep (more ranks than CPUs)" : "spin, then yield and sleep");
}

std::vector<std::string> call_names() {
  std::vector<std::string> names;
  for (const auto& [name, call] : kCalls) names.push_back(name);
  return names;
}

}  // namespace

int explain_command(const std::vector<std::string>& arguments) {
  ExplainOptions options;
  CLI::App app("How a collective would be carried out: foldlane explain allreduce -n 8 -b 64K",
               "foldlane explain");
  app.add_option("call", options.call, "The collective")->required()->check(CLI::IsMember(call_names()));
  app.add_option("-n", options.ranks, "Number of ranks (default: usable CPUs)")
      ->check(CLI::Range(1, static_cast<int>(shm::kMaxRanks)));
  app.add_option("-b,--bytes", options.bytes, "Bytes of one rank's vector, as 64K, 1M (powers of 1024)")
      ->transform(CLI::AsSizeValue(false));
  app.add_option("--topology", options.topology,
                 "Another machine, in hwloc's notation: \"package:2 l3:4 core:8 pu:1\"");
  try {
    app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
    explain(options);
    return 0;
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  } catch (const std::exception& error) {
    fmt::print(stderr, "foldlane explain: {}\n", error.what());
    return 1;
  }
}

}  // namespace foldlane::tools
