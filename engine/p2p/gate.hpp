// One thread of a process at a time is inside its messenger.
#pragma once

#include <cstdint>
#include <mutex>

#include "shm/machine/cpu_mask.hpp"
#include "shm/sync/atoms.hpp"
#include "shm/sync/pause.hpp"

namespace foldlane::engine {

/// The threads that wait for messages, but for one that polls for all.
class Bystanders {
 public:
  /// `cpus`: on how many this process's threads may run.
  explicit Bystanders(int cpus) noexcept : cpus_(static_cast<std::uint32_t>(cpus)) {}
  /// With one more they are more than CPUs.
  bool are_many() const noexcept { return count_.peek() >= cpus_; }

  /// One of them, from its first note on.
  class One {
   public:
    explicit One(Bystanders& all) noexcept : all_(all) {}
    One(const One&) = delete;
    One& operator=(const One&) = delete;
    ~One() {
      if (is_noted_) all_.count_.add(static_cast<std::uint32_t>(-1));
    }
    void note() noexcept {
      if (!is_noted_) all_.count_.add(1);
      is_noted_ = true;
    }

   private:
    Bystanders& all_;
    bool is_noted_ = false;
  };

 private:
  shm::RealAtoms::Word<std::uint32_t> count_{};
  const std::uint32_t cpus_;
};

/// Going in and out takes longer than a look for messages. So who waits for some stays inside, and goes out
/// when somebody knocks.
class Gate {
 public:
  void enter() {
    if (!mutex_.try_lock()) [[unlikely]]
      enter_behind();
  }
  /// False: somebody is inside.
  bool try_enter() noexcept { return mutex_.try_lock(); }
  void leave() noexcept { mutex_.unlock(); }
  /// Somebody stands before it.
  bool is_wanted() const noexcept { return waiting_.peek() != 0; }
  /// Those that do not knock.
  Bystanders& bystanders() noexcept { return bystanders_; }

 private:
  /// Who is inside is mostly about to leave; but it may have no CPU just now, or share this one.
  static constexpr int kPolls = 64;

  [[gnu::cold, gnu::noinline]] void enter_behind() {
    waiting_.add(1);
    bool is_inside = false;
    for (int poll = 0; poll < kPolls && !is_inside; ++poll) {
      shm::pause();
      is_inside = mutex_.try_lock();
    }
    if (!is_inside) mutex_.lock();
    waiting_.add(static_cast<std::uint32_t>(-1));
  }

  std::mutex mutex_;
  Bystanders bystanders_{shm::own_cpus().count()};
  shm::RealAtoms::Word<std::uint32_t> waiting_{};
};

}  // namespace foldlane::engine
