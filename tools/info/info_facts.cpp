#include "info/info_facts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "api/core/call_table.hpp"
#include "api/core/checks.hpp"
#include "engine/choice/decision.hpp"
#include "engine/identity/launchers.hpp"
#include "engine/job/areas.hpp"
#include "engine/job/environment.hpp"
#include "engine/p2p/outbox.hpp"
#include "engine/p2p/transfers/transfer_lines.hpp"
#include "kernels/isa.hpp"
#include "launch/installation.hpp"
#include "launch/shared_heap.hpp"
#include "shm/job/job.hpp"
#include "shm/machine/placement.hpp"
#include "shm/machine/process_memory.hpp"
#include "shm/program_heap/program_heap.hpp"
#include "shm/segment/huge_pages.hpp"
#include "shm/segment/segment.hpp"

namespace foldlane::tools {
namespace {

using Json = nlohmann::ordered_json;

struct Variable {
  const char* name;
  const char* meaning;
};

constexpr auto kVariables = std::to_array<Variable>({
    {"FOLDLANE_DISABLE_ISA", "comma-separated ISA levels not to use"},
    {engine::kArmsVariable,
     "what is not to be chosen by timing, as slot-stores=plain,result-stores=streaming"},
    {api::kCheckVariable,
     "what to look for besides mistakes that are always seen, as leaks (mpiexec --check)"},
    {"MPIEXEC_TIMEOUT", "seconds after which foldlane run ends a job"},
    {"FOLDLANE_CC", "the compiler behind mpicc (MPICH_CC and OMPI_CC as well)"},
    {"FOLDLANE_CXX", "the compiler behind mpicxx (MPICH_CXX and OMPI_CXX as well)"},
    {shm::kRankVariable, "set by foldlane run: the number of this rank"},
    {shm::kSizeVariable, "set by foldlane run: the number of ranks"},
    {shm::kSegmentVariable, "set by foldlane run: the descriptor of the job's segment"},
    {shm::kSharedHeapVariable, "set by foldlane run --shared-heap: the program's heap goes into the segment"},
    {engine::kAloneVariable, "1: a job of this process alone, whatever launcher has started it"},
    {engine::kJoinTimeoutVariable,
     "seconds that ranks wait for each other under launchers that are not Foldlane's (60)"},
});

template <class T>
T value_of(shm::Result<T> result) {
  if (!result.ok()) throw std::runtime_error(result.error().message);
  return std::move(result.value());
}

Json isa_facts() {
  Json levels = Json::array();
  for (const kernels::IsaLevel& level : kernels::isa_levels()) {
    levels.push_back({{"name", level.name}, {"chosen", level.chosen}, {"reason", level.reason}});
  }
  return levels;
}

Json machine_facts(const shm::Topology& topology, const shm::UsableCpus& cpus) {
  return {{"processing_units", topology.pus.size()},
          {"cores", topology.cores},
          {"last_level_caches", topology.llcs},
          {"numa_nodes", topology.numa_nodes},
          {"packages", topology.packages},
          {"l2_bytes", topology.l2_bytes},
          {"llc_bytes", topology.llc_bytes},
          {"cpus_in_affinity", cpus.affinity},
          {"cpus_in_cgroup_quota", cpus.cgroup_quota},
          {"usable_cpus", cpus.usable}};
}

std::string launcher_text() {
  if (engine::is_launched()) return "foldlane run, also called mpiexec";
  const engine::Launcher* const launcher = engine::foreign_launcher();
  if (launcher == nullptr) return "none: a program that is started like this is a job of one rank";
  return fmt::format("{} ({} is set)", launcher->name, launcher->mark);
}

Json job_facts(const shm::Topology& topology, const shm::UsableCpus& cpus, int ranks) {
  const shm::Placement placement = shm::place_ranks(topology, cpus, ranks, shm::BindTo::automatic);
  // The mechanism is decided when a segment is made; asking one is the only answer that cannot be wrong.
  const shm::Segment segment =
      value_of(shm::Segment::create(engine::shape_for(ranks), placement, topology.llc_bytes));
  const bool membarrier = segment.header().wake == static_cast<std::uint32_t>(shm::Wake::membarrier);
  const char* const why_locked = placement.oversubscribed ? "because ranks share CPUs and sleep often"
                                                          : "because the kernel refuses membarrier";
  return {{"ranks", ranks},
          {"launcher", launcher_text()},
          {"binding", placement.why},
          {"oversubscribed", placement.oversubscribed},
          {"waiting",
           placement.oversubscribed
               ? "yield, then sleep; before, 2 us of polls for the last missing ranks, as long as they come"
               : "poll with pauses, yield, then sleep"},
          {"wake", membarrier ? std::string("futex; publishers are spared a locked instruction by membarrier")
                              : std::string("futex; publishers pay a locked instruction, ") + why_locked}};
}

std::string shared_heap_support() {
  const std::string problem = problem_with_shared_heap();
  return problem.empty() ? fmt::format("mpiexec --shared-heap works, with {}", kSharedHeapAllocator)
                         : "mpiexec --shared-heap does not work: " + problem;
}

std::string pulling_support() {
  return shm::can_read_from_processes()
             ? "possible; long private messages are pulled where that is quicker than boxes"
             : "the system refuses (process_vm_readv); long private messages go through boxes";
}

std::string huge_page_support() {
  const std::string problem = shm::why_no_huge_pages();
  return problem.empty()
             ? fmt::format("granted, for what MPI_Alloc_mem gives from {} MiB on", shm::kHugePageBytes >> 20)
             : "not granted: " + problem;
}

Json memory_facts(int ranks) {
  const shm::SegmentShape shape = engine::shape_for(ranks);
  const shm::SegmentMap map = shm::map_of(shape);
  return {
      {"formula",
       "shared + ranks * (control + slots * slot_bytes + communicators * team_bytes); a communicator of two "
       "ranks that reduces or moves more than inline_payload_bytes takes slots * slot_bytes more of each; "
       "who sends "
       "messages takes lane_bytes for each receiver, in whole pages, up to message_blocks_bytes as they "
       "become longer, and transfer_bytes for each still longer one under way; the heap (MPI_Alloc_mem, "
       "--shared-heap) costs what is handed out"},
      {"shared_bytes", map.controls_offset},
      {"control_bytes_per_rank", map.controls_bytes},
      {"slots_per_rank", engine::kSlots},
      {"slot_bytes", engine::capacity_of(shape).slot_bytes},
      {"team_bytes_per_rank", engine::team_bytes(shape)},
      {"lane_bytes", engine::lane_bytes(shape)},
      {"message_blocks_bytes", engine::Outbox::kMostBytesOfBlocks},
      {"transfer_bytes", engine::Chunks::kBlockBytes},
      {"bytes_per_rank", map.controls_bytes + map.buffers_bytes},
      {"total_bytes", map.controls_offset + (map.controls_bytes + map.buffers_bytes) * shape.ranks},
      {"heap_address_space_per_rank", shape.heap_bytes},
      {"huge_pages", huge_page_support()},
      {"pulling", pulling_support()},
      {"program_heap", shared_heap_support()}};
}

Json limit_facts() {
  return {{"ranks", shm::kMaxRanks},
          {"teams", engine::Capacity::usual().teams},
          {"inline_payload_bytes", engine::TeamLines::kPayloadBytes}};
}

Json decision_facts() {
  Json decisions = Json::array();
  for (const engine::DecisionRow& row : engine::kDecisionRows)
    decisions.push_back({{"name", row.name}, {"arms", row.arms}, {"from_bytes", row.from_bytes}});
  return decisions;
}

Json environment_facts() {
  Json variables = Json::array();
  for (const Variable& variable : kVariables) {
    const char* value = std::getenv(variable.name);
    variables.push_back({{"name", variable.name},
                         {"meaning", variable.meaning},
                         {"value", value == nullptr ? Json() : Json(value)}});
  }
  return variables;
}

}  // namespace

nlohmann::ordered_json info_facts(int ranks) {
  const shm::Topology topology = value_of(shm::discover_topology());
  const shm::UsableCpus cpus = shm::usable_cpus();
  const int shown = ranks > 0 ? ranks : cpus.usable;
  const auto calls = api::call_table();
  const auto supported =
      std::count_if(calls.begin(), calls.end(), [](const auto& call) { return call.supported; });
  return {{"version", FOLDLANE_VERSION},
          {"mpi", "5.0 standard ABI (libmpi_abi.so.1)"},
          {"library", mpi_library_path()},
          {"calls", {{"supported", supported}, {"all", calls.size()}}},
          {"isa", isa_facts()},
          {"machine", machine_facts(topology, cpus)},
          {"job", job_facts(topology, cpus, shown)},
          {"memory", memory_facts(shown)},
          {"limits", limit_facts()},
          {"decisions", decision_facts()},
          {"environment", environment_facts()}};
}

nlohmann::ordered_json call_facts() {
  Json calls = Json::array();
  for (const api::CallInfo& call : api::call_table()) {
    calls.push_back({{"name", call.name}, {"supported", call.supported}});
  }
  return calls;
}

}  // namespace foldlane::tools
