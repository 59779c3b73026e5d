// What `--under` prints and writes beside the cases.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "bench/report/report.hpp"

namespace foldlane::bench {

/// Nothing where nothing was under anything.
std::string under_table(const Report& report, bool colour);
std::string under_markdown(const Report& report);
nlohmann::json under_json(const Report& report);

}  // namespace foldlane::bench
