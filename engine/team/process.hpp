// What a rank has once, however many teams it is in: its rings of slots, its way of signalling, and the
// addresses of its peers' lines and slots.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <iterator>
#include <mutex>
#include <utility>
#include <vector>

#include "engine/choice/decision.hpp"
#include "engine/groups/groups.hpp"
#include "engine/progress/progress.hpp"
#include "engine/team/ring.hpp"
#include "engine/team/team_lines.hpp"
#include "shm/segment/layout.hpp"
#include "shm/sync/signals.hpp"

namespace foldlane::engine {

/// Where one rank's shared lines and slots are mapped in this process.
template <class Atoms>
struct BasicPeer {
  BasicLinesById<Atoms> team_lines;
  std::byte* slots;
  shm::Doorbell<Atoms>* doorbell;
  Seat seat{};
  shm::Inbox<Atoms>* inbox = nullptr;
  shm::Watchers<Atoms>* watchers = nullptr;
  const typename shm::Signals<Atoms>::Epoch* death = nullptr;  // not zero once it has died
};

/// The sizes that plans are made from; equal on all ranks.
struct Geometry {
  std::size_t slot_bytes;
  int slots;  // at most kSlots
  std::uint64_t llc_bytes;
  int shared_cpus = 0;        // how many CPUs the ranks share; 0: each has its own
  int most_flat = kMostFlat;  // teams of more ranks look for groups
};

/// Whether the members of a team meet at a central counter (central_counter.hpp): not all of them run. With
/// few on each CPU that costs as much as to look at everybody or little more (8 bytes, 2 CPUs: 4 ranks 5 to
/// 8 % more, 8 ranks 0 to 3 %), but beside other programs, where all sleep, it wakes each once instead of
/// once per peer (one busy loop per core, 4, 8 and 16 ranks: 260, 610, 1,200 -> 65, 95, 120 us).
inline bool meets_centrally(int ranks, int shared_cpus) noexcept {
  return shared_cpus > 0 && ranks > shared_cpus;
}

/// Memory that every rank of the job maps, at an address of its own, besides lines and slots.
struct CommonMemory {
  std::byte* start = nullptr;
  std::size_t bytes = 0;

  bool holds(const void* buffer, std::size_t buffer_bytes) const noexcept {
    const std::uintptr_t offset =
        reinterpret_cast<std::uintptr_t>(buffer) - reinterpret_cast<std::uintptr_t>(start);
    return offset < bytes && buffer_bytes <= bytes - offset;
  }
  std::uint64_t offset_of(const void* place) const noexcept {
    return static_cast<std::uint64_t>(static_cast<const std::byte*>(place) - start);
  }
  std::byte* at(std::uint64_t offset) const noexcept { return start + offset; }
};

template <class Atoms>
class BasicProcess {
 public:
  using Ring = BasicRing<Atoms>;
  /// Memory in the segment for one more ring, aligned to pages, behind the first; null if there is none.
  using RingSource = std::function<std::byte*()>;

  BasicProcess(std::vector<BasicPeer<Atoms>> peers, int rank, Geometry geometry, shm::Signals<Atoms> signals,
               CommonMemory common = {}, const Decisions& decisions = Decisions())
      : decisions_(decisions),
        peers_(std::move(peers)),
        geometry_(geometry),
        common_(common),
        inboxes_(inboxes_of(peers_)),
        neighbours_{peer(rank).watchers, inboxes_.data(), static_cast<int>(inboxes_.size())},
        signals_(signals),
        progress_(watched_of(peers_), rank, signals_) {
    if (peer(rank).watchers != nullptr) signals_.connect(neighbours_);
    rings_.emplace_back(peer(rank).slots, 0, decisions_);
  }
  BasicProcess(const BasicProcess&) = delete;
  BasicProcess& operator=(const BasicProcess&) = delete;

  const BasicPeer<Atoms>& peer(int rank) const noexcept { return peers_[static_cast<std::size_t>(rank)]; }
  bool has_died(int rank) const noexcept {
    const auto* const death = peer(rank).death;
    return death != nullptr && death->observe() != 0;
  }
  /// Wakes a rank for whom alone something was published, if it sleeps.
  void tell(int rank) const noexcept { peer(rank).inbox->tell(signals_.wake()); }
  const Geometry& geometry() const noexcept { return geometry_; }
  const CommonMemory& common() const noexcept { return common_; }
  const shm::Signals<Atoms>& signals() const noexcept { return signals_; }
  BasicProgress<Atoms>& progress() noexcept { return progress_; }
  const BasicProgress<Atoms>& progress() const noexcept { return progress_; }

  /// Where more rings than the first come from. Before the first call that needs one.
  void set_ring_source(RingSource more_rings) { more_rings_ = std::move(more_rings); }

  Decisions& decisions() noexcept { return decisions_; }

  /// Calls of all teams that moved nothing through slots (fold_direct.hpp).
  std::uint64_t direct_calls() const noexcept { return direct_calls_.peek(); }
  void count_direct_call() noexcept { count(direct_calls_); }
  /// Calls of which this process has pulled the data out of another one's memory (the decision "pass-way").
  std::uint64_t pulled_calls() const noexcept { return pulled_calls_.peek(); }
  void count_pulled_call() noexcept { count(pulled_calls_); }

  Ring& first_ring() noexcept { return rings_.front(); }

  /// A ring for one call of `team`, which no other call uses meanwhile and which no other team's readers
  /// still need: waiting for them could be waiting for a call that waits for this one. `last`: the one of the
  /// team's call before, which threads with a team each get back without meeting. Null if memory is out.
  Ring* lease(const BasicTeam<Atoms>& team, Ring& last) {
    if (try_lease(last, team)) [[likely]]
      return &last;
    const std::lock_guard lock(mutex_);
    for (Ring& ring : rings_) {
      if (try_lease(ring, team)) return &ring;
    }
    return new_ring();
  }
  /// A ring that a team keeps; never the first, which calls that nothing disturbs use without a lease.
  Ring* take_ring() {
    const std::lock_guard lock(mutex_);
    for (auto ring = std::next(rings_.begin()); ring != rings_.end(); ++ring) {
      if (!ring->hold()) continue;
      if (is_unused(*ring)) {
        ring->lease();
        return &*ring;
      }
      ring->let_go();
    }
    return new_ring();
  }
  void give_back(Ring& ring) noexcept { ring.let_go(); }

  /// A leased ring belongs to another team's call, which writes to it meanwhile, and has no claim of this
  /// one.
  void forget(const BasicTeam<Atoms>* team) {
    const std::lock_guard lock(mutex_);
    for (Ring& ring : rings_) {
      if (!hold_unless_leased(ring)) continue;
      ring.forget(team);
      ring.let_go();
    }
  }

 private:
  /// One thread alone needs no locked instruction.
  void count(shm::Epoch& calls) noexcept {
    if (progress_.has_threads()) return static_cast<void>(calls.add(1));
    calls.publish(calls.peek() + 1);
  }

  static std::vector<shm::Inbox<Atoms>*> inboxes_of(const std::vector<BasicPeer<Atoms>>& peers) {
    std::vector<shm::Inbox<Atoms>*> inboxes;
    for (const auto& peer : peers) inboxes.push_back(peer.inbox);
    return inboxes;
  }
  static std::vector<BasicWatched<Atoms>> watched_of(const std::vector<BasicPeer<Atoms>>& peers) {
    std::vector<BasicWatched<Atoms>> watched;
    for (const auto& peer : peers) watched.push_back({peer.doorbell, peer.inbox, peer.watchers});
    return watched;
  }

  /// Who else holds it only looks at its uses.
  static bool hold_unless_leased(Ring& ring) noexcept {
    while (!ring.hold()) {
      if (ring.is_leased()) return false;
      shm::pause();
    }
    return true;
  }
  static bool try_lease(Ring& ring, const BasicTeam<Atoms>& team) {
    if (!ring.hold()) return false;
    const bool is_free = free_for(ring, team);
    is_free ? ring.lease() : ring.let_go();
    return is_free;
  }
  static bool free_for(Ring& ring, const BasicTeam<Atoms>& team) {
    for (auto& use : ring.uses) {
      if (use.team == nullptr || use.team == &team) continue;
      if (!use.team->epochs().everybody_finished(use.epoch)) return false;
      use = {};
    }
    return true;
  }

  static bool is_unused(const Ring& ring) {
    return std::all_of(ring.uses.begin(), ring.uses.end(),
                       [](const auto& use) { return use.team == nullptr; });
  }

  /// Leased. Null if there is no memory.
  Ring* new_ring() {
    std::byte* const memory = more_rings_ ? more_rings_() : nullptr;
    if (memory == nullptr) return nullptr;
    const auto distance = static_cast<std::size_t>(memory - rings_.front().slots);
    rings_.emplace_back(memory, static_cast<std::uint32_t>(distance / shm::kPageBytes), decisions_);
    rings_.back().lease();
    return &rings_.back();
  }

  Decisions decisions_;
  std::vector<BasicPeer<Atoms>> peers_;
  Geometry geometry_;
  CommonMemory common_;
  shm::Epoch direct_calls_{};
  shm::Epoch pulled_calls_{};
  std::vector<shm::Inbox<Atoms>*> inboxes_;  // by rank
  shm::Neighbours<Atoms> neighbours_;
  shm::Signals<Atoms> signals_;
  std::mutex mutex_;
  std::deque<Ring> rings_;  // a ring never moves
  RingSource more_rings_;
  BasicProgress<Atoms> progress_;  // last: teams on their way out end with it, and use all of the above
};

}  // namespace foldlane::engine
