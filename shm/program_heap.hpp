// The heap of a whole program inside the segment, where peers can reach its buffers without a copy: mimalloc,
// which the launcher preloads for `mpiexec --shared-heap`, gets address space of the rank's window as its
// arena.
#pragma once

#include <cstddef>
#include <span>

#include "shm/result.hpp"
#include "shm/segment.hpp"

namespace foldlane::shm {

/// Set by the launcher; anything but the empty string asks for the program's heap in the segment.
inline constexpr char kSharedHeapVariable[] = "FOLDLANE_SHARED_HEAP";
bool shared_heap_wanted() noexcept;

/// From now on malloc and its kin take what the calling thread, and any thread that begins later, asks for
/// from `range`, which must stay mapped until the process ends. When `range` is used up they return null.
/// Memory that the program frees is used again, not given back to the system. A child made by fork gets a
/// copy (shm/fork_copy.hpp). Once per process. Errors: mimalloc is not loaded or refuses the range.
Result<void> place_program_heap(const Segment& segment, std::span<std::byte> range);

}  // namespace foldlane::shm
