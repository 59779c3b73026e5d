#include "statistics/statistics_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <vector>

namespace foldlane::tools {
namespace {

/// 1,000
std::string counted(std::uint64_t number) {
  std::string text = std::to_string(number);
  for (std::size_t end = text.size(); end > 3; end -= 3) text.insert(end - 3, 1, ',');
  return text;
}

std::string counted(std::uint64_t number, const char* things) {
  return fmt::format("{} {}{}", counted(number), things, number == 1 ? "" : "s");
}

std::string bytes_text(double bytes) {
  constexpr const char* kUnits[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
  std::size_t unit = 0;
  for (; bytes >= (unit == 0 ? 10240 : 1024) && unit + 1 < std::size(kUnits); ++unit) bytes /= 1024;
  return unit == 0 ? fmt::format("{:.0f} {}", bytes, kUnits[unit])
                   : fmt::format("{:.1f} {}", bytes, kUnits[unit]);
}

std::string seconds_text(double seconds) {
  if (seconds >= 1) return fmt::format("{:.3f} s", seconds);
  if (seconds >= 1e-3) return fmt::format("{:.3f} ms", seconds * 1e3);
  return fmt::format("{:.1f} us", seconds * 1e6);
}

std::string percent(double part, double whole) {
  return fmt::format("{:.1f} %", whole > 0 ? 100 * part / whole : 0);
}

/// "1.2 s per rank (1.1 s to 1.3 s)"
std::string per_rank(const CallStatistics& calls, double RankCalls::*time) {
  const auto less = [&](const RankCalls& a, const RankCalls& b) { return a.*time < b.*time; };
  const auto [least, most] = std::minmax_element(calls.ranks.begin(), calls.ranks.end(), less);
  const double mean = total(calls, time) / static_cast<double>(calls.ranks.size());
  const std::string text = seconds_text(mean) + " per rank";
  if (calls.ranks.size() == 1) return text;
  return fmt::format("{} ({} to {})", text, seconds_text((*least).*time), seconds_text((*most).*time));
}

std::string head_of(const CallStatistics& calls) {
  const std::uint64_t count = total(calls, &RankCalls::calls);
  const double bytes = static_cast<double>(total(calls, &RankCalls::bytes)) / static_cast<double>(count);
  const std::string size = calls.members > 0 ? fmt::format(" ({})", counted(calls.members, "rank")) : "";
  return fmt::format("{} on {}{}: {} of {}, {} each\n", calls.call, calls.communicator, size,
                     counted(count, "call"), counted(calls.ranks.size(), "rank"), bytes_text(bytes));
}

/// Whom others waited for longest; nothing if nobody did.
std::string lateness_of(const CallStatistics& calls) {
  const auto kept_less = [](const RankCalls& a, const RankCalls& b) {
    return a.kept_waiting < b.kept_waiting;
  };
  const RankCalls& late = *std::max_element(calls.ranks.begin(), calls.ranks.end(), kept_less);
  if (late.times_late == 0) return {};
  return fmt::format("    rank {} was last in {} of {} on {}; the others waited {} for it, all together\n",
                     late.rank, counted(late.times_late),
                     counted(late.compared, "call") + " of " + calls.call, calls.communicator,
                     seconds_text(late.kept_waiting));
}

/// Calls that were too far away from each other, or whose rank has died, say nothing about waiting.
std::string not_compared(const CallStatistics& calls) {
  const std::uint64_t count = total(calls, &RankCalls::calls) - total(calls, &RankCalls::compared);
  if (count == 0 || calls.members == 1) return {};
  return fmt::format("    {} could not be compared with those of the other ranks\n", counted(count, "call"));
}

std::string waiting_of(const CallStatistics& calls) {
  if (total(calls, &RankCalls::compared) == 0) return not_compared(calls);
  return fmt::format("    waiting  {} of that for ranks that came later\n{}{}",
                     per_rank(calls, &RankCalls::waited), lateness_of(calls), not_compared(calls));
}

std::string routes_of(const CallStatistics& calls) {
  std::vector<std::string> parts;
  for (std::size_t route = 0; route < engine::kRoutes; ++route) {
    std::uint64_t count = 0;
    for (const RankCalls& rank : calls.ranks) count += rank.routes[route];
    if (count > 0)
      parts.push_back(fmt::format("{} {}", counted(count), name(static_cast<engine::Route>(route))));
  }
  return fmt::format("    ways     {}\n", fmt::join(parts, ", "));
}

/// What the way straight between buffers has saved, or would have.
std::string heap_of(const CallStatistics& calls) {
  std::string text;
  if (const auto bytes = total(calls, &RankCalls::direct_bytes); bytes > 0)
    text += fmt::format("    direct   {} were not copied through shared memory\n",
                        bytes_text(static_cast<double>(bytes)));
  if (const auto count = total(calls, &RankCalls::private_calls); count > 0) {
    text += fmt::format(
        "    private  {} in {} were copied through shared memory; in memory of MPI_Alloc_mem, or of malloc "
        "with --shared-heap, they would not have been\n",
        bytes_text(static_cast<double>(total(calls, &RankCalls::private_bytes))), counted(count, "call"));
  }
  return text;
}

std::string block_of(const CallStatistics& calls) {
  return head_of(calls) + fmt::format("    inside   {}\n", per_rank(calls, &RankCalls::inside)) +
         waiting_of(calls) + routes_of(calls) + heap_of(calls);
}

std::string binding_of(const JobStatistics& job) {
  std::string text = job.binding;
  const char* separator = ": ";
  for (std::size_t rank = 0; rank < job.cpus.size(); ++rank) {
    if (job.cpus[rank].empty()) continue;
    text += fmt::format("{}rank {} to {}", separator, rank, job.cpus[rank]);
    separator = "; ";
  }
  return text;
}

std::string share_of_calls(const JobStatistics& job) {
  double inside = 0, waited = 0;
  for (const CallStatistics& calls : job.calls) {
    inside += total(calls, &RankCalls::inside);
    waited += total(calls, &RankCalls::waited);
  }
  const double time = job.seconds * static_cast<double>(job.cpus.size());
  return fmt::format("{} of it in collective calls{}, {} waiting there for ranks that came later",
                     percent(inside, time), inside > time ? " of several threads" : "",
                     percent(waited, time));
}

/// Why there is nothing, or not everything.
std::string missing_of(const JobStatistics& job) {
  if (job.absent.size() == job.cpus.size()) return "no statistics: no rank has called MPI_Init\n";
  if (job.calls.empty()) return "no statistics: no collective call has been completed\n";
  if (job.absent.empty()) return {};
  return fmt::format("no statistics of rank {}, which never called MPI_Init\n", fmt::join(job.absent, ", "));
}

}  // namespace

std::string text_of(const JobStatistics& job) {
  std::string text = fmt::format("foldlane: statistics of {} in {}", counted(job.cpus.size(), "rank"),
                                 seconds_text(job.seconds));
  if (!job.calls.empty()) text += ": " + share_of_calls(job);
  text += fmt::format("\n{}CPUs: {}\n", missing_of(job), binding_of(job));
  for (const CallStatistics& calls : job.calls) text += block_of(calls);
  return text;
}

}  // namespace foldlane::tools
