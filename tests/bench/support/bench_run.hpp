// `foldlane bench` as its users see it, with a directory of its own for what it writes.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "subprocess.hpp"
#include "support/fake_tree.hpp"

namespace foldlane::bench {

using Words = std::vector<std::string>;

/// Little effort per case, no matter how wide the intervals become.
inline Words bench_command(Words arguments) {
  arguments.insert(arguments.begin(), {FOLDLANE_BIN "/foldlane", "bench"});
  arguments.insert(arguments.end(), {"--seconds", "0.01"});
  return arguments;
}

inline tests::CommandResult bench(const Words& arguments,
                                  const tests::Subprocess::Environment& environment = {}) {
  return tests::Subprocess(bench_command(arguments), {}, environment).wait();
}

/// The report that a run with `--json -` prints.
inline nlohmann::json report_of(const tests::CommandResult& result) {
  const nlohmann::json report = nlohmann::json::parse(result.out, nullptr, false);
  if (report.is_discarded()) throw std::runtime_error("no JSON: " + result.out + result.err);
  return report;
}

/// Of one case of a report.
inline nlohmann::json figure_of(const nlohmann::json& result, const std::string& who) {
  for (const nlohmann::json& figure : result.at("figures"))
    if (figure.at("who") == who) return figure;
  ADD_FAILURE() << "no figure of " << who << " in " << result.dump();
  return {};
}

/// Whether it is said that `who` does not have the call.
inline bool is_lacked_by(const nlohmann::json& result, const std::string& who) {
  const nlohmann::json lacking = result.value("not_supported_by", nlohmann::json::array());
  return std::find(lacking.begin(), lacking.end(), who) != lacking.end();
}

/// Of a file that a run has written.
inline std::string content_of(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

}  // namespace foldlane::bench
