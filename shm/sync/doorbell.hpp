// How a waiting rank sleeps without costing the publisher a locked instruction.
//
// PROTOCOL D "doorbell"         publisher: rank r          sleepers: any rank that waits for a word of r
//   r:  word.publish(v)                                    [D1] the store
//       light_barrier(); sleepers.peek() != 0 ?            [D2] the load
//         bell.add(1); wake_all(bell)
//   p:  sleepers.add(1); heavy_barrier()                   [D3] the store, ordered before everything below
//       seen = bell.observe()
//       word.observe() >= v ?  leave                       [D4] the load
//       sleep_while(bell == seen)
//
// Either r's [D2] sees the sleeper of [D3], or p's [D4] sees the value of [D1]: the classic store-load pair.
// Its full barrier is paid by p, which is about to sleep anyway: heavy_barrier makes every CPU of the job
// pass a full barrier, so r needs none. Where the kernel refuses membarrier, and where ranks share CPUs and
// sleep often, r pays with a locked read (Wake::locked). WITHOUT [D3]'s barrier: r misses the sleeper, p
// sleeps until its timeout. MODEL: tests/model, "doorbell".
//
// `sleepers` and `bell` are written by several ranks; both only when somebody sleeps, never on the data path.
#pragma once

#include <cstdint>

namespace foldlane::shm {

enum class Wake : std::uint32_t { membarrier = 0, locked = 1 };

/// As a part of a line.
template <class Atoms>
struct BasicBell {
  using Word = typename Atoms::template Word<std::uint32_t>;
  Word sleepers;
  Word bell;

  /// Publisher's side, after the publishing store: whether to ring.
  bool is_awaited(Wake wake) noexcept {
    if (wake == Wake::locked) return sleepers.add(0) != 0;
    Atoms::light_barrier();
    return sleepers.peek() != 0;
  }

  void ring() noexcept {
    bell.add(1);
    Atoms::wake_all(bell);
  }

  /// Sleeper's side: one nap, ended by the bell, the timeout or a signal. `arrived` is checked after
  /// announcing.
  template <class Arrived>
  void sleep_unless(const Arrived& arrived, Wake wake, std::int64_t timeout_ns) noexcept {
    sleepers.add(1);
    if (wake == Wake::membarrier) Atoms::heavy_barrier();
    const std::uint32_t seen = bell.observe();
    if (!arrived()) Atoms::sleep_while(bell, seen, timeout_ns);
    sleepers.add(static_cast<std::uint32_t>(-1));
  }
};

/// Of one rank.
template <class Atoms>
struct alignas(64) Doorbell : BasicBell<Atoms> {};

/// Of a word that no rank has for its own. Its publishers are few and pay for the barrier.
template <class Atoms>
struct LockedBell : BasicBell<Atoms> {
  bool is_awaited() noexcept { return BasicBell<Atoms>::is_awaited(Wake::locked); }
  template <class Arrived>
  void sleep_unless(const Arrived& arrived, Wake, std::int64_t timeout_ns) noexcept {
    BasicBell<Atoms>::sleep_unless(arrived, Wake::locked, timeout_ns);
  }
};

}  // namespace foldlane::shm
