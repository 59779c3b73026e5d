// How a rank sleeps until the first of several others has published something.
//
// PROTOCOL W "watch"             publisher: rank r         watcher: rank p, of any number of publishers
//   p:  seen = inbox(p).bell.observe()
//       watchers(r).add(p)                                 [W1] says who is to be rung
//       sleepers(r).add(1)                                 [W2] makes r look (doorbell.hpp)
//       heavy_barrier()
//       every awaited word.observe() >= v ?  leave         [W3]
//       sleep_while(inbox(p).bell == seen)
//   r:  word.publish(v)
//       light_barrier(); sleepers(r).peek() != 0 ?
//         for each p in watchers(r): inbox(p).ring()       [W4]
// The argument is that of the doorbell: either r sees [W2], and then [W1], which comes before it, or p's [W3]
// sees the value. `seen` is read before the words, so that a ring in between ends the sleep at once. WITHOUT
// [W1] before [W2], where wakes are locked: r looks, finds nobody, and p sleeps until its timeout (membarrier
// orders both at once). MODEL: tests/model, "watch".
//
// A rank's threads count how many of them watch a publisher (engine/progress/progress.hpp), so each rank owns
// its bit.
#pragma once

#include <bit>
#include <cstdint>

#include "shm/sync/doorbell.hpp"

namespace foldlane::shm {

/// What wakes a rank, whoever it waits for; also for what threads of one rank tell each other.
template <class Atoms>
struct alignas(64) Inbox : BasicBell<Atoms> {
  std::uint32_t seen() const noexcept { return this->bell.observe(); }
  void sleep_while(std::uint32_t seen, std::int64_t timeout_ns) noexcept {
    Atoms::sleep_while(this->bell, seen, timeout_ns);
  }
  /// Something was published for this rank alone (engine/p2p), which may sleep: as in protocol D, so the
  /// sleeper need not watch who publishes (engine/progress).
  void tell(Wake wake) noexcept {
    if (this->is_awaited(wake)) [[unlikely]]
      this->ring();
  }
};

/// Of one rank: who sleeps on an inbox until it publishes something.
template <class Atoms>
struct alignas(64) Watchers {
  using Word = typename Atoms::template Word<std::uint64_t>;
  static constexpr int kWordBits = 64;
  static constexpr int kMostRanks = 4096;
  Word ranks[kMostRanks / kWordBits];

  void add(int rank) noexcept { ranks[rank / kWordBits].add(bit_of(rank)); }
  void remove(int rank) noexcept { ranks[rank / kWordBits].add(~bit_of(rank) + 1); }

  /// Calls `use` with each of the ranks below `end`.
  template <class Use>
  void for_each(int end, const Use& use) const noexcept {
    for (int first = 0; first < end; first += kWordBits) {
      for (std::uint64_t bits = ranks[first / kWordBits].observe(); bits != 0; bits &= bits - 1)
        use(first + std::countr_zero(bits));
    }
  }

 private:
  static constexpr std::uint64_t bit_of(int rank) noexcept { return std::uint64_t{1} << rank % kWordBits; }
};

/// How a rank reaches those who watch it.
template <class Atoms>
struct Neighbours {
  const Watchers<Atoms>* watchers;
  Inbox<Atoms>* const* inboxes;  // by rank
  int ranks;

  void ring() const noexcept {
    watchers->for_each(ranks, [this](int rank) { inboxes[rank]->ring(); });
  }
};

}  // namespace foldlane::shm
