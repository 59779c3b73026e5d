// Allreduces of other libraries under the costs of tests/support/traffic.hpp: messages through shared memory,
// without matching, queues or a second copy, and so faster than any real one.
#pragma once

#include <cstddef>
#include <vector>

#include "engine/groups/groups.hpp"

namespace foldlane::testing {

/// Nanoseconds until the last rank has the result.
double ring_ns(const std::vector<engine::Seat>& seats, std::size_t bytes);
double recursive_doubling_ns(const std::vector<engine::Seat>& seats, std::size_t bytes);
double rabenseifner_ns(const std::vector<engine::Seat>& seats, std::size_t bytes);
/// MPICH's: a tree of 4 (up to 2 KiB) or 2 children up, cells of 8 KiB, four per rank; everybody reads the
/// root's.
double release_gather_ns(const std::vector<engine::Seat>& seats, std::size_t bytes);

}  // namespace foldlane::testing
