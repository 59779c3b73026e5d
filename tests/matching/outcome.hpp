// What the calls of a program have led to: one value per call.
#pragma once

#include <cstdint>
#include <vector>

namespace foldlane::matching {

/// A receive or probe: the number of a message, or one of these. A wait or test: the requests that it has
/// completed, a bit each. Anything else: 0.
using Value = std::int64_t;
inline constexpr Value kNothing = -1;  // a probe without a find; a receive that was not to be made
inline constexpr Value kCancelled = -2;
inline constexpr Value kFromNobody = -3;
inline constexpr Value kPending = -4;

/// By rank and call.
using Outcome = std::vector<std::vector<Value>>;

}  // namespace foldlane::matching
