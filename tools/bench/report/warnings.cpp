// Judges whether a run's figures may be trusted, from what the machine did meanwhile.
#include <fmt/format.h>

#include <algorithm>

#include "bench/machine/machine.hpp"

namespace foldlane::bench {
namespace {

constexpr double kForeignShare = 0.05;
constexpr double kStolenShare = 0.01;
// The kernel counts whole ticks and rounds each of several counters: of less than this per CPU nothing can
// be said.
constexpr double kTicksOfDoubt = 3;

/// What the CPUs under test did during the run, in seconds summed over them.
struct Usage {
  int cpus = 0;
  double busy = 0;
  double stolen = 0;
  double doubt = 0;
};

std::uint64_t grown(std::uint64_t before, std::uint64_t after) { return after > before ? after - before : 0; }

bool under_test(int cpu, const Circumstances& circumstances) {
  const auto& cpus = circumstances.cpus;
  return cpus.empty() || std::find(cpus.begin(), cpus.end(), cpu) != cpus.end();
}

Usage usage_of(const Surroundings& before, const Surroundings& after, const Circumstances& circumstances) {
  Usage usage;
  const double seconds_per_tick = 1 / after.ticks_per_second;
  for (const auto& [cpu, then] : before.cpus) {
    const auto now = after.cpus.find(cpu);
    if (now == after.cpus.end() || !under_test(cpu, circumstances)) continue;
    ++usage.cpus;
    usage.busy += static_cast<double>(grown(then.busy, now->second.busy)) * seconds_per_tick;
    usage.stolen += static_cast<double>(grown(then.stolen, now->second.stolen)) * seconds_per_tick;
    usage.doubt += kTicksOfDoubt * seconds_per_tick;
  }
  return usage;
}

/// "37 %", and two digits where it is little.
std::string percent(double share) {
  return share < 0.0995 ? fmt::format("{:.1f} %", share * 100) : fmt::format("{:.0f} %", share * 100);
}

void judge_time(const Usage& usage, const Circumstances& circumstances, std::vector<std::string>& found) {
  const double available = circumstances.wall_seconds * usage.cpus;
  const double foreign = usage.busy - circumstances.own_cpu_seconds;
  if (foreign > usage.doubt && foreign > kForeignShare * available) {
    found.push_back(
        fmt::format("Other processes used {} of the CPUs under test during the run: the figures cannot be "
                    "trusted. Stop them, or measure again when the machine is idle.",
                    percent(std::min(1.0, foreign / available))));
  }
  if (usage.stolen > usage.doubt && usage.stolen > kStolenShare * available) {
    found.push_back(
        fmt::format("The host of this virtual machine gave {} of the time of the CPUs under test to others "
                    "(steal): the figures cannot be trusted. Measure again, or on a machine of its own.",
                    percent(std::min(1.0, usage.stolen / available))));
  }
}

void judge_ranks(const Circumstances& circumstances, std::vector<std::string>& found) {
  if (circumstances.ranks <= circumstances.usable_cpus &&
      circumstances.ranks * circumstances.threads > circumstances.usable_cpus) {
    found.push_back(fmt::format(
        "{} threads of each of {} ranks shared {} usable CPUs: the figures measure the scheduler as "
        "much as the calls, above all where an MPI spins while it waits. Use fewer threads, unless "
        "this is what you want to know.",
        circumstances.threads, circumstances.ranks, circumstances.usable_cpus));
  } else if (circumstances.ranks > circumstances.usable_cpus) {
    found.push_back(
        fmt::format("{} ranks shared {} usable CPU{}: the figures measure the scheduler as much as the "
                    "calls. Use at most {} rank{}, unless this is what you want to know.",
                    circumstances.ranks, circumstances.usable_cpus, circumstances.usable_cpus == 1 ? "" : "s",
                    circumstances.usable_cpus, circumstances.usable_cpus == 1 ? "" : "s"));
  } else if (!circumstances.bound) {
    found.push_back(
        "The ranks were not bound to CPUs, so that the kernel could move them during the run: expect figures "
        "to differ from run to run. Leave the binding on.");
  }
}

/// "CPU 3", "CPUs 0, 1, 2"
std::string named(const std::vector<int>& cpus) {
  return fmt::format("CPU{} {}", cpus.size() == 1 ? "" : "s", fmt::join(cpus, ", "));
}

void judge_governor(const Surroundings& after, const Circumstances& circumstances,
                    std::vector<std::string>& found) {
  std::map<std::string, std::vector<int>> others;
  for (const auto& [cpu, governor] : after.governors) {
    if (governor != "performance" && under_test(cpu, circumstances)) others[governor].push_back(cpu);
  }
  for (const auto& [governor, cpus] : others) {
    found.push_back(
        fmt::format("The frequency governor of {} is \"{}\": clock rates may change during a run. Set it to "
                    "\"performance\" (cpupower frequency-set -g performance).",
                    named(cpus), governor));
  }
}

/// The host of a virtual machine moves its cores; then times of different moments are those of different
/// machines.
void judge_distance(const Circumstances& circumstances, std::vector<std::string>& found) {
  constexpr double kNotable = 2;
  const double low = circumstances.shortest_handoff, high = circumstances.longest_handoff;
  if (low <= 0 || high < kNotable * low) return;
  found.push_back(fmt::format(
      "The distance of the CPUs changed during the run (handoff between {:.0f} and {:.0f} ns): believe "
      "ratios, which compare neighbouring moments, more than times.",
      low * 1000, high * 1000));
}

}  // namespace

std::vector<std::string> warnings(const Surroundings& before, const Surroundings& after,
                                  const Circumstances& circumstances) {
  std::vector<std::string> found;
  judge_time(usage_of(before, after, circumstances), circumstances, found);
  judge_ranks(circumstances, found);
  judge_governor(after, circumstances, found);
  judge_distance(circumstances, found);
  if (after.hypervisor) {
    found.push_back(fmt::format(
        "This is a virtual machine{}: its host may move its cores or share them with others unseen. Compare "
        "only figures of the same run.",
        after.hypervisor_vendor.empty() ? "" : " (" + after.hypervisor_vendor + ")"));
  }
  return found;
}

}  // namespace foldlane::bench
