#pragma once

#include <cstdint>

namespace foldlane::engine {

/// Whether the system lets this process use the memory of another.
enum class Permission : std::uint8_t { unknown, granted, refused };

}  // namespace foldlane::engine
