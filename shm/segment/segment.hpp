// The shared segment of one job: an anonymous, sealed memfd with a validated header. This file owns creating,
// validating, mapping and committing it; what the bytes mean to the engine is laid out in
// shm/segment/layout.hpp.
#pragma once

#include <boost/interprocess/mapped_region.hpp>
#include <cstddef>
#include <cstdint>
#include <span>

#include "shm/base/result.hpp"
#include "shm/machine/placement.hpp"
#include "shm/segment/layout.hpp"

namespace foldlane::shm {

class Segment {
 public:
  /// Makes the memfd, writes the header and seals the size. Commits the header and the
  /// control lines (a few pages per rank); each rank commits its own slots (commit_partition), so a job of
  /// programs without MPI costs next to no memory.
  static Result<Segment> create(const SegmentShape& shape, const Placement& placement,
                                std::uint64_t llc_bytes);

  /// Maps the segment behind `fd` (which is duplicated, close-on-exec) after checking every field of its
  /// header.
  static Result<Segment> attach(int fd);

  Segment(Segment&& other) noexcept;
  Segment& operator=(Segment&&) = delete;
  ~Segment();

  /// Binds rank r's partition to its NUMA node, commits its slots and touches them, and commits the lines of
  /// its first teams. Called once, by rank r.
  Result<void> commit_partition(int rank);

  /// Commits rank r's lines of team `team`, and those of all smaller ids; announces them in the rank's
  /// record, or that it could not. Called by rank r, one thread at a time.
  Result<void> commit_team_lines(int rank, int team);

  /// Commits (or gives back) part of rank r's heap window; offsets and sizes are multiples of kPageBytes.
  Result<void> commit_heap(int rank, std::uint64_t offset, std::uint64_t bytes);
  void decommit_heap(int rank, std::uint64_t offset, std::uint64_t bytes) noexcept;

  int fd() const noexcept { return fd_; }
  const SegmentHeader& header() const noexcept;
  int ranks() const noexcept { return static_cast<int>(header().shape.ranks); }

  std::span<const RankPlaceEntry> places() const noexcept;
  LauncherLine& launcher_line() const noexcept;
  EndedLine& ended_line(int rank) const noexcept;
  RankLines& rank_lines(int rank) const noexcept;
  TeamLines& team_lines(int rank, int team) const noexcept;
  std::span<TeamIdWord> team_ids() const noexcept;
  std::byte* slot(int rank, int index) const noexcept;
  std::byte* heap(int rank) const noexcept;
  /// Where a place of this mapping lies in fd().
  std::uint64_t offset_of(const std::byte* place) const noexcept {
    return static_cast<std::uint64_t>(place - base());
  }

 private:
  Segment(int fd, boost::interprocess::mapped_region region);
  std::byte* base() const noexcept { return static_cast<std::byte*>(region_.get_address()); }
  std::byte* partition(int rank) const noexcept;

  int fd_ = -1;
  SegmentMap map_{};
  boost::interprocess::mapped_region region_;
};

}  // namespace foldlane::shm
