#include "engine/groups/hierarchy.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>

namespace foldlane::engine {
namespace {

bool contains(const Members& group, int member) { return member >= group.first && member < group.end(); }

/// The values of `group` out of those that its children bring.
std::vector<Hierarchy::Output> outputs_of(const Members& group, const std::vector<Members>& sources,
                                          int ranks) {
  std::vector<Hierarchy::Output> outputs;
  for (const Members& subtree : subtrees_of(group, ranks)) {
    const auto first = std::find_if(sources.begin(), sources.end(),
                                    [&](const Members& source) { return source.first == subtree.first; });
    const auto end = std::find_if(first, sources.end(),
                                  [&](const Members& source) { return source.first >= subtree.end(); });
    outputs.push_back(
        {static_cast<std::size_t>(first - sources.begin()), SubtreeFold(std::span(first, end))});
  }
  return outputs;
}

}  // namespace

Hierarchy::Hierarchy(Groups groups, int ranks, int rank) : groups_(std::move(groups)), ranks_(ranks) {
  for (std::size_t level = 0; level <= groups_.levels.size(); ++level) {
    const auto all = groups_at(level);
    const auto own =
        std::find_if(all.begin(), all.end(), [&](const Members& g) { return contains(g, rank); });
    phases_.push_back(make_phase(*own, level, rank));
  }
}

/// The groups that combine in phase `level`: in the last one, all members.
std::vector<Members> Hierarchy::groups_at(std::size_t level) const {
  if (level < groups_.levels.size()) return groups_.levels[level];
  return {{0, ranks_}};
}

std::vector<Members> Hierarchy::children_of(const Members& group, std::size_t level) const {
  std::vector<Members> children;
  if (level == 0) {
    for (int member = group.first; member < group.end(); ++member) children.push_back({member, 1});
  } else {
    std::copy_if(groups_.levels[level - 1].begin(), groups_.levels[level - 1].end(),
                 std::back_inserter(children),
                 [&](const Members& child) { return contains(group, child.first); });
  }
  return children;
}

Hierarchy::Phase Hierarchy::make_phase(const Members& group, std::size_t level, int rank) const {
  Phase phase{};
  phase.children = children_of(group, level);
  std::vector<Members> sources;
  for (std::size_t child = 0; child < phase.children.size(); ++child) {
    const auto subtrees = subtrees_of(phase.children[child], ranks_);
    sources.insert(sources.end(), subtrees.begin(), subtrees.end());
    phase.sources.push_back(static_cast<int>(subtrees.size()));
    if (!contains(phase.children[child], rank)) continue;
    phase.index = static_cast<int>(child);
    phase.leads_child = phase.children[child].first == rank;
  }
  phase.outputs = outputs_of(group, sources, ranks_);
  set_width(phase, level);
  if (level == groups_.levels.size()) set_owners_of_last(phase);
  find_peers(phase, level);
  return phase;
}

/// As many children work as every group of the level has.
void Hierarchy::set_width(Phase& phase, std::size_t level) const {
  std::size_t width = phase.children.size();
  for (const Members& group : groups_at(level)) {
    width = std::min(width, children_of(group, level).size());
    phase.most_outputs = std::max(phase.most_outputs, subtrees_of(group, ranks_).size());
  }
  phase.owners.resize(width);
  std::iota(phase.owners.begin(), phase.owners.end(), 0);
}

/// What crosses between the outermost groups for each byte of the vector: folded everywhere, every value goes
/// everywhere; folded by an owner, the other groups' values go there and the result comes back. That is less
/// if there are more than two groups or several values per group, and then the cheapest owners share it.
void Hierarchy::set_owners_of_last(Phase& phase) const {
  const auto groups = static_cast<int>(phase.sources.size());
  const int values = std::accumulate(phase.sources.begin(), phase.sources.end(), 0);
  const int most = *std::max_element(phase.sources.begin(), phase.sources.end());
  phase.everybody = values * (groups - 1) <= values - most + groups - 1;
  std::erase_if(phase.owners,
                [&](int owner) { return phase.sources[static_cast<std::size_t>(owner)] != most; });
}

/// A member has peers in phase `level` if it got a part in all phases before.
void Hierarchy::find_peers(Phase& phase, std::size_t level) const {
  for (const Phase& before : phases_) {
    if (before.index >= static_cast<int>(before.owners.size())) return;
  }
  for (Members child : phase.children) {
    for (std::size_t below = level; below-- > 0;)
      child = children_of(child, below)[static_cast<std::size_t>(phases_[below].index)];
    phase.peers.push_back(child.first);
  }
}

std::size_t Hierarchy::part_of(std::size_t at, int child) const {
  const Phase& phase = phases_[at];
  if (phase.everybody) return 0;
  const auto owner = std::find(phase.owners.begin(), phase.owners.end(), child);
  const auto parts = phase.owners.size();
  if (owner == phase.owners.end()) return parts;
  std::size_t turn = 0;
  for (std::size_t below = 0; below < at; ++below) turn += static_cast<std::size_t>(phases_[below].index);
  return (static_cast<std::size_t>(owner - phase.owners.begin()) + parts - turn % parts) % parts;
}

std::size_t Hierarchy::most_values() const {
  std::size_t most = 1;
  for (std::size_t at = 0; at + 1 < phases_.size(); ++at) most = std::max(most, phases_[at].most_outputs);
  return most;
}

}  // namespace foldlane::engine
