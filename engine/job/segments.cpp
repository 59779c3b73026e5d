#include "engine/job/segments.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include "engine/job/areas.hpp"
#include "shm/job/job.hpp"
#include "shm/job/meeting.hpp"
#include "shm/machine/placement.hpp"
#include "shm/machine/topology.hpp"

namespace foldlane::engine {

using shm::Errc;
using shm::Error;
using shm::Result;

Result<shm::Segment> segment_of_one() {
  shm::Placement placement;
  placement.ranks.push_back({{}, -1, 0, 0});
  return shm::Segment::create(shape_for(1, Capacity::of_one()), placement, 0);
}

Result<shm::Segment> segment_of(const Identity& identity) {
  auto segment = shm::Segment::attach(identity.segment_fd, layout_hash());
  if (!segment.ok()) return segment;
  if (segment.value().ranks() != identity.size) {
    return Error{Errc::bad_segment,
                 fmt::format("joining the job: the segment is made for {} ranks, {} says {}",
                             segment.value().ranks(), shm::kSizeVariable, identity.size)};
  }
  close(
      identity.segment_fd);  // attach keeps a close-on-exec duplicate; this process's children must not join
  return segment;
}

Result<shm::Segment> segment_of(const ForeignRank& self, std::chrono::seconds patience) {
  return shm::meet({self.job, self.rank, self.size, patience}, layout_hash(), segment_for);
}

Result<shm::Segment> segment_for(std::span<const shm::CpuMask> ranks) {
  shm::CpuMask all;
  for (const shm::CpuMask& each : ranks) all.add(each);
  const auto topology = shm::discover_topology(all);
  if (!topology.ok()) return topology.error();
  const shm::Placement placement = shm::place_bound_ranks(topology.value(), shm::usable_cpus(), ranks);
  return shm::Segment::create(shape_for(static_cast<int>(ranks.size())), placement,
                              topology.value().llc_bytes);
}

}  // namespace foldlane::engine
