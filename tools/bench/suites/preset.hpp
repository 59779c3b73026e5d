// What a suite asks for where the command line says nothing.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "bench/measure/campaign.hpp"
#include "bench/report/report.hpp"

namespace foldlane::bench {

enum class Suite : std::uint8_t { none, quick, full, never_slower, p2p, report };

/// As on the command line.
inline constexpr std::array<std::pair<Suite, const char*>, 5> kSuiteNames{
    {{Suite::quick, "quick"},
     {Suite::full, "full"},
     {Suite::never_slower, "never-slower"},
     {Suite::p2p, "p2p"},
     {Suite::report, "report"}}};
/// "" for none.
const char* name_of(Suite suite);

/// About who is faster, which needs peers.
inline bool is_contest(Suite suite) { return suite == Suite::never_slower || suite == Suite::p2p; }

struct Preset {
  std::vector<std::string> calls{"allreduce"};
  std::vector<std::uint64_t> sizes = {};  // none: the sweep of the command line
  std::vector<Buffers> buffers{Buffers::hot};
  std::vector<int> ranks{2};
  std::vector<std::string> peers = {};  // as in --vs
  std::string json = {};                // the file to write
  Effort effort;                        // its span is that of all numbers of ranks together
};

/// On a machine with as many usable CPUs.
Preset preset_of(Suite suite, int usable_cpus);

}  // namespace foldlane::bench
