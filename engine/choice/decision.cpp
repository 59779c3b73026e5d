#include "engine/choice/decision.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <sstream>
#include <vector>

namespace foldlane::engine {

using shm::Errc;
using shm::Error;
using shm::Result;

namespace {

/// "slot-stores=plain|streaming".
std::string usage_of(const DecisionRow& row) {
  return fmt::format("{}={}", row.name, fmt::join(row.arms, "|"));
}

Error unknown(const std::string& part) {
  std::vector<std::string> known;
  std::transform(kDecisionRows.begin(), kDecisionRows.end(), std::back_inserter(known), usage_of);
  return {Errc::invalid, fmt::format("reading {}: there is no arm '{}'; known are {}", kArmsVariable, part,
                                     fmt::join(known, ", "))};
}

bool force(const std::string& part, ForcedArms& forced) {
  for (std::size_t decision = 0; decision < kDecisions; ++decision) {
    const DecisionRow& row = kDecisionRows[decision];
    for (const Arm arm : {Arm::first, Arm::second}) {
      if (part != fmt::format("{}={}", row.name, row.arms[static_cast<std::size_t>(arm)])) continue;
      forced[decision] = arm;
      return true;
    }
  }
  return false;
}

}  // namespace

Result<ForcedArms> parse_forced_arms(const std::string& text) {
  ForcedArms forced;
  std::istringstream parts(text);
  for (std::string part; std::getline(parts, part, ',');)
    if (!force(part, forced)) return unknown(part);
  return forced;
}

}  // namespace foldlane::engine
