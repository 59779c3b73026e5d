// The cases of a report by what they have in common but their size, and each group's charts.
#pragma once

#include <string>
#include <vector>

#include "bench/present/chart.hpp"
#include "bench/report/report.hpp"

namespace foldlane::bench {

struct Group {
  Case what;                             // its bytes mean nothing
  std::vector<const CaseResult*> cases;  // by rising size; they live in the report
};

/// In the order in which the groups first occur.
std::vector<Group> groups_of(const Report& report);

bool has_several_sizes(const Group& group);

/// "double, sum, 2 ranks, hot buffers"
std::string details_of(const Case& what);

/// "foldlane", the peers, and who else has figures.
std::vector<std::string> implementations_of(const Report& report);

/// The figure of `who`, or nullptr.
const Figure* figure_of(const CaseResult& result, const std::string& who);

inline const Figure* own_figure(const CaseResult& result) { return figure_of(result, "foldlane"); }

/// Whether there is anything to tell about a case: a run may have ended before it.
inline bool was_tried(const CaseResult& result) {
  return !result.figures.empty() || !result.not_supported_by.empty();
}

/// "not supported by openmpi", or "" if `who` has the call.
std::string support_text(const CaseResult& result, const std::string& who);

/// Time per call against size, with every limit.
Chart time_chart(const Group& group, const std::vector<std::string>& implementations);

/// Size by time against size, with the limit that binds.
Chart bandwidth_chart(const Group& group, const std::vector<std::string>& implementations);

}  // namespace foldlane::bench
