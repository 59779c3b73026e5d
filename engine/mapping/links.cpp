#include "engine/mapping/links.hpp"

#include <algorithm>

namespace foldlane::engine {
namespace {

/// Both directions of each, by task and then by the other task, none twice.
std::vector<Edge> both_ways(std::span<const Edge> edges) {
  std::vector<Edge> all;
  all.reserve(2 * edges.size());
  for (const Edge& edge : edges) {
    if (edge.from == edge.to || edge.weight == 0) continue;
    all.push_back(edge);
    all.push_back({edge.to, edge.from, edge.weight});
  }
  std::sort(all.begin(), all.end(),
            [](const Edge& a, const Edge& b) { return a.from != b.from ? a.from < b.from : a.to < b.to; });
  std::size_t kept = 0;
  for (const Edge& edge : all) {
    const bool again = kept > 0 && all[kept - 1].from == edge.from && all[kept - 1].to == edge.to;
    if (again) {
      all[kept - 1].weight += edge.weight;
    } else {
      all[kept++] = edge;
    }
  }
  all.resize(kept);
  return all;
}

}  // namespace

Links::Links(int tasks, std::span<const Edge> edges) : first_(static_cast<std::size_t>(tasks) + 1) {
  for (const Edge& edge : both_ways(edges)) {
    ++first_[static_cast<std::size_t>(edge.from) + 1];
    links_.push_back({edge.to, static_cast<std::int64_t>(edge.weight)});
  }
  for (std::size_t task = 1; task < first_.size(); ++task) first_[task] += first_[task - 1];
}

std::int64_t Links::between(int one, int other) const {
  const std::span<const Link> links = of(one);
  const auto found = std::lower_bound(links.begin(), links.end(), other,
                                      [](const Link& link, int task) { return link.to < task; });
  return found != links.end() && found->to == other ? found->weight : 0;
}

}  // namespace foldlane::engine
