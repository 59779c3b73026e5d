// A collective in progress: a coroutine that stops where it waits for a peer. Each algorithm is written once
// this way; whether a wait blocks (run) or gives the thread back (step) is decided by who drives it.
#pragma once

#include <coroutine>
#include <cstdint>
#include <utility>

#include "engine/frame_pool.hpp"

namespace foldlane::engine {

enum class Progress : std::uint8_t { done, waiting, failed };

/// What a procedure is waiting for; lives in its frame. `blocking` is set by the driver.
class Wait {
 public:
  /// waiting: not yet, and not blocking. failed: never, the job has failed.
  virtual Progress poll() = 0;
  virtual void set_blocking(bool blocking) noexcept = 0;

 protected:
  ~Wait() = default;
};

/// Waits in place, outside of any procedure. False if the job has failed. Inline, so that what is awaited
/// stays in registers.
template <class Awaited>
[[gnu::always_inline]] inline bool block(Awaited awaited) {
  awaited.set_blocking(true);
  if (!awaited.await_ready()) return false;
  awaited.await_resume();
  return true;
}

class Procedure {
 public:
  struct promise_type {
    static void* operator new(std::size_t bytes) { return FramePool::of_thread().allocate(bytes); }
    static void operator delete(void* frame, std::size_t bytes) noexcept {
      FramePool::of_thread().release(frame, bytes);
    }

    Procedure get_return_object() noexcept {
      return Procedure(std::coroutine_handle<promise_type>::from_promise(*this));
    }
    std::suspend_always initial_suspend() const noexcept { return {}; }
    std::suspend_always final_suspend() const noexcept { return {}; }
    void return_void() const noexcept {}
    /// Only a caller's operation throws; its exception leaves through run() or step().
    void unhandled_exception() const { throw; }

    template <class Awaited>
    Awaited await_transform(Awaited awaited) noexcept {
      awaited.set_blocking(blocking);
      return awaited;
    }

    Wait* pending = nullptr;
    bool blocking = false;
  };

  Procedure(Procedure&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Procedure& operator=(Procedure&&) = delete;
  ~Procedure() {
    if (handle_) handle_.destroy();  // at a wait: a failed procedure is simply dropped
  }

  /// Goes on as far as it can without blocking. After done or failed it must not be called again.
  Progress step() { return advance(); }

  /// Goes on to the end, blocking in its waits. True if done, false if the job has failed.
  bool run() {
    promise_type& promise = handle_.promise();
    promise.blocking = true;
    if (promise.pending != nullptr) promise.pending->set_blocking(true);  // after some steps
    return advance() == Progress::done;
  }

 private:
  explicit Procedure(std::coroutine_handle<promise_type> handle) noexcept : handle_(handle) {}

  Progress advance() {
    promise_type& promise = handle_.promise();
    do {
      if (promise.pending != nullptr) {
        const Progress state = promise.pending->poll();
        if (state != Progress::done) return state;
        promise.pending = nullptr;
      }
      handle_.resume();
    } while (promise.pending != nullptr);
    return Progress::done;
  }

  std::coroutine_handle<promise_type> handle_;
};

}  // namespace foldlane::engine
