// Where the blocks of all members lie, when those of a node stand together, one node behind the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "api/host/nodes/parts.hpp"
#include "api/host/nodes/placement.hpp"
#include "engine/data/shares.hpp"

namespace foldlane::host {

class NodeOrder {
 public:
  /// `bytes_of(member)` are those of its block.
  template <class BytesOf>
  NodeOrder(const Placement& placement, const BytesOf& bytes_of)
      : placement_(placement), starts_(static_cast<std::size_t>(placement.size())) {
    std::size_t at = 0;
    for (int node = 0; node < placement.nodes(); ++node) {
      nodes_.push_back(at);
      for (const int member : placement.members_on(node)) {
        starts_[static_cast<std::size_t>(member)] = at;
        at += static_cast<std::size_t>(bytes_of(member));
      }
    }
    nodes_.push_back(at);
  }

  std::size_t total() const noexcept { return nodes_.back(); }
  std::size_t start(int member) const noexcept { return starts_[static_cast<std::size_t>(member)]; }
  std::size_t start_of_node(int node) const noexcept { return nodes_[static_cast<std::size_t>(node)]; }
  std::size_t bytes_of_node(int node) const noexcept { return start_of_node(node + 1) - start_of_node(node); }

  /// The blocks of a node's members.
  engine::Shares shares_on(int node) const {
    const std::vector<int>& members = placement_.members_on(node);
    std::vector<std::int64_t> bytes;
    for (const int member : members) bytes.push_back(static_cast<std::int64_t>(start(member)));
    bytes.push_back(static_cast<std::int64_t>(start_of_node(node + 1)));
    for (std::size_t i = 0; i < members.size(); ++i) bytes[i] = bytes[i + 1] - bytes[i];
    return engine::Shares::blocks(engine::BlockCounts(bytes.data()), static_cast<int>(members.size()));
  }

  /// Of what is short enough to be counted so.
  Parts parts() const {
    std::vector<int> bytes;
    for (int node = 0; node < placement_.nodes(); ++node)
      bytes.push_back(static_cast<int>(bytes_of_node(node)));
    return Parts(std::move(bytes));
  }

 private:
  const Placement& placement_;
  std::vector<std::size_t> starts_;  // of members
  std::vector<std::size_t> nodes_;   // starts of theirs; one more, the end
};

}  // namespace foldlane::host
