// A block that a member gives itself.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "engine/p2p/user_buffer.hpp"

namespace foldlane::engine {

/// From type map to type map.
inline void copy_block(const UserBuffer& to, const UserBuffer& from) {
  if (from.contiguous()) return to.copy_from(from.address, 0, static_cast<std::size_t>(from.bytes));
  if (to.contiguous()) return from.copy_to(to.address, 0, static_cast<std::size_t>(from.bytes));
  std::array<std::byte, 4096> packed;
  for (std::uint64_t offset = 0; offset < from.bytes; offset += packed.size()) {
    const auto bytes = static_cast<std::size_t>(std::min<std::uint64_t>(packed.size(), from.bytes - offset));
    from.copy_to(packed.data(), offset, bytes);
    to.copy_from(packed.data(), offset, bytes);
  }
}

}  // namespace foldlane::engine
