#include "info/explain.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <exception>
#include <string_view>

#include "engine/job/areas.hpp"
#include "engine/plans/plan.hpp"
#include "info/explain_reorder.hpp"
#include "options/call_form.hpp"
#include "options/manual.hpp"
#include "shm/machine/placement.hpp"
#include "shm/machine/topology.hpp"
#include "shm/segment/layout.hpp"

namespace foldlane::tools {
namespace {

constexpr std::string_view kPeriodic = "--periodic";

struct ExplainOptions {
  CallForm call;
  ReorderQuestion reorder;  // instead of the plan, if it has a call
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
std::vector<engine::Seat> seats_of(const shm::Placement& placement) {
  std::vector<engine::Seat> seats;
  for (const shm::RankPlace& place : placement.ranks) seats.push_back({place.llc, place.numa, place.package});
  return seats;
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
  const engine::Groups groups = engine::groups_of(seats_of(placement));
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

void explain_reorder(ExplainOptions& options) {
  ReorderQuestion& question = options.reorder;
  const bool is_grid = question.call == kGridCall;
  if (is_grid != !question.dims.empty() || is_grid != question.edges.empty())
    throw std::runtime_error(
        fmt::format("{} takes --dims, {} and {} take --edges", kGridCall, kGraphCall, kDistGraphCall));
  question.bytes = options.bytes;
  const int needed = ranks_of(question), ranks = options.ranks > 0 ? options.ranks : needed;
  if (ranks < needed)
    throw std::runtime_error(fmt::format("{} ranks are needed, there are {}", needed, ranks));
  const shm::Topology topology = topology_of(options);
  const shm::Placement placement =
      shm::place_ranks(topology, cpus_of(options, topology), ranks, shm::BindTo::automatic);
  fmt::print("{}on {}: ranks {}\n", explain_reorder(question, seats_of(placement)), topology.source,
             placement.why);
}

/// The complaint about a call that cannot be explained, or "".
std::string take_call(const std::string& text, ExplainOptions& options) {
  for (const std::string_view reordering : {kGridCall, kGraphCall, kDistGraphCall})
    if (text == reordering) options.reorder.call = reordering;
  if (!options.reorder.call.empty()) return "";
  const auto found = call_form(text);
  if (found) options.call = *found;
  std::vector<std::string_view> known;
  for (const engine::NamedCall& row : engine::kCallNames)
    if (row.is_collective) known.push_back(row.name);
  return found ? ""
               : fmt::format(
                     "there is no collective '{}'; known are {}, each also as iNAME and NAME_init, "
                     "and for what reorder does {}, {} and {}",
                     text, fmt::join(known, ", "), kGridCall, kGraphCall, kDistGraphCall);
}

/// "--periodic 1,0,1" becomes one word: what stands behind "--periodic" alone is not its value.
std::vector<std::string> with_periods_in_one_word(const std::vector<std::string>& arguments) {
  std::vector<std::string> words;
  for (const std::string& word : arguments) {
    const bool is_list = word.find_first_not_of("0123456789,") == std::string::npos;
    if (is_list && !words.empty() && words.back() == kPeriodic) {
      words.back() += "=" + word;
    } else {
      words.push_back(word);
    }
  }
  return words;
}

}  // namespace

int explain_command(const std::vector<std::string>& arguments) {
  ExplainOptions options;
  CLI::App app(
      "How a collective would be carried out: foldlane explain allreduce -n 8 -b 64K; and what reorder "
      "saves: "
      "foldlane explain cart_create --dims 8x4x4 --topology \"package:2 l3:8 core:8\"",
      "foldlane explain");
  std::string call;
  app.add_option("call", call,
                 "The collective: allreduce, or its forms iallreduce and allreduce_init; or cart_create, "
                 "graph_create, dist_graph_create")
      ->required()
      ->check([&](const std::string& text) { return take_call(text, options); });
  app.add_option("-n", options.ranks, "Number of ranks (default: usable CPUs)")
      ->check(CLI::Range(1, static_cast<int>(shm::kMaxRanks)));
  app.add_option("-b,--bytes", options.bytes,
                 "Bytes of one rank's vector; of gather, scatter, allgather, alltoall: of a block. As 64K, "
                 "1M (powers of 1024)")
      ->transform(CLI::AsSizeValue(false));
  app.add_option("--topology", options.topology,
                 "Another machine, in hwloc's notation: \"package:2 l3:4 core:8 pu:1\"");
  app.add_option("--dims", options.reorder.dims, "Of cart_create: the extents of the grid, as 8x4x4")
      ->delimiter('x');
  app.add_flag(fmt::format("{}{{{}}}", kPeriodic, ReorderQuestion::kInAll), options.reorder.periodic,
               "Of cart_create: the grid is periodic in all dimensions, or, as --periodic 1,0,1, in some");
  app.add_option("--edges", options.reorder.edges,
                 "Of graph_create and dist_graph_create: a file with a line for each edge: FROM TO, of the "
                 "latter also FROM TO WEIGHT");
  app.add_option("--round-robin", options.reorder.round_robin,
                 "Of all of them: the ranks go round the packages (or NUMA nodes, caches) one by one")
      ->check(CLI::IsMember({"package", "numa", "cache"}));
  add_manual_flag(app);
  try {
    const std::vector<std::string> words = with_periods_in_one_word(arguments);
    app.parse(std::vector<std::string>(words.rbegin(), words.rend()));
    options.reorder.call.empty() ? explain(options) : explain_reorder(options);
    return 0;
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  } catch (const std::exception& error) {
    fmt::print(stderr, "foldlane explain: {}\n", error.what());
    return 1;
  }
}

}  // namespace foldlane::tools
