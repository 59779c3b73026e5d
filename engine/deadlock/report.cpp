#include "engine/deadlock/report.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace foldlane::engine {
namespace {

std::string headline(const DeadlockReport& report) {
  const std::string who = fmt::format("{} rank{}", report.count, report.count == 1 ? "" : "s");
  const char* const each_other = report.count == 1 ? "itself" : "each other";
  const char* const ended = report.ended.empty() ? "" : ", or by ranks that have ended";
  if (report.is_certain)
    return fmt::format("deadlock: {} can only be released by {}{}", who, each_other, ended);
  return fmt::format("probably a deadlock: {} can only be released by {}{}, or by other threads", who,
                     each_other, ended);
}

}  // namespace

std::string text_of(const DeadlockReport& report, const std::string& prefix) {
  std::string text = prefix + headline(report) + "\n";
  for (const StuckRank& each : report.stuck) {
    text += fmt::format("{}  rank {}: {}, for {:.1f} s\n", prefix, each.rank, each.call, each.seconds);
    for (const std::string& hint : each.hints) text += fmt::format("{}          {}\n", prefix, hint);
  }
  if (report.count > report.stuck.size())
    text += fmt::format("{}  and {} more\n", prefix, report.count - report.stuck.size());
  for (std::size_t i = 0; i < std::min(report.ended.size(), kMostRanksNamed); ++i)
    text += fmt::format("{}  rank {}: has ended\n", prefix, report.ended[i]);
  if (report.ended.size() > kMostRanksNamed)
    text += fmt::format("{}  and {} more that have ended\n", prefix, report.ended.size() - kMostRanksNamed);
  return text;
}

}  // namespace foldlane::engine
