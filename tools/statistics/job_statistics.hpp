// What a job's ranks did in collective calls, as a plain value: what --stats shows is a pure function of it.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/statistics/routes.hpp"

namespace foldlane::tools {

/// Of one rank. Times are in seconds; engine/statistics/records.hpp says what each means.
struct RankCalls {
  int rank = 0;
  std::uint64_t calls = 0;
  std::uint64_t bytes = 0;
  double inside = 0;
  double waited = 0;
  std::uint64_t compared = 0;
  std::uint64_t times_late = 0;
  double kept_waiting = 0;
  std::uint64_t direct_bytes = 0;
  std::uint64_t private_calls = 0;
  std::uint64_t private_bytes = 0;
  std::array<std::uint64_t, engine::kRoutes> routes{};
};

/// The calls of one kind on one communicator.
struct CallStatistics {
  std::string call;              // "MPI_Iallreduce"
  std::string communicator;      // its name
  std::size_t members = 0;       // 0: several communicators, which got no record of their own
  std::vector<RankCalls> ranks;  // those that made such calls
};

struct JobStatistics {
  double seconds = 0;                 // the launcher's
  std::string binding;                // why the ranks are bound or not
  std::vector<std::string> cpus;      // by rank: "0-3,8"; empty: not bound
  std::vector<int> absent;            // ranks that never called MPI_Init, nor began a session
  std::vector<CallStatistics> calls;  // the longest first
};

/// All ranks together.
template <class Field>
auto total(const CallStatistics& calls, Field RankCalls::*field) {
  Field sum{};
  for (const RankCalls& rank : calls.ranks) sum += rank.*field;
  return sum;
}

}  // namespace foldlane::tools
