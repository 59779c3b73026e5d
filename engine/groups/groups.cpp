#include "engine/groups/groups.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace foldlane::engine {
namespace {

using Level = std::vector<Members>;

Level runs_of(std::span<const Seat> seats, int Seat::*shared) {
  Level runs;
  for (int member = 0; member < static_cast<int>(seats.size()); ++member) {
    const auto at = static_cast<std::size_t>(member);
    if (member == 0 || seats[at].*shared != seats[at - 1].*shared) runs.push_back({member, 0});
    ++runs.back().count;
  }
  return runs;
}

/// Whether each number stands in one run only.
bool is_contiguous(std::span<const Seat> seats, int Seat::*shared, const Level& runs) {
  std::vector<int> numbers;
  for (const Members& run : runs) numbers.push_back(seats[static_cast<std::size_t>(run.first)].*shared);
  std::sort(numbers.begin(), numbers.end());
  return std::adjacent_find(numbers.begin(), numbers.end()) == numbers.end();
}

/// Whether the groups pass on less than they take in: every one of them has several members, and fewer
/// subtrees than those.
bool is_worth_it(const Level& level, int ranks) {
  return level.size() > 1 && std::all_of(level.begin(), level.end(), [ranks](const Members& group) {
           return group.count > 1 && static_cast<int>(subtrees_of(group, ranks).size()) < group.count;
         });
}

/// Whether each run of `outer` is a union of runs of `inner`.
bool nests(const Level& inner, const Level& outer) {
  return std::all_of(outer.begin(), outer.end(), [&](const Members& group) {
    return std::any_of(inner.begin(), inner.end(),
                       [&](const Members& part) { return part.first == group.first; });
  });
}

void add_subtrees(const Members& node, const Members& range, std::vector<Members>& subtrees) {
  if (node.first >= range.end() || node.end() <= range.first) return;
  if (node.first >= range.first && node.end() <= range.end()) return subtrees.push_back(node);
  const auto left = static_cast<int>(std::bit_floor(static_cast<unsigned>(node.count - 1)));
  add_subtrees({node.first, left}, range, subtrees);
  add_subtrees({node.first + left, node.count - left}, range, subtrees);
}

}  // namespace

std::vector<Members> subtrees_of(const Members& range, int ranks) {
  std::vector<Members> subtrees;
  add_subtrees({0, ranks}, range, subtrees);
  return subtrees;
}

Groups groups_of(std::span<const Seat> seats, int most_flat) {
  const auto ranks = static_cast<int>(seats.size());
  if (ranks <= most_flat) return {{}, "few ranks"};
  const Level packages = runs_of(seats, &Seat::package);
  const Level caches = runs_of(seats, &Seat::llc);
  int Seat::*const inner_shared = caches.size() > packages.size() ? &Seat::llc : &Seat::numa;
  const Level inner = runs_of(seats, inner_shared);
  if (packages.size() == 1 && inner.size() == 1) return {{}, "all ranks share one cache and one package"};
  if (!is_contiguous(seats, inner_shared, inner) || !is_contiguous(seats, &Seat::package, packages))
    return {{}, "neighbouring ranks do not share caches or packages"};
  Groups groups{{}, "groups fold first, then exchange their partial results"};
  const bool outer_is_worth_it = is_worth_it(packages, ranks);
  if (inner.size() > packages.size() && is_worth_it(inner, ranks) &&
      (!outer_is_worth_it || nests(inner, packages)))
    groups.levels.push_back(inner);
  if (outer_is_worth_it) groups.levels.push_back(packages);
  if (groups.levels.empty()) groups.why = "groups of so few ranks would pass on as much as they read";
  return groups;
}

std::string describe(const Groups& groups) {
  if (groups.levels.empty()) return "no groups";
  std::string text;
  for (auto level = groups.levels.rbegin(); level != groups.levels.rend(); ++level) {
    const auto [least, most] = std::minmax_element(
        level->begin(), level->end(), [](const Members& a, const Members& b) { return a.count < b.count; });
    if (!text.empty()) text += ", ";
    text += fmt::format("{} groups of {}", level->size(), least->count);
    if (most->count != least->count) text += fmt::format("-{}", most->count);
  }
  return text;
}

}  // namespace foldlane::engine
