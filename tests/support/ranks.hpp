// Runs one body per rank, as threads of this process (one mapping, so that ThreadSanitizer sees everything)
// or as forked processes, over a fresh segment of a given shape.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/p2p/messenger.hpp"
#include "engine/team/team.hpp"
#include "shm/segment/heap.hpp"
#include "shm/segment/segment.hpp"

namespace foldlane::testing {

enum class Transport { threads, processes };

/// All that a rank has below the MPI face.
struct RankContext {
  int rank;
  int size;
  shm::Segment& segment;
  engine::Process& process;
  engine::Team& world;
  engine::Messenger& messenger;
  shm::Heap& heap;  // from which the boxes of teams come too
};

/// Empty if all is well; otherwise what the rank found wrong.
using RankBody = std::function<std::string(RankContext&)>;

/// A shape whose boundaries are reached with a few KiB: slots of one page, as few as allowed, a small heap.
shm::SegmentShape tiny_shape(int ranks);

struct RunOptions {
  shm::SegmentShape shape;
  bool oversubscribed = true;  // ranks in tests outnumber the CPUs, as a rule
  std::uint64_t llc_bytes = 0;
  int watchdog_s = 120;
  std::optional<shm::Ladder> ladder = {};  // none: as for ranks on CPUs of their own, or oversubscribed
  std::vector<engine::Seat> seats = {};    // of the ranks; none: all share everything
  int shared_cpus = 0;                     // what plans are made for; the ladder is another matter
};

/// The problems found, "rank r: …" each; also a rank's death. Never hangs: a watchdog dumps the segment.
std::vector<std::string> run_ranks(Transport transport, const RunOptions& options, const RankBody& body);

const char* name(Transport transport);

}  // namespace foldlane::testing
