// A block that a member gives itself.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "engine/moves/movement.hpp"

namespace foldlane::engine {

/// From type map to type map.
inline void copy_block(const UserBuffer& to, const UserBuffer& from,
                       kernels::CopyBy by = kernels::CopyBy::vectors) {
  const auto all = static_cast<std::size_t>(from.bytes);
  if (from.contiguous()) return to.copy_from(from.address, 0, all, by);
  if (to.contiguous()) return from.copy_to(to.address, 0, all);
  std::array<std::byte, 4096> packed;
  for (std::uint64_t offset = 0; offset < from.bytes; offset += packed.size()) {
    const auto bytes = static_cast<std::size_t>(std::min<std::uint64_t>(packed.size(), from.bytes - offset));
    from.copy_to(packed.data(), offset, bytes);
    to.copy_from(packed.data(), offset, bytes);
  }
}

/// Of a call whose blocks have one size; no bytes: there is none, or it is where it belongs.
struct OwnBlock {
  UserBuffer from;
  UserBuffer to;
};
inline OwnBlock own_block(const Movement& movement, int own) {
  if (movement.replaces || movement.sends->count() == 0 || movement.receives->count() == 0) return {};
  const UserBuffer from = movement.sends->at(movement.sends->count() == 1 ? 0 : own).buffer;
  const UserBuffer to = movement.receives->at(movement.receives->count() == 1 ? 0 : own).buffer;
  return from.bytes > 0 && to.bytes > 0 ? OwnBlock{from, to} : OwnBlock{};
}

}  // namespace foldlane::engine
