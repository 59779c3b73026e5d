// Memory of one rank inside the segment, visible to all ranks. Its bookkeeping is private to the owner:
// nothing in shared memory can be left locked by a death, or broken by a stray store.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>

#include "shm/base/result.hpp"
#include "shm/segment/segment.hpp"

namespace foldlane::shm {

/// First fit over whole pages: allocations are few and large, and a freed page goes back to
/// the system at once. Not thread-safe.
class Heap {
 public:
  Heap(Segment& segment, int rank);

  /// The upper half of the window, as address space: touching a page of it commits it. Nothing of it is
  /// handed out any more. Before the first allocation.
  std::span<std::byte> set_aside_half();

  /// Committed memory, aligned to a page, or to a huge page if it is as large and there is room. Zero bytes
  /// give a distinct pointer too.
  Result<void*> allocate(std::size_t bytes);

  /// Errc::invalid unless `pointer` came from allocate and is still live.
  Result<void> deallocate(const void* pointer);

 private:
  std::optional<std::uint64_t> find_room(std::uint64_t bytes) const;
  void take(std::uint64_t offset, std::uint64_t bytes);
  void give_back(std::uint64_t offset, std::uint64_t bytes);

  Segment& segment_;
  int rank_;
  std::uint64_t window_;                         // of which it hands out
  std::map<std::uint64_t, std::uint64_t> free_;  // offset -> bytes; neighbours are merged
  std::map<std::uint64_t, std::uint64_t> live_;
};

}  // namespace foldlane::shm
