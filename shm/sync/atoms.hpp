// The only home of atomic operations. Each is named after what it is for; its memory order is part of that
// name's meaning, never an argument. Protocols are templates over an Atoms policy: RealAtoms here, ModelAtoms
// in tests/model, so that the model checker explores the code that ships.
#pragma once

#include <atomic>
#include <cstdint>

#include "shm/sync/futex.hpp"

namespace foldlane::shm {

struct RealAtoms {
  /// A word of shared memory. Zero bytes are a valid initial state; nothing is ever constructed in the
  /// segment.
  template <class T>
  class Word {
    static_assert(std::atomic_ref<T>::is_always_lock_free);

   public:
    /// Release: all that the writer did before is visible to whoever observes this value.
    void publish(T value) noexcept { ref().store(value, std::memory_order_release); }

    /// Acquire: the pair of publish.
    T observe() const noexcept { return ref().load(std::memory_order_acquire); }

    /// Relaxed: a hint, or a word that only this process writes.
    T peek() const noexcept { return ref().load(std::memory_order_relaxed); }

    /// Sequentially consistent read-modify-write; for sleeping and set-up only, never on the data path.
    T add(T amount) noexcept { return ref().fetch_add(amount, std::memory_order_seq_cst); }
    void set(T bits) noexcept { ref().fetch_or(bits, std::memory_order_seq_cst); }
    /// Leaves 0 behind.
    T take() noexcept { return ref().exchange(0, std::memory_order_seq_cst); }
    bool claim(T expected, T desired) noexcept {
      return ref().compare_exchange_strong(expected, desired, std::memory_order_seq_cst);
    }

   private:
    std::atomic_ref<T> ref() const noexcept { return std::atomic_ref<T>(value_); }

    alignas(std::atomic_ref<T>::required_alignment) mutable T value_;
  };

  /// Keeps the compiler from moving a later load above an earlier store. The CPU may still do it;
  /// heavy_barrier on the other side makes up for that.
  static void light_barrier() noexcept { std::atomic_signal_fence(std::memory_order_seq_cst); }

  /// Until the stores of this thread have left its core, for who takes their time: a locked instruction of
  /// x86-64 waits for them, on AArch64 they may take longer.
  static void drain_stores() noexcept { std::atomic<int>(0).exchange(1, std::memory_order_seq_cst); }

  /// A full barrier on every CPU that runs a process of this job (membarrier); see doorbell.hpp.
  static void heavy_barrier() noexcept { global_barrier(); }

  static void sleep_while(const Word<std::uint32_t>& bell, std::uint32_t seen,
                          std::int64_t timeout_ns) noexcept {
    futex_wait(&bell, seen, timeout_ns);
  }
  static void wake_all(const Word<std::uint32_t>& bell) noexcept { futex_wake_all(&bell); }

  /// The model sees every access to shared data through these; the product has nothing to do.
  static void reads(const void*, std::size_t) noexcept {}
  static void writes(const void*, std::size_t) noexcept {}
};

}  // namespace foldlane::shm
