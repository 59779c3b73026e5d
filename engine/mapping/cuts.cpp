#include "engine/mapping/cuts.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace foldlane::engine {
namespace {

std::size_t index(int task) { return static_cast<std::size_t>(task); }

/// What connects the first `count` tasks with the others.
std::int64_t weight_of_cut(std::span<const int> tasks, std::size_t count, const Links& links) {
  std::vector<bool> is_other(index(links.tasks()));
  for (const int task : tasks.subspan(count)) is_other[index(task)] = true;
  std::int64_t weight = 0;
  for (const int task : tasks.first(count))
    for (const Links::Link& link : links.of(task))
      if (is_other[index(link.to)]) weight += link.weight;
  return weight;
}

/// A half that grows.
class Growth {
 public:
  Growth(std::span<const int> tasks, const Links& links)
      : tasks_(tasks), links_(links), states_(index(links.tasks()), State::absent), gains_(states_.size()) {
    for (const int task : tasks) states_[index(task)] = State::free;
    for (const int task : tasks)
      for (const Links::Link& link : links.of(task))
        if (states_[index(link.to)] != State::absent) gains_[index(task)] -= link.weight;
  }

  void grow(std::size_t count) {
    take(at_the_end());
    for (std::size_t taken = 1; taken < count; ++taken) take(best());
  }
  bool has(int task) const { return states_[index(task)] == State::taken; }

 private:
  enum class State : std::uint8_t { absent, free, taken };

  void take(int task) {
    states_[index(task)] = State::taken;
    for (const Links::Link& link : links_.of(task)) gains_[index(link.to)] += 2 * link.weight;
  }

  /// Of those that cut least, the first.
  int best() const {
    int best = -1;
    for (const int task : tasks_) {
      if (states_[index(task)] != State::free) continue;
      if (best < 0 || gains_[index(task)] > gains_[index(best)]) best = task;
    }
    return best;
  }

  /// As far from the first task as can be reached.
  int at_the_end() const {
    std::vector<int> reached{tasks_.front()};
    std::vector<bool> is_reached(states_.size());
    is_reached[index(reached.front())] = true;
    for (std::size_t at = 0; at < reached.size(); ++at) {
      for (const Links::Link& link : links_.of(reached[at])) {
        if (states_[index(link.to)] == State::absent || is_reached[index(link.to)]) continue;
        is_reached[index(link.to)] = true;
        reached.push_back(link.to);
      }
    }
    return reached.back();
  }

  std::span<const int> tasks_;
  const Links& links_;
  std::vector<State> states_;
  std::vector<std::int64_t> gains_;  // by task: how much less is cut once it is taken
};

}  // namespace

Cut cut_across(const Grid& grid, const Links& links) {
  return [&grid, &links](std::span<int> tasks, std::size_t count) {
    std::vector<int> best;
    std::int64_t least = 0;
    for (std::size_t dimension = 0; dimension < grid.dimensions.size(); ++dimension) {
      std::vector<int> order(tasks.begin(), tasks.end());
      std::sort(order.begin(), order.end());
      std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
        return grid.coordinate_of(a, dimension) < grid.coordinate_of(b, dimension);
      });
      const std::int64_t weight = weight_of_cut(order, count, links);
      if (!best.empty() && weight >= least) continue;
      least = weight;
      best = std::move(order);
    }
    std::copy(best.begin(), best.end(), tasks.begin());
  };
}

Cut cut_by_growth(const Links& links) {
  return [&links](std::span<int> tasks, std::size_t count) {
    Growth growth(tasks, links);
    growth.grow(count);
    std::stable_partition(tasks.begin(), tasks.end(), [&](int task) { return growth.has(task); });
  };
}

}  // namespace foldlane::engine
