#include "bench/suites/never_slower_output.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "bench/present/cells.hpp"
#include "bench/present/text_output.hpp"
#include "bench/report/by_distance.hpp"
#include "bench/report/report_json.hpp"

namespace foldlane::bench {
namespace {

using Line = std::vector<std::string>;

struct Block {
  std::string heading;
  std::vector<Line> lines;  // the first one has the titles
};

using Part = std::pair<const char*, const Tally*>;

std::array<Part, 3> parts_of(const NeverSlower& found) {
  return {{{"all", &found.all}, {"near", &found.near}, {"far", &found.far}}};
}

std::string ratio_text(const Estimate& ratio) {
  return fmt::format("{:.3f} [{:.3f} .. {:.3f}]", ratio.value, ratio.low, ratio.high);
}

Block counts_of(const NeverSlower& found) {
  Block block{
      fmt::format("Never slower than the best peer? {} case{}", found.cases, found.cases == 1 ? "" : "s"),
      {{"rounds", "compared", "slower", "undecided", "wide"}}};
  for (const auto& [name, tally] : parts_of(found))
    block.lines.push_back({name, fmt::format("{}", tally->compared), fmt::format("{}", tally->slower.size()),
                           fmt::format("{}", tally->undecided.size()),
                           fmt::format("{}", tally->wide.size())});
  return block;
}

/// Options may be longer than a terminal is wide.
enum class Peers : std::uint8_t { by_name, with_options };

std::string peer_of(const Contest& contest, Peers peers) {
  if (peers == Peers::by_name) return contest.peer;
  return contest.options.empty() ? contest.peer : fmt::format("{} {}", contest.peer, contest.options);
}

void add(const std::vector<Contest>& contests, const char* part, Peers peers, Block& block) {
  for (const Contest& contest : contests)
    block.lines.push_back({part, contest.name, ratio_text(contest.ratio), peer_of(contest, peers)});
}

Block contests_of(const NeverSlower& found, const char* heading, std::vector<Contest> Tally::*contests,
                  Peers peers) {
  Block block{heading, {{"rounds", "case", "its time / ours", "best peer"}}};
  for (const auto& [name, tally] : parts_of(found)) add(tally->*contests, name, peers, block);
  return block;
}

std::string mean_text(const Tally& tally, const std::string& call) {
  for (const CallMean& mean : tally.means)
    if (mean.call == call) return ratio_text(mean.ratio);
  return "-";
}

Block means_of(const NeverSlower& found) {
  Block block{"The best peer's time / ours, geometric means", {{"call", "all", "near", "far"}}};
  for (const CallMean& mean : found.all.means)
    block.lines.push_back({mean.call, ratio_text(mean.ratio), mean_text(found.near, mean.call),
                           mean_text(found.far, mean.call)});
  return block;
}

/// Those that have anything to say.
std::vector<Block> blocks_of(const NeverSlower& found, Peers peers) {
  std::vector<Block> blocks{counts_of(found),
                            contests_of(found, "Slower than the best peer", &Tally::slower, peers),
                            contests_of(found, "Undecided: 1 lies in the interval, which is wider than ±3 %",
                                        &Tally::undecided, peers),
                            means_of(found)};
  std::erase_if(blocks, [](const Block& block) { return block.lines.size() == 1; });
  return blocks;
}

/// Wide ones are many and no reason to worry: they are counted here, and named in JSON.
std::string meanings() {
  return fmt::format(
      "wide: faster, but the interval is wider than ±3 %\n"
      "near: rounds beside which the handoff was below {:.0f} ns; far: the others",
      kNearHandoff * 1000);
}

std::string text_of(const Block& block, bool colour) {
  std::vector<Column> columns(block.lines.front().size(), Column{2, false});
  columns.front().gap = 0;
  std::vector<Row> rows;
  for (const Line& line : block.lines) {
    Row& row = rows.emplace_back();
    for (const std::string& text : line) row.push_back({text, rows.size() == 1 ? Paint::dim : Paint::none});
  }
  return fmt::format("\n{}\n{}", painted(block.heading, Paint::bold, colour), aligned(columns, rows, colour));
}

std::string markdown_of(const Block& block) {
  std::string text = fmt::format("\n### {}\n\n", markdown_text(block.heading));
  for (std::size_t i = 0; i < block.lines.size(); ++i) {
    Line line = block.lines[i];
    for (std::string& cell : line) cell = markdown_text(cell);
    text += fmt::format("| {} |\n", fmt::join(line, " | "));
    if (i == 0) text += fmt::format("| {} |\n", fmt::join(Line(line.size(), "---"), " | "));
  }
  return text;
}

nlohmann::json contests_json(const std::vector<Contest>& contests) {
  nlohmann::json list = nlohmann::json::array();
  for (const Contest& contest : contests)
    list.push_back({{"case", contest.name},
                    {"peer", contest.peer},
                    {"options", contest.options},
                    {"ratio", to_json(contest.ratio)}});
  return list;
}

nlohmann::json tally_json(const Tally& tally) {
  nlohmann::json means = nlohmann::json::object();
  for (const CallMean& mean : tally.means) means[mean.call] = to_json(mean.ratio);
  return {{"compared", tally.compared},
          {"slower", contests_json(tally.slower)},
          {"undecided", contests_json(tally.undecided)},
          {"wide", contests_json(tally.wide)},
          {"geometric_means", means}};
}

}  // namespace

std::string table(const NeverSlower& found, bool colour) {
  std::string text;
  for (const Block& block : blocks_of(found, Peers::by_name)) text += text_of(block, colour);
  return fmt::format("{}\n{}\n", text, meanings());
}

std::string markdown(const NeverSlower& found) {
  std::string text;
  for (const Block& block : blocks_of(found, Peers::with_options)) text += markdown_of(block);
  return fmt::format("{}\n{}\n", text, meanings());
}

nlohmann::json to_json(const NeverSlower& found) {
  nlohmann::json object{{"cases", found.cases}};
  for (const auto& [name, tally] : parts_of(found)) object[name] = tally_json(*tally);
  return object;
}

}  // namespace foldlane::bench
