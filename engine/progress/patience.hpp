#pragma once

#include <cstdint>

namespace foldlane::engine {

/// How far a poll goes. starts: the call has just begun. What the others give cannot be there yet if they are
/// on time, and looking takes the line from the one that is about to write it (8 bytes near: 50 of 200 ns).
/// asks: also whether what it waits for will ever come. That costs lines of other members, so it is for waits
/// that have become long.
enum class Patience : std::uint8_t { starts, none, asks };

}  // namespace foldlane::engine
