// The two system calls behind sleeping: futex and membarrier.
#pragma once

#include <cstdint>

namespace foldlane::shm {

/// Sleeps while *word == expected, until woken, a signal, or the timeout. Spurious returns are possible.
void futex_wait(const void* word, std::uint32_t expected, std::int64_t timeout_ns) noexcept;
void futex_wake_all(const void* word) noexcept;

/// True if this process takes part in global_barrier() from now on (MEMBARRIER_CMD_GLOBAL_EXPEDITED).
bool register_global_barrier() noexcept;
void global_barrier() noexcept;

}  // namespace foldlane::shm
