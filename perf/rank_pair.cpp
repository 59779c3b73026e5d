#include "perf/rank_pair.hpp"

#include <pthread.h>
#include <sched.h>

#include <algorithm>
#include <optional>
#include <string>
#include <thread>

#include "engine/job/areas.hpp"
#include "shm/machine/placement.hpp"
#include "shm/machine/topology.hpp"

namespace foldlane::perf {
namespace {

struct Cpus {
  int first;
  int second;
};

/// Where two ranks of a job are put.
std::optional<Cpus> two_cpus() {
  const auto topology = shm::discover_topology();
  const shm::UsableCpus usable = shm::usable_cpus();
  if (!topology.ok() || usable.usable < 2) return {};
  const auto placement = shm::place_ranks(topology.value(), usable, 2, shm::BindTo::hwthread);
  return Cpus{placement.ranks[0].os_cpus.front(), placement.ranks[1].os_cpus.front()};
}

void pin_to(int cpu) {
  cpu_set_t mask;
  CPU_ZERO(&mask);
  CPU_SET(static_cast<std::size_t>(cpu), &mask);
  ::pthread_setaffinity_np(::pthread_self(), sizeof mask, &mask);
}

constexpr benchmark::IterationCount kWarmUp = 100;

template <class Action>
void lead(benchmark::State& state, const Action& action) {
  for (benchmark::IterationCount i = 0; i < kWarmUp; ++i) action();
  for (auto _ : state) action();
}

template <class Action>
void follow(const benchmark::State& state, const Action& action) {
  for (benchmark::IterationCount i = 0; i < kWarmUp + state.max_iterations; ++i) action();
}

}  // namespace

void run_threads(benchmark::State& state, const Turn& own, const Turn& partner) {
  const auto cpus = two_cpus();
  if (!cpus) return state.SkipWithError("needs two CPUs");
  const std::jthread second([&] {
    pin_to(cpus->second);
    follow(state, partner);
  });
  const std::jthread first([&] {
    pin_to(cpus->first);
    lead(state, own);
  });
}

std::vector<std::string> run_pair(const testing::RankBody& body) {
  const auto cpus = two_cpus();
  if (!cpus) return {"needs two CPUs"};
  const testing::RunOptions options{.shape = engine::shape_for(2),
                                    .oversubscribed = false,
                                    .llc_bytes = shm::discover_topology().value().llc_bytes,
                                    .watchdog_s = 600};
  return testing::run_ranks(testing::Transport::threads, options, [&](testing::RankContext& rank) {
    pin_to(rank.rank == 0 ? cpus->first : cpus->second);
    return body(rank);
  });
}

void run_ranks(benchmark::State& state, const RankTurn& turn) {
  const auto problems = run_pair([&](testing::RankContext& rank) {
    bool all_well = true;
    const auto action = [&] { all_well = turn(rank) && all_well; };
    if (rank.rank == 0) {
      lead(state, action);
    } else {
      follow(state, action);
    }
    return std::string(all_well ? "" : "a call failed");
  });
  if (!problems.empty()) state.SkipWithError(problems.front().c_str());
}

}  // namespace foldlane::perf
