// What a rank has once, however many teams it is in: its data slots, its way of signalling, its coroutine
// frames, and the addresses of its peers' lines and slots.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "engine/frame_pool.hpp"
#include "engine/store_chooser.hpp"
#include "shm/layout.hpp"
#include "shm/sync/signals.hpp"

namespace foldlane::engine {

template <class Atoms>
class BasicTeam;

/// Where one rank's shared lines and slots are mapped in this process.
template <class Atoms>
struct BasicPeer {
  shm::BasicTeamLines<Atoms>* team_lines;  // indexed by team id
  std::byte* slots;
  shm::Doorbell<Atoms>* doorbell;
};

/// The sizes that plans are made from; equal on all ranks.
struct Geometry {
  std::size_t slot_bytes;
  int slots;
  std::uint64_t llc_bytes;
};

template <class Atoms>
class BasicProcess {
 public:
  BasicProcess(std::vector<BasicPeer<Atoms>> peers, Geometry geometry, shm::Signals<Atoms> signals)
      : peers_(std::move(peers)),
        geometry_(geometry),
        signals_(signals),
        slot_uses_(static_cast<std::size_t>(geometry.slots)) {}

  const BasicPeer<Atoms>& peer(int rank) const noexcept { return peers_[static_cast<std::size_t>(rank)]; }
  const Geometry& geometry() const noexcept { return geometry_; }
  const shm::Signals<Atoms>& signals() const noexcept { return signals_; }
  FramePool& frames() noexcept { return frames_; }
  StoreChooser& slot_stores() noexcept { return slot_stores_; }

  /// Who last filled slot `index`, and in which epoch of that team. Slots belong to the process: before a
  /// team fills one, the readers of its previous use, perhaps another team's, must have finished.
  struct SlotUse {
    BasicTeam<Atoms>* team = nullptr;
    std::uint64_t epoch = 0;
  };
  SlotUse& slot_use(int index) noexcept { return slot_uses_[static_cast<std::size_t>(index)]; }

  /// A team that goes away takes its claims on slots with it; its members must have finished.
  void forget(const BasicTeam<Atoms>* team) noexcept {
    for (SlotUse& use : slot_uses_) {
      if (use.team == team) use = {};
    }
  }

 private:
  std::vector<BasicPeer<Atoms>> peers_;
  Geometry geometry_;
  shm::Signals<Atoms> signals_;
  FramePool frames_;
  StoreChooser slot_stores_;
  std::vector<SlotUse> slot_uses_;
};

}  // namespace foldlane::engine
