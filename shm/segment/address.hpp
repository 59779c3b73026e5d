// How a process that was not started with the segment finds it: through /proc, where processes of one user on
// one machine see each other's descriptors. There is no name that could collide or remain.
#pragma once

#include <sys/types.h>

#include <cstdint>

#include "shm/base/result.hpp"
#include "shm/segment/segment.hpp"

namespace foldlane::shm {

/// Valid as long as the process that has it keeps the segment.
struct SegmentAddress {
  pid_t process;
  int fd;
  std::uint64_t device;
  std::uint64_t inode;
};

SegmentAddress address_of(const Segment& segment);

/// Segment::attach() of the one there. Errors: as there; system: this process may not open it, or another
/// file lies there (a process of another PID namespace has the same number).
Result<Segment> attach(const SegmentAddress& address, std::uint64_t layout_hash);

}  // namespace foldlane::shm
