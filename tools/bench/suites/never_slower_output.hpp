// The summary of `--suite never-slower` as text, Markdown and JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "bench/suites/never_slower.hpp"

namespace foldlane::bench {

std::string table(const NeverSlower& found, bool colour);
std::string markdown(const NeverSlower& found);
nlohmann::json to_json(const NeverSlower& found);

}  // namespace foldlane::bench
