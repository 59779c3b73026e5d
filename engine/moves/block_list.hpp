// Blocks that are kept, where those of a call are chosen from.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "engine/moves/movement.hpp"

namespace foldlane::engine {

class BlockList final : public Blocks {
 public:
  explicit BlockList(std::vector<Block> blocks = {}) : blocks_(std::move(blocks)) {}
  void add(const Block& block) { blocks_.push_back(block); }
  int count() const noexcept override { return static_cast<int>(blocks_.size()); }

 private:
  Block block_at(int i) const noexcept override { return blocks_[static_cast<std::size_t>(i)]; }

  std::vector<Block> blocks_;
};

}  // namespace foldlane::engine
