// Foldlane's figures in the columns of the OSU micro-benchmarks' collective latency tests, for programs that
// read those: comment lines begin with '#', the size is on the left, the latency on the right.
#include <fmt/format.h>

#include <cctype>

#include "bench/present/text_output.hpp"
#include "bench/present/wording.hpp"
#include "bench/report/call_traits.hpp"

namespace foldlane::bench {
namespace {

constexpr int kSizeWidth = 10;
constexpr int kLatencyWidth = 18;

std::string capitalised(std::string call) {
  if (!call.empty()) call[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(call[0])));
  return call;
}

/// Two decimals as there; of short times two would be too few to compare.
std::string latency(double microseconds) {
  return fmt::format("{:.{}f}", microseconds, microseconds < 1 ? 4 : 2);
}

std::string block_of(const Group& group) {
  const bool sized = has_data(group.what.call);
  std::string text = fmt::format("# Foldlane: MPI {} Latency Test\n# {}; medians\n",
                                 capitalised(group.what.call), heading_of(group.what));
  text += sized ? fmt::format("# {:<{}}{:>{}}\n", "Size", kSizeWidth - 2, "Avg Latency(us)", kLatencyWidth)
                : "# Avg Latency(us)\n";
  for (const CaseResult* result : group.cases) {
    const Figure* ours = figure_of(*result, "foldlane");
    if (ours == nullptr) continue;
    const std::string size = sized ? fmt::format("{:<{}}", result->what.bytes, kSizeWidth) : "";
    text += fmt::format("{}{:>{}}\n", size, latency(ours->time.value), kLatencyWidth);
  }
  return text;
}

}  // namespace

std::string osu(const Report& report) {
  std::string text;
  for (const Group& group : groups_of(report)) {
    if (!text.empty()) text += "\n";
    text += block_of(group);
  }
  return text;
}

}  // namespace foldlane::bench
