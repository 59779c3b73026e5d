// The machine a benchmark runs on: what it is, and whether what happened on it during the run lets the
// figures be believed. Reading is apart from judging, so that both are testable on machines we do not have.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "bench/report/report.hpp"

namespace foldlane::shm {
struct Topology;
struct UsableCpus;
}  // namespace foldlane::shm

namespace foldlane::bench {

/// What one CPU did since boot, in ticks.
struct CpuTicks {
  std::uint64_t busy = 0;  // user, nice, system, interrupts
  std::uint64_t idle = 0;
  std::uint64_t stolen = 0;  // wanted to run, but the host ran somebody else

  bool operator==(const CpuTicks&) const = default;
};

struct Cache {
  std::string name;  // "L1d", "L2", "L3"
  std::uint64_t bytes = 0;

  bool operator==(const Cache&) const = default;
};

/// Empty strings, sets and zeros are what could not be read.
struct Surroundings {
  std::string model;
  std::set<std::string> flags;  // x86 only
  bool arm = false;
  std::vector<Cache> caches;             // as CPU 0 sees them
  std::map<int, std::string> governors;  // by CPU
  std::map<int, CpuTicks> cpus;
  double ticks_per_second = 100;
  std::string kernel;
  std::string clock_source;
  std::string transparent_pages;                        // of anonymous memory: "madvise"
  std::string shared_transparent_pages;                 // of shared memory: "never"
  std::map<std::string, std::uint64_t> reserved_pages;  // "2048kB" -> number
  std::string load;                                     // 1, 5 and 15 minutes
  std::uint64_t memory_bytes = 0;
  std::uint64_t available_bytes = 0;  // of memory, for new programs; 0: not visible
  double cpu_quota = 0;               // of the container, in CPUs
  std::uint64_t memory_limit = 0;
  bool hypervisor = false;
  std::string hypervisor_vendor;
};

Surroundings read_surroundings(const std::filesystem::path& root = "/");

/// Whether a cycle counter ticks at one rate on all CPUs, whatever they do.
bool has_invariant_clock(const Surroundings& surroundings);

/// Facts in the order to be shown. To be called before the process binds itself: what it may not use is
/// invisible to it.
std::vector<Fact> machine_facts(const std::vector<int>& cpus_used);
std::vector<Fact> machine_facts(const Surroundings& surroundings, const shm::Topology& topology,
                                const shm::UsableCpus& usable, const std::vector<int>& cpus_used);

/// The circumstances of a run, as the one who ran it knows them.
struct Circumstances {
  int ranks = 0;
  int threads = 1;  // of each
  int usable_cpus = 0;
  bool bound = true;
  double own_cpu_seconds = 0;  // of all ranks and whoever else of ours ran between the two readings
  double wall_seconds = 0;
  std::vector<int> cpus = {};  // where the ranks could run; empty: anywhere
  // Microseconds from CPU to CPU during the run, without the extremes; 0: not measured.
  double shortest_handoff = 0;
  double longest_handoff = 0;
};

/// Why the figures of the run between two readings may not be trusted: full sentences, the worst first.
std::vector<std::string> warnings(const Surroundings& before, const Surroundings& after,
                                  const Circumstances& circumstances);

}  // namespace foldlane::bench
