// The tables of a report's page.
#pragma once

#include <string>
#include <vector>

#include "bench/report/groups.hpp"
#include "bench/report/report.hpp"

namespace foldlane::bench {

/// What a check found, "" if it is as it should be. That a peer adds up in another order is no fault.
std::string fault_of(const Figure& figure);

/// Geometric means, a row per call.
std::string summary_table(const Report& report);

/// Every figure of a group, a row per size.
std::string figure_table(const Group& group, const std::vector<std::string>& implementations);

}  // namespace foldlane::bench
