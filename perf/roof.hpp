// The roof of a k-way fold: what reading k streams and writing one takes when next to nothing is computed.
#pragma once

#include <cstddef>

namespace foldlane::perf {

/// `bytes` must be a multiple of this; buffers start at a multiple of 64.
inline constexpr std::size_t kRoofBytes = 256;

/// dst = the exclusive or of k sources (2, 4 or 8), with the widest vectors of this CPU, whatever
/// FOLDLANE_DISABLE_ISA says.
void roof(void* dst, const void* const* sources, std::size_t k, std::size_t bytes) noexcept;

}  // namespace foldlane::perf
