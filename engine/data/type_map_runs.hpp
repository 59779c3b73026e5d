// Builds the runs of a type map: coalesces neighbours, recognises equal distances, nests what repeats.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/data/type_map.hpp"

namespace foldlane::engine {

class RunsBuilder {
 public:
  /// The blocks of `child`, `count` times, `stride` bytes apart. All offsets must fit into 64 bits.
  void place(const std::shared_ptr<const Runs>& child, std::int64_t displacement, std::uint64_t count,
             std::int64_t stride);

  std::shared_ptr<const Runs> finish();

 private:
  void place_once(const std::shared_ptr<const Runs>& child, std::int64_t displacement);
  void append(Run run);

  std::vector<Run> list_;
};

}  // namespace foldlane::engine
