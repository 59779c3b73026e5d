// `--shared-heap`: how the launcher gets mimalloc into the ranks, which give it memory of the segment
// (shm/program_heap/program_heap.hpp).
#pragma once

#include <string>

#include "launch/rank_environment.hpp"

namespace foldlane::tools {

/// Its name for the dynamic linker. Version 3 has another interface.
inline constexpr char kSharedHeapAllocator[] = "libmimalloc.so.2";

/// Why the dynamic linker cannot load it; empty if it can.
std::string problem_with_shared_heap();

/// Before what the user preloads.
void ask_for_shared_heap(RankEnvironment& environment);

}  // namespace foldlane::tools
