// What `--suite report` says about the machine beyond the figures.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "bench/report/report.hpp"

namespace foldlane::bench {

/// "cpus": what each usable CPU shares with others. "info": what `foldlane info` says of instruction sets,
/// machine, waiting and memory. "plans": what `foldlane explain` says of each collective that was measured.
/// `command` is the path of foldlane. Throws std::runtime_error if one of these cannot be had.
nlohmann::json machine_report(const Report& report, const std::string& command);

/// What to do with the file.
std::string request_to_send(const std::string& path);

}  // namespace foldlane::bench
