#include <nlohmann/json.hpp>

#include "statistics/statistics_text.hpp"

namespace foldlane::tools {
namespace {

using Json = nlohmann::ordered_json;

Json routes_of(const RankCalls& calls) {
  Json routes = Json::object();
  for (std::size_t route = 0; route < engine::kRoutes; ++route)
    if (calls.routes[route] > 0)
      routes[std::string(name(static_cast<engine::Route>(route)))] = calls.routes[route];
  return routes;
}

Json json_of(const RankCalls& calls) {
  return {{"rank", calls.rank},
          {"calls", calls.calls},
          {"bytes", calls.bytes},
          {"seconds_inside", calls.inside},
          {"seconds_waiting", calls.waited},
          {"compared_calls", calls.compared},
          {"last_in_calls", calls.times_late},
          {"seconds_others_waited", calls.kept_waiting},
          {"direct_bytes", calls.direct_bytes},
          {"private_calls", calls.private_calls},
          {"private_bytes", calls.private_bytes},
          {"ways", routes_of(calls)}};
}

Json json_of(const CallStatistics& calls) {
  Json ranks = Json::array();
  for (const RankCalls& rank : calls.ranks) ranks.push_back(json_of(rank));
  return {{"call", calls.call},
          {"communicator", calls.communicator},
          {"members", calls.members},
          {"ranks", ranks}};
}

}  // namespace

std::string json_of(const JobStatistics& job) {
  Json calls = Json::array();
  for (const CallStatistics& each : job.calls) calls.push_back(json_of(each));
  const Json all = {{"ranks", job.cpus.size()}, {"seconds", job.seconds}, {"binding", job.binding},
                    {"cpus", job.cpus},         {"absent", job.absent},   {"calls", calls}};
  return all.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace foldlane::tools
