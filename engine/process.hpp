// What a rank has once, however many teams it is in: its rings of slots, its way of signalling, and the
// addresses of its peers' lines and slots.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <utility>
#include <vector>

#include "engine/groups.hpp"
#include "engine/ring.hpp"
#include "shm/layout.hpp"
#include "shm/sync/signals.hpp"

namespace foldlane::engine {

/// Where one rank's shared lines and slots are mapped in this process.
template <class Atoms>
struct BasicPeer {
  shm::BasicTeamLines<Atoms>* team_lines;  // indexed by team id
  std::byte* slots;
  shm::Doorbell<Atoms>* doorbell;
  Seat seat{};
};

/// The sizes that plans are made from; equal on all ranks.
struct Geometry {
  std::size_t slot_bytes;
  int slots;  // at most shm::kSlots
  std::uint64_t llc_bytes;
  int shared_cpus = 0;        // how many CPUs the ranks share; 0: each has its own
  int most_flat = kMostFlat;  // teams of more ranks look for groups
};

template <class Atoms>
class BasicProcess {
 public:
  using Ring = BasicRing<Atoms>;
  /// Memory in the segment for one more ring, aligned to pages, behind the first; null if there is none.
  using RingSource = std::function<std::byte*()>;

  BasicProcess(std::vector<BasicPeer<Atoms>> peers, int rank, Geometry geometry, shm::Signals<Atoms> signals)
      : peers_(std::move(peers)), geometry_(geometry), signals_(signals) {
    rings_.push_back({.slots = peer(rank).slots, .where = 0});
  }

  const BasicPeer<Atoms>& peer(int rank) const noexcept { return peers_[static_cast<std::size_t>(rank)]; }
  const Geometry& geometry() const noexcept { return geometry_; }
  const shm::Signals<Atoms>& signals() const noexcept { return signals_; }

  /// From now on several threads may be in calls at a time, each on teams of its own. Before the second
  /// thread.
  void allow_threads(RingSource more_rings) { more_rings_ = std::move(more_rings); }
  bool has_threads() const noexcept { return static_cast<bool>(more_rings_); }

  Ring& first_ring() noexcept { return rings_.front(); }

  /// A ring for one call of `team`, which no other call uses meanwhile and which no other team's readers
  /// still need: with threads, waiting for them could be waiting for a call that waits for this one. Null if
  /// memory is out.
  Ring* lease(const BasicTeam<Atoms>& team) {
    const std::lock_guard lock(mutex_);
    for (Ring& ring : rings_) {
      if (!ring.leased && free_for(ring, team)) {
        ring.leased = true;
        return &ring;
      }
    }
    std::byte* const memory = more_rings_();
    if (memory == nullptr) return nullptr;
    const auto distance = static_cast<std::size_t>(memory - rings_.front().slots);
    rings_.push_back({.slots = memory, .where = static_cast<std::uint32_t>(distance / shm::kPageBytes)});
    rings_.back().leased = true;
    return &rings_.back();
  }
  void give_back(Ring& ring) {
    const std::lock_guard lock(mutex_);
    ring.leased = false;
  }

  /// A leased ring belongs to another team's call, which writes to it meanwhile, and has no claim of this
  /// one.
  void forget(const BasicTeam<Atoms>* team) {
    const std::lock_guard lock(mutex_);
    for (Ring& ring : rings_) {
      if (!ring.leased) ring.forget(team);
    }
  }

 private:
  static bool free_for(Ring& ring, const BasicTeam<Atoms>& team) {
    for (auto& use : ring.uses) {
      if (use.team == nullptr || use.team == &team) continue;
      if (!use.team->everybody_finished(use.epoch)) return false;
      use = {};
    }
    return true;
  }

  std::vector<BasicPeer<Atoms>> peers_;
  Geometry geometry_;
  shm::Signals<Atoms> signals_;
  std::mutex mutex_;
  std::deque<Ring> rings_;  // a ring never moves
  RingSource more_rings_;
};

}  // namespace foldlane::engine
