#include "info/explain.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <exception>
#include <string_view>

#include "engine/collectives/plan.hpp"
#include "engine/job/areas.hpp"
#include "options/call_form.hpp"
#include "options/manual.hpp"
#include "shm/machine/placement.hpp"
#include "shm/machine/topology.hpp"
#include "shm/segment/layout.hpp"

namespace foldlane::tools {
namespace {

struct ExplainOptions {
  CallForm call;
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

/// How a form that a program does not wait in gets on; "" for the blocking one.
std::string progress_of(Form form) {
  constexpr const char* kProgress =
      "it gets on in every MPI call of its process, at the latest in MPI_Wait; those of one communicator "
      "take place one after the other\n";
  switch (form) {
    case Form::nonblocking:
      return fmt::format("nonblocking: the call only starts it; {}", kProgress);
    case Form::persistent:
      return fmt::format("persistent: made once, started by each MPI_Start; {}", kProgress);
    case Form::blocking:
      break;
  }
  return "";
}

void explain(const ExplainOptions& options) {
  const shm::Topology topology = topology_of(options);
  const shm::UsableCpus cpus = cpus_of(options, topology);
  const int ranks = options.ranks > 0 ? options.ranks : cpus.usable;
  const shm::SegmentShape shape = engine::shape_for(ranks);
  const shm::Placement placement = shm::place_ranks(topology, cpus, ranks, shm::BindTo::automatic);
  const int shared_cpus = placement.oversubscribed ? placement.cpus : 0;
  const engine::Groups groups = groups_of(placement);
  const engine::Hierarchy hierarchy(groups, ranks, 0);
  const bool grouped = shared_cpus == 0 && !groups.levels.empty();
  const engine::TeamShape team{.ranks = ranks,
                               .slot_bytes = engine::capacity_of(shape).slot_bytes,
                               .llc_bytes = topology.llc_bytes,
                               .shared_cpus = shared_cpus,
                               .hierarchy = grouped ? &hierarchy : nullptr,
                               .has_common_memory = shape.heap_bytes > 0};
  const engine::Call call = options.call.call->call;
  fmt::print("{}\n{}", engine::describe(call, options.bytes, team), progress_of(options.call.form));
  if (engine::plan(call, options.bytes, team).direct_first)
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

/// The complaint about a call that cannot be explained, or "".
std::string take_call(const std::string& text, CallForm& call) {
  const auto found = call_form(text);
  if (found) call = *found;
  std::vector<std::string_view> known;
  for (const engine::NamedCall& row : engine::kCallNames)
    if (row.is_collective) known.push_back(row.name);
  return found ? ""
               : fmt::format("there is no collective '{}'; known are {}, each also as iNAME and NAME_init",
                             text, fmt::join(known, ", "));
}

}  // namespace

int explain_command(const std::vector<std::string>& arguments) {
  ExplainOptions options;
  CLI::App app("How a collective would be carried out: foldlane explain allreduce -n 8 -b 64K",
               "foldlane explain");
  std::string call;
  app.add_option("call", call, "The collective: allreduce, or its forms iallreduce and allreduce_init")
      ->required()
      ->check([&](const std::string& text) { return take_call(text, options.call); });
  app.add_option("-n", options.ranks, "Number of ranks (default: usable CPUs)")
      ->check(CLI::Range(1, static_cast<int>(shm::kMaxRanks)));
  app.add_option("-b,--bytes", options.bytes, "Bytes of one rank's vector, as 64K, 1M (powers of 1024)")
      ->transform(CLI::AsSizeValue(false));
  app.add_option("--topology", options.topology,
                 "Another machine, in hwloc's notation: \"package:2 l3:4 core:8 pu:1\"");
  add_manual_flag(app);
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
