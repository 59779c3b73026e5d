// The edges between tasks as partitions look at them: without directions, each pair once with all of its
// weight, no task with itself.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/mapping/crossings.hpp"

namespace foldlane::engine {

class Links {
 public:
  struct Link {
    int to;
    std::int64_t weight;
  };

  Links(int tasks, std::span<const Edge> edges);

  int tasks() const { return static_cast<int>(first_.size()) - 1; }
  /// By the other task.
  std::span<const Link> of(int task) const {
    const auto at = static_cast<std::size_t>(task);
    return std::span(links_).subspan(first_[at], first_[at + 1] - first_[at]);
  }
  std::int64_t between(int one, int other) const;

 private:
  std::vector<std::size_t> first_;  // by task: its first link
  std::vector<Link> links_;
};

}  // namespace foldlane::engine
