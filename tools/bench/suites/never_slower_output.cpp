#include "bench/suites/never_slower_output.hpp"

#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "bench/report/by_distance.hpp"
#include "bench/report/report_json.hpp"
#include "bench/suites/blocks.hpp"

namespace foldlane::bench {
namespace {

using Part = std::pair<const char*, const Tally*>;

std::array<Part, 3> parts_of(const NeverSlower& found) {
  return {{{"all", &found.all}, {"near", &found.near}, {"far", &found.far}}};
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

std::vector<Block> blocks_of(const NeverSlower& found, Peers peers) {
  return {counts_of(found), contests_of(found, "Slower than the best peer", &Tally::slower, peers),
          contests_of(found, "Undecided: 1 lies in the interval, which is wider than ±3 % or of few rounds",
                      &Tally::undecided, peers),
          means_of(found)};
}

/// Wide ones are many and no reason to worry: they are counted here, and named in JSON.
std::string meanings() {
  return fmt::format(
      "wide: faster, but the interval is wider than ±3 %\n"
      "near: rounds beside which the handoff was below {:.0f} ns; far: the others",
      kNearHandoff * 1000);
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
  return fmt::format("{}\n{}\n", text_of(blocks_of(found, Peers::by_name), colour), meanings());
}

std::string markdown(const NeverSlower& found) {
  return fmt::format("{}\n{}\n", markdown_of(blocks_of(found, Peers::with_options)), meanings());
}

nlohmann::json to_json(const NeverSlower& found) {
  nlohmann::json object{{"cases", found.cases}};
  for (const auto& [name, tally] : parts_of(found)) object[name] = tally_json(*tally);
  return object;
}

}  // namespace foldlane::bench
