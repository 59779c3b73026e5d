#include "engine/mapping/partition.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>

namespace foldlane::engine {
namespace {

/// What is left to gain after so many rounds is little.
constexpr int kRounds = 8;

void divide_into(Parts& parts, std::span<int> tasks, std::span<const std::size_t> sizes, const Cut& cut) {
  if (sizes.size() == 1) return static_cast<void>(parts.emplace_back(tasks.begin(), tasks.end()));
  const auto first = sizes.first(sizes.size() / 2), rest = sizes.subspan(first.size());
  const std::size_t count = std::accumulate(first.begin(), first.end(), std::size_t{0});
  cut(tasks, count);
  divide_into(parts, tasks.first(count), first, cut);
  divide_into(parts, tasks.subspan(count), rest, cut);
}

class Improvement {
 public:
  Improvement(const Parts& parts, const Links& links)
      : links_(links), parts_(parts.size()), part_of_(static_cast<std::size_t>(links.tasks()), kNone) {
    for (std::size_t part = 0; part < parts.size(); ++part) {
      tasks_.insert(tasks_.end(), parts[part].begin(), parts[part].end());
      for (const int task : parts[part]) part_of_[static_cast<std::size_t>(task)] = part;
    }
    ties_.resize(part_of_.size() * parts_);
    for (const int task : tasks_)
      for (const Links::Link& link : links.of(task))
        if (part_of(link.to) != kNone) tie(task, part_of(link.to)) += link.weight;
  }

  /// Whether it has changed anything.
  bool round() {
    bool changed = false;
    for (std::size_t at = 0; at < tasks_.size(); ++at) {
      std::int64_t most = 0;
      int best = -1;
      for (std::size_t other = at + 1; other < tasks_.size(); ++other) {
        const std::int64_t gain = gain_of(tasks_[at], tasks_[other]);
        if (gain <= most) continue;
        most = gain;
        best = tasks_[other];
      }
      if (best < 0) continue;
      swap(tasks_[at], best);
      changed = true;
    }
    return changed;
  }

  Parts parts() const {
    Parts parts(parts_);
    for (const int task : tasks_) parts[part_of(task)].push_back(task);
    for (auto& part : parts) std::sort(part.begin(), part.end());
    return parts;
  }

 private:
  static constexpr std::size_t kNone = ~std::size_t{0};

  std::size_t part_of(int task) const { return part_of_[static_cast<std::size_t>(task)]; }
  std::int64_t& tie(int task, std::size_t part) {
    return ties_[static_cast<std::size_t>(task) * parts_ + part];
  }

  /// How much less is between the parts once the two have changed places.
  std::int64_t gain_of(int one, int other) {
    const std::size_t here = part_of(one), there = part_of(other);
    if (here == there) return 0;
    const std::int64_t gain = tie(one, there) - tie(one, here) + tie(other, here) - tie(other, there);
    return gain <= 0 ? 0 : gain - 2 * links_.between(one, other);
  }

  void move(int task, std::size_t to) {
    for (const Links::Link& link : links_.of(task)) {
      if (part_of(link.to) == kNone) continue;
      tie(link.to, part_of(task)) -= link.weight;
      tie(link.to, to) += link.weight;
    }
    part_of_[static_cast<std::size_t>(task)] = to;
  }

  void swap(int one, int other) {
    const std::size_t here = part_of(one), there = part_of(other);
    move(one, there);
    move(other, here);
  }

  const Links& links_;
  std::size_t parts_;
  std::vector<std::size_t> part_of_;  // by task; none: it is elsewhere
  std::vector<int> tasks_;
  std::vector<std::int64_t> ties_;  // of each task to each part
};

}  // namespace

Parts divide(std::vector<int> tasks, std::span<const std::size_t> sizes, const Cut& cut) {
  Parts parts;
  divide_into(parts, tasks, sizes, cut);
  return parts;
}

void improve(Parts& parts, const Links& links) {
  Improvement improvement(parts, links);
  for (int round = 0; round < kRounds && improvement.round(); ++round) {
  }
  parts = improvement.parts();
}

}  // namespace foldlane::engine
