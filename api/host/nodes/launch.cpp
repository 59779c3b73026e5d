#include "api/host/nodes/launch.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "api/host/founding.hpp"
#include "engine/job/job.hpp"

namespace foldlane::host {
namespace {

using Clock = std::chrono::steady_clock;

/// The host's MPI_Init has let all ranks go at about the same time; some may yet have to load our library.
constexpr std::chrono::seconds kUsual{3}, kLimit{60};

/// What the hosts' launchers set.
struct Variables {
  const char* rank;
  const char* job_size;
  const char* node_size;
};
constexpr Variables kVariables[] = {
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_SIZE"},
    {"PMI_RANK", "PMI_SIZE", "MPI_LOCALNRANKS"}};

int number_of(const char* variable) {
  const char* const text = std::getenv(variable);
  return text == nullptr ? 0 : std::atoi(text);
}

bool is_everywhere() {
  const char* const nodes = std::getenv("FOLDLANE_ACCEL_NODES");
  return nodes != nullptr && std::strcmp(nodes, "all") == 0;
}

/// The call cannot be taken back, and who has not come cannot be asked.
void say_that_some_are_missing() {
  say(fmt::format(
      "some ranks of the job have not come to MPI_Init's end yet: is libfoldlane_accel.so there on "
      "all nodes? The job is aborted if they do not come within {} s",
      kLimit.count()));
}

[[noreturn]] void give_up(const Host& host) {
  say("some ranks of the job have not come to MPI_Init's end for a minute: is libfoldlane_accel.so there on "
      "all nodes? FOLDLANE_ACCEL=0 runs the job without it");
  abort_job(host, 1);
}

}  // namespace

bool are_several_nodes() {
  for (const Variables& variables : kVariables) {
    const int node = number_of(variables.node_size);
    if (node > 0 && number_of(variables.job_size) > node) return true;
  }
  return number_of("SLURM_STEP_NUM_NODES") > 1;
}

void say_if_launcher_is_strange(int ranks) {
  for (const Variables& variables : kVariables) {
    const int started = number_of(variables.job_size);
    if (ranks == 1 && started > 1 && number_of(variables.rank) == 0)
      say(fmt::format(
          "the launcher has started {} ranks, but to the program's MPI each is a job of its own; start "
          "them with the launcher of that MPI",
          started));
  }
}

bool may_meet() { return !are_several_nodes() || is_everywhere(); }

void meet(const Host& host) {
  if (!are_several_nodes()) return;
  const Clock::time_point begin = Clock::now();
  int rank = 0;
  host.call().Comm_rank(host.constants().world, &rank);
  bool is_silent = rank != 0;
  Handle request = 0;
  host.call().Ibarrier(host.constants().world, &request);
  int flag = 0;
  while (host.call().Test(&request, &flag, host.constants().status_ignore), flag == 0) {
    const auto waited = Clock::now() - begin;
    if (waited > kLimit) give_up(host);
    if (waited > kUsual && !std::exchange(is_silent, true)) say_that_some_are_missing();
    engine::yield();
  }
}

}  // namespace foldlane::host
