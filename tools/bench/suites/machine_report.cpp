#include "bench/suites/machine_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>
#include <tuple>

#include "bench/process/child.hpp"
#include "bench/report/call_traits.hpp"
#include "bench/suite.hpp"
#include "shm/machine/topology.hpp"

namespace foldlane::bench {
namespace {

using nlohmann::json;

std::string output_of(const std::vector<std::string>& command) {
  const Finished run = run_to_end(command);
  if (run.code == 0) return run.output;
  throw std::runtime_error(
      fmt::format("\"{}\" ended with {}: {}", fmt::join(command, " "), run.code, run.output));
}

json cpus() {
  const auto topology = shm::discover_topology();
  if (!topology.ok()) throw std::runtime_error(topology.error().message);
  json list = json::array();
  for (const shm::Pu& pu : topology.value().pus)
    list.push_back({{"cpu", pu.os_index},
                    {"core", pu.core},
                    {"last_level_cache", pu.llc},
                    {"numa_node", pu.numa},
                    {"package", pu.package}});
  return list;
}

/// Without paths and environment, which are nobody's business.
json info(const std::string& command) {
  const json all = json::parse(output_of({command, "info", "--json"}));
  json result;
  for (const char* name : {"isa", "machine", "job", "memory"}) result[name] = all.at(name);
  return result;
}

/// Once for all kinds of buffers.
json plans(const Report& report, const std::string& command) {
  const std::vector<std::string> collectives = known_collectives();
  std::set<std::tuple<std::string, int, std::uint64_t>> seen;
  json list = json::array();
  for (const CaseResult& result : report.cases) {
    const Case& what = result.what;
    if (std::find(collectives.begin(), collectives.end(), collective_of(what.call)) == collectives.end())
      continue;
    if (!seen.insert({what.call, what.ranks, what.bytes}).second) continue;
    const std::string text = output_of(
        {command, "explain", what.call, "-n", std::to_string(what.ranks), "-b", std::to_string(what.bytes)});
    list.push_back({{"call", what.call}, {"ranks", what.ranks}, {"bytes", what.bytes}, {"text", text}});
  }
  return list;
}

}  // namespace

json machine_report(const Report& report, const std::string& command) {
  return {{"cpus", cpus()}, {"info", info(command)}, {"plans", plans(report, command)}};
}

std::string request_to_send(const std::string& path) {
  return fmt::format(
      "\nThe report is in {}. Please send that file to the developers of Foldlane:\n"
      "it shows them how Foldlane does on a machine like this one, which they may not have. It is text, and\n"
      "holds the machine's description, the command line, the warnings above and the figures; look into it\n"
      "before you send it.\n",
      path);
}

}  // namespace foldlane::bench
