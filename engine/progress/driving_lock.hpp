// One thread of a process at a time goes on with what is under way.
#pragma once

#include <cstdint>
#include <mutex>

namespace foldlane::engine {

/// Costs nothing while there is one thread alone.
class DrivingLock {
 public:
  enum class Kind : std::uint8_t { waits, tries };
  DrivingLock(std::mutex& mutex, bool has_threads, Kind kind) {
    if (has_threads) [[unlikely]]
      take(mutex, kind);
  }
  DrivingLock(const DrivingLock&) = delete;
  DrivingLock& operator=(const DrivingLock&) = delete;
  ~DrivingLock() {
    if (locked_ != nullptr) [[unlikely]]
      locked_->unlock();
  }
  explicit operator bool() const noexcept { return held_; }

 private:
  [[gnu::noinline]] void take(std::mutex& mutex, Kind kind) {
    held_ = kind == Kind::waits || mutex.try_lock();
    if (kind == Kind::waits) mutex.lock();
    if (held_) locked_ = &mutex;
  }

  std::mutex* locked_ = nullptr;
  bool held_ = true;
};

}  // namespace foldlane::engine
