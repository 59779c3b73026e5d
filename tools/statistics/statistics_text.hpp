// Statistics for people, and for programs.
#pragma once

#include <string>

#include "statistics/job_statistics.hpp"

namespace foldlane::tools {

/// Lines, each with its end.
std::string text_of(const JobStatistics& job);

/// One line of JSON.
std::string json_of(const JobStatistics& job);

}  // namespace foldlane::tools
