// What a deadlock looks like to the user.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace foldlane::engine {

struct StuckRank {
  int rank;
  double seconds;    // that it has waited
  std::string call;  // with its arguments
  std::vector<std::string> hints;
};

struct DeadlockReport {
  bool is_certain = true;        // no thread of a rank could release it
  std::vector<StuckRank> stuck;  // the first ones
  std::size_t count = 0;         // how many there are
  std::vector<int> ended;        // ranks that some of them wait for
};

inline constexpr std::size_t kMostRanksNamed = 16;

/// Several lines, each with `prefix`.
std::string text_of(const DeadlockReport& report, const std::string& prefix);

}  // namespace foldlane::engine
