// The choices of one execution, replayed and then varied: depth-first search over all of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_set>
#include <vector>

namespace foldlane::model {

class Choices {
 public:
  /// One of 0 … options-1: the one this execution is to take.
  std::size_t choose(std::size_t options) {
    if (options == 1) return 0;
    if (depth_ == path_.size()) {
      path_.push_back({0, options});
      ++made_;
    }
    return path_[depth_++].taken;
  }

  /// False while the execution repeats choices of the one before.
  bool on_new_ground() const { return depth_ == path_.size(); }

  /// True if the state was met before; remembers it.
  bool seen(std::uint64_t state) { return !states_.insert(state).second; }

  /// On to the next execution; false if all have been tried.
  bool advance() {
    depth_ = 0;
    while (!path_.empty() && path_.back().taken + 1 == path_.back().options) path_.pop_back();
    if (path_.empty()) return false;
    ++path_.back().taken;
    return true;
  }

  std::uint64_t points() const { return states_.empty() ? made_ : states_.size(); }

 private:
  struct Choice {
    std::size_t taken;
    std::size_t options;
  };
  std::vector<Choice> path_;
  std::size_t depth_ = 0;
  std::uint64_t made_ = 0;
  std::unordered_set<std::uint64_t> states_;
};

}  // namespace foldlane::model
