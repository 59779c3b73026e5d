// The heap of a whole program inside the segment, where peers can reach its buffers without a copy: mimalloc,
// which the launcher preloads for `foldlane run --shared-heap`, gets address space of the rank's window as
// its arena.
#pragma once

#include <cstddef>
#include <span>

#include "shm/base/result.hpp"
#include "shm/segment/segment.hpp"

namespace foldlane::shm {

/// Set by the launcher; anything but the empty string asks for the program's heap in the segment.
inline constexpr char kSharedHeapVariable[] = "FOLDLANE_SHARED_HEAP";
bool shared_heap_wanted() noexcept;

/// The function of mimalloc 2 that all of this rests on.
inline constexpr char kArenaFunction[] = "mi_manage_os_memory";

/// From now on malloc and its kin take new memory from `range`, which must stay mapped until the process
/// ends. Small blocks may still come from pages that malloc had begun before, and private memory follows when
/// `range` is used up, or is asked for at multiples of 32 MiB and more. Memory that the program frees is used
/// again, not given back to the system. A child made by fork gets a copy (shm/program_heap/fork_copy.hpp).
/// Once per process; with an Error mimalloc may have the range nevertheless. Errors: malloc is not
/// mimalloc's, or it refuses the range.
Result<void> place_program_heap(const Segment& segment, std::span<std::byte> range);

}  // namespace foldlane::shm
