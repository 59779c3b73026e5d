#include "bench/suites/under_output.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "bench/report/report_json.hpp"
#include "bench/suites/blocks.hpp"
#include "bench/suites/under.hpp"

namespace foldlane::bench {
namespace {

std::vector<Block> blocks_under(const Report& report) {
  Block block{"Foldlane under other MPIs, geometric means over all sizes",
              {{"MPI", "call", "without / with", "with / Foldlane alone", "added to the smallest, ns"}}};
  for (const UnderMean& mean : under_means(report))
    block.lines.push_back({mean.host, mean.call, ratio_text(mean.gain), ratio_text(mean.overhead),
                           fmt::format("{:.0f}", mean.added_ns)});
  return {block};
}

}  // namespace

std::string under_table(const Report& report, bool colour) { return text_of(blocks_under(report), colour); }

std::string under_markdown(const Report& report) { return markdown_of(blocks_under(report)); }

nlohmann::json under_json(const Report& report) {
  nlohmann::json means = nlohmann::json::array();
  for (const UnderMean& mean : under_means(report))
    means.push_back({{"host", mean.host},
                     {"call", mean.call},
                     {"gain", to_json(mean.gain)},
                     {"overhead", to_json(mean.overhead)},
                     {"added_ns", mean.added_ns}});
  return means;
}

}  // namespace foldlane::bench
