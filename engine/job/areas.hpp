// What the engine keeps in the segment (shm/segment/area.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "engine/deadlock/wait_record.hpp"
#include "engine/job/postings.hpp"
#include "engine/job/team_ids.hpp"
#include "engine/p2p/lane_map.hpp"
#include "engine/statistics/records.hpp"
#include "engine/team/team_lines.hpp"
#include "shm/segment/layout.hpp"
#include "shm/segment/segment.hpp"

namespace foldlane::engine {

/// How much of it there is.
struct Capacity {
  std::uint32_t teams;  // that may exist at a time
  std::uint64_t slot_bytes;
  std::uint32_t records = 0;  // of communicators: kCommunicatorRecords if statistics are wanted

  /// The published figures (`foldlane info`): four slots of 256 KiB per rank, whatever the number of ranks.
  static Capacity usual();
  /// Of a job of one rank: a team of one moves nothing through slots.
  static Capacity of_one();
};

/// Of a segment that the engine can work in.
shm::SegmentShape shape_for(int ranks, const Capacity& capacity = Capacity::usual());
std::vector<shm::Area> areas_for(int ranks, const Capacity& capacity);
/// Of the areas that this build knows.
std::uint64_t layout_hash();

Capacity capacity_of(const shm::SegmentShape& shape);
std::span<TeamIdWord> team_ids(const shm::Segment& segment);
std::span<Posting> postings(const shm::Segment& segment, int rank);
std::byte* slot(const shm::Segment& segment, int rank, int index);
WaitRecord& wait_record(const shm::Segment& segment, int rank);
LinesById team_lines(const shm::Segment& segment, int rank);
/// What a team's lines take of each of its ranks.
std::uint64_t team_bytes(const shm::SegmentShape& shape);
/// Those that are committed: none unless the launcher was asked for statistics.
std::vector<CommunicatorRecord*> communicator_records(const shm::Segment& segment, int rank);
shm::Result<void> commit_communicator_records(shm::Segment& segment, int rank, std::size_t records);

/// What messages from one rank to another take, with those credits that lie in the receiver's partition.
std::uint64_t lane_bytes(const shm::SegmentShape& shape);
/// For messages; `allocate` gives whole pages of this rank's heap, or null. The segment must outlive it.
LaneMap lane_map(shm::Segment& segment, std::function<std::byte*(std::size_t)> allocate);

/// Of rank r: lines of teams with ids below `ready` are committed.
shm::Result<void> commit_team_lines(shm::Segment& segment, int rank, int team);
const shm::Growth& committed_team_lines(const shm::Segment& segment, int rank);

}  // namespace foldlane::engine
