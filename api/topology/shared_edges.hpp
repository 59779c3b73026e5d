// The edges that ranks contribute to a distributed graph, made known to all.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "api/objects/communicator.hpp"
#include "engine/team/call_info.hpp"

namespace foldlane::api {

struct SharedEdge {
  /// Whose list of neighbours it belongs to: an edge is in one of them, or in both.
  enum Lists : std::int32_t { of_destination = 1, of_source = 2, of_both = 3 };

  std::int32_t source;
  std::int32_t destination;
  std::int32_t weight;
  std::int32_t lists;
};

/// Collective: calls `take` on every rank with every edge, those that one rank contributes in their order.
void share_edges(const Communicator& communicator, const engine::CallInfo& as,
                 const std::vector<SharedEdge>& own, const std::function<void(const SharedEdge&)>& take);

}  // namespace foldlane::api
