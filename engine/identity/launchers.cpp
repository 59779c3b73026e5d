#include "engine/identity/launchers.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdlib>
#include <vector>

#include "engine/identity/numbers.hpp"
#include "shm/job/job.hpp"

namespace foldlane::engine {
namespace {

using shm::Errc;
using shm::Error;
using shm::Result;

/// The first whose mark is set is it. One inside another comes before that: what a launcher sets is inherited
/// by the launchers that its ranks start, as hydra and mpirun are by srun.
constexpr Launcher kLaunchers[] = {
    {"Open MPI's mpirun",
     "OMPI_COMM_WORLD_RANK",
     "OMPI_COMM_WORLD_RANK",
     "OMPI_COMM_WORLD_SIZE",
     "OMPI_COMM_WORLD_LOCAL_RANK",
     "OMPI_COMM_WORLD_LOCAL_SIZE",
     nullptr,
     {"PMIX_NAMESPACE"}},
    {"a launcher that speaks PMI", kPmiFdVariable, nullptr, kPmiSizeVariable, nullptr, nullptr, nullptr, {}},
    {"a launcher that speaks PMI", kPmiPortVariable, nullptr, nullptr, nullptr, nullptr, nullptr, {}},
    {"PALS",
     "PALS_RANKID",
     "PALS_RANKID",
     "PMI_SIZE",
     "PALS_LOCAL_RANKID",
     "PMI_LOCAL_SIZE",
     nullptr,
     {"PALS_APID"}},
    // A batch script has SLURM_PROCID, too, but is no step.
    {"Slurm's srun",
     "SLURM_STEP_ID",
     "SLURM_PROCID",
     "SLURM_STEP_NUM_TASKS",
     "SLURM_LOCALID",
     nullptr,
     "SLURM_STEP_NUM_NODES",
     {"SLURM_JOB_ID", "SLURM_STEP_ID"}},
    {"Flux",
     "FLUX_TASK_RANK",
     "FLUX_TASK_RANK",
     "FLUX_JOB_SIZE",
     "FLUX_TASK_LOCAL_ID",
     nullptr,
     "FLUX_JOB_NNODES",
     {"FLUX_JOB_ID", "FLUX_URI"}},
    {"torchrun, or what sets its variables",
     "WORLD_SIZE",
     "RANK",
     "WORLD_SIZE",
     "LOCAL_RANK",
     "LOCAL_WORLD_SIZE",
     nullptr,
     {"MASTER_PORT", "MASTER_ADDR", "TORCHELASTIC_RUN_ID", "TORCHELASTIC_RESTART_COUNT"},
     true},
    {"torchrun, or what sets its variables",
     "LOCAL_RANK",
     "RANK",
     "WORLD_SIZE",
     "LOCAL_RANK",
     nullptr,
     nullptr,
     {"MASTER_PORT"},
     true},
    // What is left of these does not tell the size of the job.
    {"a launcher that speaks PMIx",
     "PMIX_RANK",
     "PMIX_RANK",
     "OMPI_COMM_WORLD_SIZE",
     "OMPI_COMM_WORLD_LOCAL_RANK",
     nullptr,
     nullptr,
     {"PMIX_NAMESPACE"}},
    {"a launcher that speaks PMI",
     kPmiRankVariable,
     nullptr,
     kPmiSizeVariable,
     nullptr,
     nullptr,
     nullptr,
     {}},
};

bool is_set(const char* variable) { return variable != nullptr && std::getenv(variable) != nullptr; }

Error on_several_nodes(const std::string& evidence) {
  return {Errc::invalid, "the job has ranks on several nodes (" + evidence +
                             "), and this library is for one: compile the program with an MPI of several "
                             "nodes, and start it with `foldlane accelerate`"};
}

std::string is_but(const char* variable, int value, const char* other, int other_value) {
  return fmt::format("{} is {}, {} is {}", variable, value, other, other_value);
}

Result<void> check_all_are_there(const Launcher& launcher) {
  std::vector<const char*> missing;
  for (const char* each : {launcher.rank, launcher.size, launcher.rank_here, launcher.nodes, launcher.job[0]})
    if (each != nullptr && !is_set(each)) missing.push_back(each);
  if (missing.empty()) return {};
  return Error{Errc::invalid,
               fmt::format("{} {} missing", fmt::join(missing, ", "), missing.size() == 1 ? "is" : "are")};
}

/// Where it is, `variable` must be what it is in a job on one node.
Result<void> check_one_node(const char* variable, int expected, const char* other, int other_value) {
  if (!is_set(variable)) return {};
  const auto value = number_in(variable);
  if (!value.ok()) return value.error();
  if (value.value() == expected) return {};
  return on_several_nodes(is_but(variable, value.value(), other, other_value));
}

std::string job_name(const Launcher& launcher) {
  std::string name = launcher.job[0];
  for (const char* each : launcher.job)
    if (is_set(each)) name += fmt::format(" {}", std::getenv(each));
  return name;
}

Result<ForeignRank> rank_by_variables(const Launcher& launcher) {
  if (auto there = check_all_are_there(launcher); !there.ok()) return there.error();
  const auto rank = number_in(launcher.rank);
  if (!rank.ok()) return rank.error();
  const auto size = number_in(launcher.size);
  if (!size.ok()) return size.error();
  if (rank.value() >= size.value())
    return Error{Errc::invalid, is_but(launcher.rank, rank.value(), launcher.size, size.value())};
  if (auto one = check_one_node(launcher.ranks_here, size.value(), launcher.size, size.value()); !one.ok())
    return one.error();
  if (auto one = check_one_node(launcher.nodes, 1, launcher.size, size.value()); !one.ok())
    return one.error();
  if (auto one = check_one_node(launcher.rank_here, rank.value(), launcher.rank, rank.value()); !one.ok())
    return one.error();
  return ForeignRank{rank.value(), size.value(), job_name(launcher), std::nullopt};
}

Result<ForeignRank> rank_by_pmi() {
  if (!is_set(kPmiFdVariable) && !is_set(kPmiPortVariable))
    return Error{Errc::invalid, fmt::format("{} is missing", kPmiFdVariable)};
  auto pmi = Pmi::open();
  if (!pmi.ok()) return pmi.error();
  const int rank = pmi.value().rank();
  const int size = pmi.value().size();
  if (rank < 0 || rank >= size)
    return Error{Errc::invalid, is_but(kPmiRankVariable, rank, kPmiSizeVariable, size)};
  if (!pmi.value().is_on_one_node()) {
    pmi.value().finalize();  // hydra throws away what ranks say on their way out of a failed job
    return on_several_nodes("PMI_process_mapping says so");
  }
  std::string job = pmi.value().job();
  return ForeignRank{rank, size, std::move(job), std::move(pmi.value())};
}

}  // namespace

const Launcher* foreign_launcher() noexcept {
  const char* const alone = std::getenv(kAloneVariable);
  if (is_set(shm::kRankVariable) || (alone != nullptr && *alone != '\0')) return nullptr;
  for (const Launcher& each : kLaunchers)
    if (is_set(each.mark)) return &each;
  return nullptr;
}

Result<ForeignRank> rank_under(const Launcher& launcher) {
  auto rank = launcher.rank == nullptr ? rank_by_pmi() : rank_by_variables(launcher);
  if (rank.ok()) return rank;
  return Error{rank.error().code,
               fmt::format("{} has started this process ({} is set): {}. {}=1 makes it a job of its own",
                           launcher.name, launcher.mark, rank.error().message, kAloneVariable)};
}

Result<int> join_timeout_s() {
  return is_set(kJoinTimeoutVariable) ? number_in(kJoinTimeoutVariable) : Result<int>(kUsualJoinTimeoutS);
}

}  // namespace foldlane::engine
