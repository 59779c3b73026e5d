// The summary of `--suite p2p` as text, Markdown and JSON: half round trips and rates of messages by size.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "bench/report/report.hpp"

namespace foldlane::bench {

std::string p2p_table(const Report& report, bool colour);
std::string p2p_markdown(const Report& report);
nlohmann::json p2p_json(const Report& report);

}  // namespace foldlane::bench
