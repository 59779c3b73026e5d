#pragma once

#include <cstdint>

#include "engine/plans/plan.hpp"

namespace foldlane::engine {

/// Of a call that only moves data, in blocks of `bytes`: how many those are only its two members may know.
Plan plan_of_move(Call call, std::uint64_t bytes, const TeamShape& team);

}  // namespace foldlane::engine
