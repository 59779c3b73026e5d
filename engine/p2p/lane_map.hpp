// Where in the segment messages go through, and how more of it is had.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "engine/p2p/knocks.hpp"
#include "engine/p2p/lane.hpp"
#include "engine/p2p/transfers/transfer_lines.hpp"
#include "shm/base/result.hpp"
#include "shm/sync/atoms.hpp"

namespace foldlane::engine {

using Cell = BasicCell<shm::RealAtoms>;
using Credits = BasicCredits<shm::RealAtoms>;
using Knocks = BasicKnocks<shm::RealAtoms>;
using LaneWriter = BasicLaneWriter<shm::RealAtoms>;
using LaneReader = BasicLaneReader<shm::RealAtoms>;
using TransferLines = BasicTransferLines<shm::RealAtoms>;
using TransferSender = BasicTransferSender<shm::RealAtoms>;
using TransferReceiver = BasicTransferReceiver<shm::RealAtoms>;
using PieceClaims = BasicPieceClaims<shm::RealAtoms>;

/// A lane costs nothing before it is used: its place follows from the two ranks, and its sender commits it.
struct LaneMap {
  std::vector<Cell*> lanes;       // by sender: its lanes, by receiver
  std::vector<Credits*> credits;  // by receiver: one for each sender
  std::vector<Knocks*> knocks;    // by receiver
  std::uint32_t cells_per_lane = 0;
  /// Commits the lane between two ranks, with its credits. Any number of times.
  std::function<shm::Result<void>(int from, int to)> open;
  /// Whole pages of this rank's heap; null if there is no memory.
  std::function<std::byte*(std::size_t bytes)> allocate;

  Cell* lane(int from, int to) const noexcept {
    return lanes[static_cast<std::size_t>(from)] + static_cast<std::size_t>(to) * cells_per_lane;
  }
  Credits& credit(int from, int to) const noexcept { return credits[static_cast<std::size_t>(to)][from]; }
  bool is_full(int from, int to) const noexcept { return credit(from, to).full.peek() != 0; }
};

}  // namespace foldlane::engine
