// Which NUMA node the pages of a range come from.
#pragma once

#include <cstddef>
#include <cstdint>

namespace foldlane::shm {

/// Must be said before the first page is allocated. Containers may forbid it, and then the pages land where
/// their first writer runs, which is right for bound ranks: not an error. Nothing where `node` is -1 or the
/// only one.
void prefer_node(std::byte* start, std::uint64_t bytes, int node) noexcept;

}  // namespace foldlane::shm
