// The cases of a report by what they have in common but their size, and each group's charts.
#pragma once

#include <string>
#include <vector>

#include "bench/chart.hpp"
#include "bench/report.hpp"

namespace foldlane::bench {

struct Group {
  Case what;                             // its bytes mean nothing
  std::vector<const CaseResult*> cases;  // by rising size; they live in the report
};

/// In the order in which the groups first occur.
std::vector<Group> groups_of(const Report& report);

bool has_several_sizes(const Group& group);

/// Whether a call combines elements; for the others an operation would be noise.
bool combines(const std::string& call);

/// "double, sum, 2 ranks, hot buffers"
std::string details_of(const Case& what);

/// "foldlane", the peers, and who else has figures.
std::vector<std::string> implementations_of(const Report& report);

/// The figure of `who`, or nullptr.
const Figure* figure_of(const CaseResult& result, const std::string& who);

/// Time per call against size, with every limit.
Chart time_chart(const Group& group, const std::vector<std::string>& implementations);

/// Size by time against size, with the limit that binds.
Chart bandwidth_chart(const Group& group, const std::vector<std::string>& implementations);

}  // namespace foldlane::bench
