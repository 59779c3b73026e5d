// The shared segment of one job: an anonymous, sealed memfd with a validated header. This file owns creating,
// validating, mapping and committing it; what stands where says shm/segment/layout.hpp, and what layers above
// keep in it is their business (shm/segment/area.hpp).
#pragma once

#include <boost/interprocess/mapped_region.hpp>
#include <cstddef>
#include <cstdint>
#include <span>

#include "shm/base/result.hpp"
#include "shm/base/unique_fd.hpp"
#include "shm/machine/placement.hpp"
#include "shm/segment/layout.hpp"

namespace foldlane::shm {

class Segment {
 public:
  /// Makes the memfd, writes the header and seals the size. Commits the header and the
  /// control lines (a few pages per rank); each rank commits its own areas (commit_partition), so a job of
  /// programs without MPI costs next to no memory.
  static Result<Segment> create(const SegmentShape& shape, const Placement& placement,
                                std::uint64_t llc_bytes);

  /// Maps the segment behind `fd` (which is duplicated, close-on-exec) after checking every field of its
  /// header. `layout_hash`: of the areas that this process knows.
  static Result<Segment> attach(int fd, std::uint64_t layout_hash);

  Segment(Segment&& other) noexcept;
  Segment& operator=(Segment&&) = delete;
  ~Segment();

  /// Binds rank r's partition to its NUMA node, commits the areas that are to be when it joins, touches them,
  /// and commits the first elements of those that grow. Called once, by rank r.
  Result<void> commit_partition(int rank);

  /// Commits at least so many elements of an area of rank r that grows, and announces them, or that it could
  /// not: a rank that was refused memory once asks for no more, so that all who look draw the same
  /// conclusion. Called by rank r, one thread at a time.
  Result<void> commit_elements(int rank, std::size_t area, std::uint64_t elements);
  /// Commits `count` elements from `first` on of an area of rank r whose elements are committed one by one,
  /// and what shares their pages. By any rank, any number of times.
  Result<void> commit_some(int rank, std::size_t area, std::uint64_t first, std::uint64_t count);
  const Growth& growth(int rank, std::size_t area) const noexcept { return rank_lines(rank).growth[area]; }

  /// Commits (or gives back) part of rank r's heap window, in huge pages where that contains whole ones;
  /// offsets and sizes are multiples of kPageBytes.
  Result<void> commit_heap(int rank, std::uint64_t offset, std::uint64_t bytes);
  void decommit_heap(int rank, std::uint64_t offset, std::uint64_t bytes) noexcept;

  int fd() const noexcept { return fd_.get(); }
  const SegmentHeader& header() const noexcept;
  int ranks() const noexcept { return static_cast<int>(header().shape.ranks); }

  std::span<const RankPlaceEntry> places() const noexcept;
  LauncherLine& launcher_line() const noexcept;
  EndedLine& ended_line(int rank) const noexcept;
  RankLines& rank_lines(int rank) const noexcept;
  /// Areas are numbered in the order in which they were registered. Where the elements of one of the job
  /// begin:
  std::byte* job_area(std::size_t area) const noexcept { return base() + map_.areas[area]; }
  /// An element of an area of a rank. The next one lies behind it, unless the area grows.
  std::byte* element(int rank, std::size_t area, std::uint64_t index) const noexcept;
  const AreaShape& shape_of_area(std::size_t area) const noexcept { return header().shape.areas[area]; }
  std::byte* heap(int rank) const noexcept;
  /// Where a place of this mapping lies in fd().
  std::uint64_t offset_of(const std::byte* place) const noexcept {
    return static_cast<std::uint64_t>(place - base());
  }

 private:
  Segment(UniqueFd fd, boost::interprocess::mapped_region region);
  std::byte* base() const noexcept { return static_cast<std::byte*>(region_.get_address()); }
  int numa_of(int rank) const noexcept { return places()[static_cast<std::size_t>(rank)].numa; }
  Result<void> commit_buffers(int rank);
  Result<void> commit_chunk(int rank, std::size_t area, std::uint64_t first_element);

  UniqueFd fd_;
  SegmentMap map_{};
  boost::interprocess::mapped_region region_;
};

}  // namespace foldlane::shm
