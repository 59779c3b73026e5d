// Where the members of a communicator are: pure, and equal on all of them.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace foldlane::host {

class Placement {
 public:
  struct Seat {
    int node;
    int index;  // which of the node's members
  };

  /// `node_of_member` has any number for each node; nodes stand in the order of their first members.
  explicit Placement(std::span<const int> node_of_member);

  int size() const noexcept { return static_cast<int>(seats_.size()); }
  int nodes() const noexcept { return static_cast<int>(members_.size()); }
  const Seat& seat(int member) const noexcept { return seats_[static_cast<std::size_t>(member)]; }
  const std::vector<int>& members_on(int node) const noexcept {
    return members_[static_cast<std::size_t>(node)];
  }

  /// The i-th members of all nodes are a column, as far as all nodes have one.
  int columns() const noexcept { return columns_; }

  /// Each node has a run of neighbours.
  bool in_blocks() const noexcept { return in_blocks_; }
  /// And all nodes are equal.
  bool in_equal_blocks() const noexcept { return in_blocks_ && has_equal_nodes(); }
  /// All have as many members, each of which has a column.
  bool has_equal_nodes() const noexcept { return columns_ == largest_; }

  /// Nodes are subtrees of the canonical tree, which folds them in the canonical order of nodes: runs of
  /// neighbours, as many as a power of two, but for the last one, which may have fewer.
  bool is_canonical() const noexcept { return is_canonical_; }

 private:
  bool has_aligned_nodes() const noexcept;

  std::vector<Seat> seats_;
  std::vector<std::vector<int>> members_;
  int columns_ = 0;
  int largest_ = 0;
  bool in_blocks_ = false;
  bool is_canonical_ = false;
};

}  // namespace foldlane::host
