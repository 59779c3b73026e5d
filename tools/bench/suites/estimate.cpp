#include "bench/suites/estimate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bench/measure/places.hpp"
#include "bench/report/pattern.hpp"

namespace foldlane::bench {
namespace {

// Of machines and peers as they are met; whoever needs the time to the minute looks at the progress line.
constexpr double kBytesPerUs = 5000;     // that a CPU moves, in a call or for the limit
constexpr double kPassesOverData = 3;    // of a collective
constexpr double kTurnUs = 2'000;        // selecting a case, being woken
constexpr double kSwitchUs = 2'000;      // of a rank that shares its CPU, per call; ours takes a hundredth
constexpr double kLeastCalls = 5;        // of a slice, three of them to warm up
constexpr double kPassesForLimits = 12;  // plain and streaming, in and out, three times each
constexpr double kLaunchS = 0.5;         // of an implementation
constexpr double kBytesPerS = 1e9;       // that are touched for the first time

/// Microseconds that all data takes once, if every rank has a CPU or its part of one.
double moving_us(const Case& what, int usable_cpus) {
  const int cpus = std::clamp(usable_cpus, 1, what.ranks);
  return static_cast<double>(buffer_bytes(what)) * what.ranks / cpus / kBytesPerUs;
}

double round_us(const Case& what, std::size_t implementations, const Effort& effort, int usable_cpus) {
  const double moving = moving_us(what, usable_cpus);
  const double switching = what.ranks > usable_cpus ? kSwitchUs * what.ranks : 0;
  const double slice = std::max(effort.slice_us, kLeastCalls * (kPassesOverData * moving + switching));
  return static_cast<double>(implementations) * (kTurnUs + slice) + kTurnUs + kPassesForLimits * moving;
}

/// A rank's two arenas; all implementations have theirs at the same time, but for folds, which have no peers.
std::uint64_t bytes_of(const Case& what, std::size_t implementations, std::uint64_t cache_bytes) {
  const std::uint64_t arena =
      what.buffers == Buffers::rotating ? std::max(2 * buffer_bytes(what), cache_bytes) : buffer_bytes(what);
  const std::size_t jobs = what.call == "fold" ? 1 : implementations;
  return 2 * arena * static_cast<std::uint64_t>(what.ranks) * jobs;
}

}  // namespace

Demand demand_of(const std::vector<Case>& cases, std::size_t implementations, const Effort& effort,
                 int usable_cpus, std::uint64_t llc_bytes) {
  Demand demand;
  for (const Case& what : cases) {
    demand.seconds += effort.passes * round_us(what, implementations, effort, usable_cpus) * 1e-6;
    demand.bytes = std::max(
        demand.bytes, bytes_of(what, implementations, share_of_cache(llc_bytes, what.ranks, usable_cpus)));
  }
  demand.seconds += effort.launches * (kLaunchS * static_cast<double>(implementations) +
                                       static_cast<double>(demand.bytes) / kBytesPerS);
  const double until_narrow = effort.case_s * static_cast<double>(cases.size());
  demand.seconds = std::max({demand.seconds, effort.span_s, until_narrow});
  return demand;
}

std::string in_gib(std::uint64_t bytes) {
  return fmt::format("{:.1f} GiB", static_cast<double>(bytes) / static_cast<double>(1 << 30));
}

std::string describe(const Demand& demand) {
  const long minutes = std::lround(std::ceil(demand.seconds / 60));
  const std::string time =
      minutes < 60 ? fmt::format("{} min", minutes) : fmt::format("{} h {} min", minutes / 60, minutes % 60);
  return fmt::format("about {} and {} of memory", time, in_gib(demand.bytes));
}

}  // namespace foldlane::bench
