// Reading and writing another process's memory with the help of the kernel: one copy, and nothing that both
// must map. It takes no right beyond what the system grants, which may be none: containers and Yama
// (ptrace_scope) refuse.
#pragma once

#include <cstddef>
#include <cstdint>

namespace foldlane::shm {

/// This process and others of its launcher may use each other's memory, as far as that is for a process to
/// say (Yama). Once per process.
void let_siblings_in() noexcept;

/// Copies what `process` has at its address `from`. False if the system refuses, or if it is not there: then
/// part of it may have been copied.
bool read_from_process(int process, std::uint64_t from, std::byte* to, std::size_t bytes) noexcept;

/// The other way round.
bool write_to_process(int process, std::uint64_t to, const std::byte* from, std::size_t bytes) noexcept;

/// It has no memory any more. Its parent, who tells others of that, may not know yet.
bool has_ended(int process) noexcept;

/// Whether processes of one launcher can. Asks a child; for `foldlane info`.
bool can_read_from_processes();

}  // namespace foldlane::shm
