// What a run will take, before it starts.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bench/measure/campaign.hpp"

namespace foldlane::bench {

struct Demand {
  double seconds = 0;
  std::uint64_t bytes = 0;  // of memory, for the buffers of all ranks of all implementations
};

/// Of the cases of one number of ranks.
Demand demand_of(const std::vector<Case>& cases, std::size_t implementations, const Effort& effort,
                 int usable_cpus, std::uint64_t llc_bytes);

/// "11.0 GiB"
std::string in_gib(std::uint64_t bytes);
/// "about 2 h 5 min and 11 GiB of memory"
std::string describe(const Demand& demand);

}  // namespace foldlane::bench
