#include "shm/segment/heap.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace foldlane::shm {

Heap::Heap(Segment& segment, int rank)
    : segment_(segment), rank_(rank), window_(segment.header().shape.heap_bytes) {
  if (window_ > 0) free_[0] = window_;
}

std::span<std::byte> Heap::set_aside_half() {
  const std::uint64_t all = window_;
  window_ = round_up(all / 2, kPageBytes);
  free_ = {{0, window_}};
  return {segment_.heap(rank_) + window_, all - window_};
}

Result<void*> Heap::allocate(std::size_t bytes) {
  const bool possible = bytes <= window_;
  const std::uint64_t wanted = possible ? round_up(std::max<std::uint64_t>(bytes, 1), kPageBytes) : 0;
  const std::optional<std::uint64_t> found = possible ? find_room(wanted) : std::nullopt;
  if (!found) {
    return Error{Errc::no_memory,
                 fmt::format("allocating {} bytes in the segment: rank {}'s window has {} bytes and "
                             "no free range of that size",
                             bytes, rank_, window_)};
  }
  const std::uint64_t offset = *found;
  if (auto committed = segment_.commit_heap(rank_, offset, wanted); !committed.ok()) return committed.error();
  take(offset, wanted);
  live_[offset] = wanted;
  return static_cast<void*>(segment_.heap(rank_) + offset);
}

std::optional<std::uint64_t> Heap::find_room(std::uint64_t bytes) const {
  const std::uint64_t best = bytes < kHugePageBytes ? kPageBytes : kHugePageBytes;
  for (const std::uint64_t alignment : {best, kPageBytes}) {
    for (const auto& [start, room] : free_) {
      const std::uint64_t offset = round_up(start, alignment);
      if (offset + bytes <= start + room) return offset;
    }
  }
  return std::nullopt;
}

void Heap::take(std::uint64_t offset, std::uint64_t bytes) {
  const auto hole = std::prev(free_.upper_bound(offset));
  const std::uint64_t before = offset - hole->first, behind = hole->second - before - bytes;
  if (behind > 0) free_[offset + bytes] = behind;
  if (before > 0) {
    hole->second = before;
  } else {
    free_.erase(hole);
  }
}

Result<void> Heap::deallocate(const void* pointer) {
  const auto distance = static_cast<const std::byte*>(pointer) - segment_.heap(rank_);
  const auto found = distance < 0 ? live_.end() : live_.find(static_cast<std::uint64_t>(distance));
  if (found == live_.end()) {
    return Error{Errc::invalid, fmt::format("freeing {}: it is not the start of a live allocation of rank {}",
                                            pointer, rank_)};
  }
  const auto [offset, bytes] = *found;
  live_.erase(found);
  segment_.decommit_heap(rank_, offset, bytes);
  give_back(offset, bytes);
  return {};
}

void Heap::give_back(std::uint64_t offset, std::uint64_t bytes) {
  auto here = free_.emplace(offset, bytes).first;
  if (const auto next = std::next(here); next != free_.end() && here->first + here->second == next->first) {
    here->second += next->second;
    free_.erase(next);
  }
  if (here == free_.begin()) return;
  if (const auto before = std::prev(here); before->first + before->second == here->first) {
    before->second += here->second;
    free_.erase(here);
  }
}

}  // namespace foldlane::shm
