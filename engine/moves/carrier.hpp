// What carries blocks of which a line tells the length: that line, a slot, or a message.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/team/team.hpp"

namespace foldlane::engine {

/// Longer blocks go by messages (8 ranks on 2 CPUs, far, gatherv by messages and through slots: 64 KiB 83 and
/// 51 us, 128 KiB 158 and 143, in no cache equal; neighbours on a ring, 64 KiB, 131 to 203 and 70 to 110).
inline constexpr std::uint64_t kMostBesideLengths = 64 << 10;

enum class Carrier : std::uint8_t { line, slot, message };

/// Of blocks of so many bytes, of which a member shows so many.
inline Carrier carrier_of(std::uint64_t block_bytes, std::uint32_t shown_blocks,
                          std::size_t slot_bytes) noexcept {
  const std::uint64_t shown = block_bytes * shown_blocks;
  if (shown_blocks == 0) return Carrier::message;
  if (shown <= Team::InlineLines::kBytesBesideNumber) return Carrier::line;
  return block_bytes <= kMostBesideLengths && shown <= slot_bytes ? Carrier::slot : Carrier::message;
}

}  // namespace foldlane::engine
