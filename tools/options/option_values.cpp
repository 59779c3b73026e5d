#include "options/option_values.hpp"

#include <fmt/format.h>

#include <map>

#include "api/core/checks.hpp"

namespace foldlane::tools {
namespace {

using shm::BindTo;

const std::map<std::string, BindTo> kBindings{
    {"auto", BindTo::automatic}, {"none", BindTo::none},         {"slice", BindTo::slice},
    {"core", BindTo::core},      {"hwthread", BindTo::hwthread}, {"l3", BindTo::llc},
    {"numa", BindTo::numa},      {"socket", BindTo::package},    {"package", BindTo::package}};

constexpr char kJsonFile[] = "json:";

}  // namespace

shm::BindTo binding_named(const std::string& name) {
  const auto found = kBindings.find(name);
  if (found == kBindings.end()) {
    throw Stop{
        2, fmt::format("foldlane: cannot bind to '{}'; choose auto, none, slice, core, hwthread, l3, numa, "
                       "socket or package",
                       name)};
  }
  return found->second;
}

StatisticsOptions statistics_named(const std::string& how) {
  using Format = StatisticsOptions::Format;
  if (how.empty()) return {Format::text, {}};
  if (how == "json") return {Format::json, {}};
  if (how.size() > sizeof kJsonFile - 1 && how.rfind(kJsonFile, 0) == 0)
    return {Format::json, how.substr(sizeof kJsonFile - 1)};
  throw Stop{2, fmt::format("foldlane: --stats={} is none of --stats, --stats=json, --stats=json:FILE", how)};
}

std::string checks_named(const std::string& names) {
  if (const auto known = api::Checks::parse(names); !known.ok())
    throw Stop{2, fmt::format("foldlane: --check {}: {}", names, known.error().message)};
  return names;
}

}  // namespace foldlane::tools
