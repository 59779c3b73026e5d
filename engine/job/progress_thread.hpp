// Progress without calls: a thread that goes on with what is under way while the program computes. By option,
// because it costs a lock in every call, and time of a CPU that the program may want.
#pragma once

#include <cstdint>
#include <thread>

#include "engine/job/job.hpp"
#include "shm/sync/atoms.hpp"

namespace foldlane::engine {

/// Sleeps while nothing is under way, and while what is waits for other ranks. Takes no signals of the
/// program. Functions of the program that are part of an operation may be called on it.
class ProgressThread {
 public:
  /// Whether the environment asks for it: FOLDLANE_PROGRESS_THREAD=1.
  static bool is_wanted() noexcept;

  /// After Job::allow_threads(). Throws std::system_error if the thread cannot be started.
  explicit ProgressThread(Job& job);
  ProgressThread(const ProgressThread&) = delete;
  ProgressThread& operator=(const ProgressThread&) = delete;
  /// Waits for its end, which is soon.
  ~ProgressThread();

 private:
  Job& job_;
  shm::RealAtoms::Word<std::uint32_t> stopping_{};
  std::thread thread_;
};

}  // namespace foldlane::engine
