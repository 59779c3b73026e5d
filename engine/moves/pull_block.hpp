// Blocks out of the private memory of other processes, with the kernel's help.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/p2p/user_buffer.hpp"

namespace foldlane::engine {

/// Out of the private memory of `process`, to wherever `buffer` has it. False: the system has refused.
template <class Team>
bool pull_block(int process, std::uint64_t address, const UserBuffer& buffer) {
  const auto bytes = static_cast<std::size_t>(buffer.bytes);
  if (buffer.contiguous()) return Team::Transfer::pull(process, address, buffer.address, bytes);
  constexpr std::size_t kMostAtOnce = 64 << 10;
  std::vector<std::byte> packed(std::min(bytes, kMostAtOnce));
  for (std::size_t at = 0; at < bytes; at += packed.size()) {
    const std::size_t part = std::min(packed.size(), bytes - at);
    if (!Team::Transfer::pull(process, address + at, packed.data(), part)) return false;
    buffer.copy_from(packed.data(), at, part);
  }
  return true;
}

}  // namespace foldlane::engine
