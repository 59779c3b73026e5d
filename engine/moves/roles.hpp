// Who gives and who takes in a call that only moves data, and whether that is a block for each member or one.
#pragma once

#include "engine/team/call_info.hpp"

namespace foldlane::engine {

constexpr bool gives_in(Call call, bool is_root) noexcept {
  return !moves_from_or_to_root(call) || is_root == (call == Call::scatter || call == Call::scatterv);
}
constexpr bool takes_in(Call call, bool is_root) noexcept {
  return !moves_from_or_to_root(call) || is_root == (call == Call::gather || call == Call::gatherv);
}

constexpr bool gives_block_for_each(Call call) noexcept {
  return call == Call::alltoall || call == Call::alltoallv || call == Call::alltoallw ||
         call == Call::scatter || call == Call::scatterv;
}
constexpr bool takes_block_of_each(Call call) noexcept {
  return call != Call::scatter && call != Call::scatterv;
}

}  // namespace foldlane::engine
