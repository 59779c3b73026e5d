// fork copies private memory only. What a program takes for its own, but lies in the segment, must be copied
// by hand, or parent and child would write into the same heap.
#pragma once

#include <cstddef>
#include <span>

#include "shm/base/result.hpp"
#include "shm/segment/segment.hpp"

namespace foldlane::shm {

/// Registers the handlers of fork that copy_on_fork needs, which do nothing before it. Before the program
/// registers its own: what these do in the child must not reach the parent's memory, and locks that they hold
/// over fork must still be held while the copy is made. Any number of times.
Result<void> prepare_copy_on_fork();

/// From now on a child made by fork finds a private copy of `range` (part of the segment, whole pages, mapped
/// until the process ends) in its place. The parent goes on when the copy is made, which costs time and
/// memory for what was ever written there. Other threads go on meanwhile: what they share with the child is
/// whole if handlers of fork (pthread_atfork) lock it that were registered after this library was loaded. A
/// child that cannot have its copy says so on stderr and ends with exit code 1; its parent goes on. vfork,
/// posix_spawn, system and popen copy nothing and need nothing; _Fork and bare clone run no handlers, so they
/// share the range. Once per process.
Result<void> copy_on_fork(const Segment& segment, std::span<std::byte> range);

}  // namespace foldlane::shm
