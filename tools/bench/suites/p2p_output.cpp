#include "bench/suites/p2p_output.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "bench/present/wording.hpp"
#include "bench/report/case_name.hpp"
#include "bench/report/report_json.hpp"
#include "bench/suites/blocks.hpp"
#include "bench/suites/p2p.hpp"

namespace foldlane::bench {
namespace {

std::string time_text(const Case&, double microseconds) { return three_digits(microseconds); }

/// A call of the summary, and what of its time is shown.
struct Shown {
  const char* call;
  const char* heading;
  const char* unit;
  std::string (*text)(const Case&, double microseconds);
};

constexpr Shown kRoundTrips{"pingpong", "Half a round trip of MPI_Send and MPI_Recv", "us", time_text};
constexpr Shown kStreams{
    "stream", "Messages one way by MPI_Isend, MPI_Irecv, MPI_Waitall, up to 64 in flight", "rate", flow_text};

std::string peer_text(const BestPeer& peer) {
  return peer.options.empty() ? peer.name : fmt::format("{} {}", peer.name, peer.options);
}

std::vector<std::string> line_of(const Shown& shown, const CaseResult& result) {
  const Case& what = result.what;
  const Figure* const ours = own_figure(result);
  const std::optional<BestPeer> best = best_peer_of(result);
  return {size_text(what.bytes),
          ranks_text(what),
          name_of(what.buffers),
          ours != nullptr ? shown.text(what, ours->time.value) : "not supported",
          bound_text(result),
          best ? shown.text(what, best->time) : "-",
          best && best->ratio ? ratio_text(*best->ratio) : "-",
          best ? peer_text(*best) : "-"};
}

Block block_of(const Shown& shown, const Report& report) {
  Block block{shown.heading,
              {{"size", "", "buffers", fmt::format("ours, {}", shown.unit), "x limit",
                fmt::format("best peer, {}", shown.unit), "its time / ours", "best peer"}}};
  for (const CaseResult& result : report.cases)
    if (result.what.call == shown.call && was_tried(result)) block.lines.push_back(line_of(shown, result));
  return block;
}

std::string mean_text(const std::optional<Estimate>& mean) { return mean ? ratio_text(*mean) : "-"; }

Block means_block(const Report& report) {
  const std::string small = size_text(kSmallMessage);
  Block block{"The best peer's time / ours by size, geometric means", {{"call", "up to " + small, "above"}}};
  for (const SizeMeans& mean : means_by_size(report))
    block.lines.push_back({mean.call, mean_text(mean.small), mean_text(mean.large)});
  return block;
}

std::vector<Block> blocks_of(const Report& report) {
  return {block_of(kRoundTrips, report), block_of(kStreams, report), means_block(report)};
}

nlohmann::json estimate_or_null(const std::optional<Estimate>& estimate) {
  return estimate ? to_json(*estimate) : nlohmann::json();
}

}  // namespace

std::string p2p_table(const Report& report, bool colour) { return text_of(blocks_of(report), colour); }

std::string p2p_markdown(const Report& report) { return markdown_of(blocks_of(report)); }

nlohmann::json p2p_json(const Report& report) {
  nlohmann::json means = nlohmann::json::object();
  for (const SizeMeans& mean : means_by_size(report))
    means[mean.call] = {{"small", estimate_or_null(mean.small)}, {"large", estimate_or_null(mean.large)}};
  return {{"small_up_to", kSmallMessage}, {"geometric_means", means}};
}

}  // namespace foldlane::bench
