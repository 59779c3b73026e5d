// Is what the ranks have seen what MPI allows?
#pragma once

#include <optional>
#include <set>
#include <string>

#include "matching/log.hpp"
#include "matching/outcome.hpp"

namespace foldlane::matching {

/// Why not, or empty.
struct Verdict {
  std::string why;
  bool is_legal() const { return why.empty(); }
};

/// With all outcomes that are legal, if they are known, the observed one must be among them.
Verdict check(const Program& program, const std::vector<Log>& logs, const std::set<Outcome>* legal = nullptr);

/// What the ranks would write down if this was the outcome.
std::vector<Log> logs_of(const Program& program, const Outcome& outcome);

}  // namespace foldlane::matching
