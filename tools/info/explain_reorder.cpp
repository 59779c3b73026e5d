#include "info/explain_reorder.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <map>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "engine/mapping/mapping.hpp"
#include "shm/segment/layout.hpp"

namespace foldlane::tools {
namespace {

/// Only a distributed graph has weights.
engine::Edge edge_of(const std::string& line, const std::string& place, bool has_weights) {
  std::istringstream words(line);
  std::int64_t from = -1, to = -1, weight = 1;
  words >> from >> to;
  const bool has_ends = !words.fail();
  if (has_ends && has_weights && !(words >> weight) && !words.eof()) weight = -1;
  std::string more;
  const bool is_node = from >= 0 && to >= 0 && std::max(from, to) < std::int64_t{shm::kMaxRanks};
  if (!has_ends || !is_node || weight < 0 || weight > std::numeric_limits<int>::max() || words >> more) {
    throw std::runtime_error(fmt::format("{}: '{}' is not FROM TO{}; ranks are 0 to {}", place, line,
                                         has_weights ? " or FROM TO WEIGHT" : "", shm::kMaxRanks - 1));
  }
  return {static_cast<int>(from), static_cast<int>(to), static_cast<std::uint64_t>(weight)};
}

std::vector<engine::Edge> read_edges(const ReorderQuestion& question) {
  std::ifstream file(question.edges);
  if (!file) throw std::runtime_error(fmt::format("cannot read the edges in '{}'", question.edges));
  std::vector<engine::Edge> edges;
  std::string line;
  for (int number = 1; std::getline(file, line); ++number)
    if (line.find_first_not_of(" \t\r") != std::string::npos)
      edges.push_back(
          edge_of(line, fmt::format("{}:{}", question.edges, number), question.call == kDistGraphCall));
  return edges;
}

/// "1,0,1" for three.
bool is_list_of_periods(const std::string& text, std::size_t dimensions) {
  bool is_list = text.size() + 1 == 2 * dimensions;
  for (std::size_t i = 0; is_list && i < text.size(); ++i)
    is_list = i % 2 == 0 ? text[i] == '0' || text[i] == '1' : text[i] == ',';
  return is_list;
}

engine::Grid grid_of(const ReorderQuestion& question) {
  const std::string& periodic = question.periodic;
  const bool in_all = periodic == ReorderQuestion::kInAll;
  if (!in_all && !periodic.empty() && !is_list_of_periods(periodic, question.dims.size()))
    throw std::runtime_error(fmt::format("--periodic takes 0 or 1 for each of {} dimensions, not '{}'",
                                         question.dims.size(), periodic));
  engine::Grid grid;
  for (std::size_t i = 0; i < question.dims.size(); ++i)
    grid.dimensions.push_back({question.dims[i], in_all || (!periodic.empty() && periodic[2 * i] == '1')});
  return grid;
}

std::string periods_text(const ReorderQuestion& question) {
  if (question.periodic.empty()) return "";
  return question.periodic == ReorderQuestion::kInAll ? ", periodic"
                                                      : fmt::format(", periodic {}", question.periodic);
}

int ranks_of(const std::vector<engine::Edge>& edges) {
  int ranks = 1;
  for (const engine::Edge& edge : edges) ranks = std::max({ranks, edge.from + 1, edge.to + 1});
  return ranks;
}

/// Seat by seat, one of each group in turn.
std::vector<engine::Seat> in_turns(const std::vector<engine::Seat>& seats, int engine::Seat::*shared) {
  std::map<int, int> given;
  std::vector<std::pair<int, engine::Seat>> turns;
  for (const engine::Seat& seat : seats) turns.emplace_back(given[seat.*shared]++, seat);
  std::stable_sort(turns.begin(), turns.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<engine::Seat> ordered;
  for (const auto& [turn, seat] : turns) ordered.push_back(seat);
  return ordered;
}

std::vector<engine::Seat> placed(const ReorderQuestion& question, const std::vector<engine::Seat>& seats) {
  if (question.round_robin == "package") return in_turns(seats, &engine::Seat::package);
  if (question.round_robin == "numa") return in_turns(seats, &engine::Seat::numa);
  return question.round_robin == "cache" ? in_turns(seats, &engine::Seat::llc) : seats;
}

std::string table_of(const engine::Mapping& mapping, std::uint64_t bytes) {
  const auto& [members, before, after] = mapping;
  std::string text =
      fmt::format("{:<20}{:>20}{:>20}\n", "bytes that cross", "ranks as they are", "reordered");
  const auto add = [&](const char* border, std::uint64_t as_they_are, std::uint64_t reordered) {
    text += fmt::format("{:<20}{:>20}{:>20}\n", border, as_they_are * bytes, reordered * bytes);
  };
  add("between packages", before.packages, after.packages);
  add("between NUMA nodes", before.numa_nodes, after.numa_nodes);
  add("between caches", before.caches, after.caches);
  if (before == after) text += "ranks stay as they are: nothing that was tried is better\n";
  return text;
}

}  // namespace

int ranks_of(const ReorderQuestion& question) {
  if (question.call != kGridCall) return ranks_of(read_edges(question));
  std::int64_t cells = 1;
  for (const int extent : question.dims) {
    cells *= extent;
    if (extent <= 0 || cells > std::int64_t{shm::kMaxRanks}) {
      throw std::runtime_error(fmt::format("a grid of {} has no ranks, or more than {}",
                                           fmt::join(question.dims, " x "), shm::kMaxRanks));
    }
  }
  return static_cast<int>(cells);
}

std::string explain_reorder(const ReorderQuestion& question, std::vector<engine::Seat> seats) {
  const auto ranks = seats.size();
  seats = placed(question, seats);
  const std::string where =
      question.round_robin.empty() ? "" : fmt::format(", placed round robin by {}", question.round_robin);
  if (question.call == kGridCall) {
    return fmt::format("{}: {}{}, {} ranks{}, {} bytes to each neighbour\n", question.call,
                       fmt::join(question.dims, " x "), periods_text(question), ranks, where,
                       question.bytes) +
           table_of(engine::map_grid(grid_of(question), seats), question.bytes);
  }
  const std::vector<engine::Edge> edges = read_edges(question);
  const bool is_distributed = question.call == kDistGraphCall;
  // Of a graph that all ranks know only its nodes get a rank.
  const int nodes = is_distributed ? static_cast<int>(ranks) : ranks_of(edges);
  return fmt::format("{}: {} edges, {} ranks{}, {} bytes along each{}\n", question.call, edges.size(), ranks,
                     where, question.bytes, is_distributed ? ", times its weight" : "") +
         table_of(engine::map_graph(nodes, edges, seats), question.bytes);
}

}  // namespace foldlane::tools
