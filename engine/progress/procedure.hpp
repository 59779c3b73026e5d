// A collective in progress: a coroutine that stops where it waits for a peer. Each algorithm is written once
// this way; whether a wait blocks (run) or gives the thread back (step) is decided by who drives it.
//
// A procedure can await another one, which then stops in its place: the driver sees one procedure, whose
// innermost part (the leaf) is resumed.
#pragma once

#include <coroutine>
#include <cstdint>
#include <exception>
#include <utility>

#include "engine/progress/frame_pool.hpp"
#include "engine/progress/long_wait.hpp"
#include "engine/progress/patience.hpp"

namespace foldlane::engine {

enum class Progress : std::uint8_t { done, waiting, failed };

inline Progress outcome(bool arrived) noexcept { return arrived ? Progress::done : Progress::failed; }
inline Progress outcome(Progress progress) noexcept { return progress; }

/// What a procedure is waiting for; lives in its frame. `blocking` is set by the driver.
class Wait {
 public:
  /// waiting: not yet, and not blocking. failed: never, the job or the team has failed.
  virtual Progress poll(Patience patience) = 0;
  virtual void set_blocking(bool blocking) noexcept = 0;
  /// The rank of the job whose next publication may end it.
  virtual int writer() const noexcept = 0;
  /// Another number whenever what it stands for has gone on, although it still waits.
  virtual std::uint64_t steps() const noexcept { return 0; }

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
  struct promise_type;
  using Handle = std::coroutine_handle<promise_type>;
  class Part;

  /// Goes to whoever awaits this procedure, if anybody does.
  struct Return {
    bool await_ready() const noexcept { return false; }
    std::coroutine_handle<> await_suspend(Handle ended) const noexcept;
    void await_resume() const noexcept {}
  };

  struct promise_type {
    // GCC takes them for mismatched where it inlines only one of them.
    [[gnu::always_inline]] static void* operator new(std::size_t bytes) {
      return FramePool::of_thread().allocate(bytes);
    }
    [[gnu::always_inline]] static void operator delete(void* frame, std::size_t bytes) noexcept {
      FramePool::of_thread().release(frame, bytes);
    }

    Procedure get_return_object() noexcept { return Procedure(Handle::from_promise(*this)); }
    std::suspend_always initial_suspend() const noexcept { return {}; }
    Return final_suspend() const noexcept { return {}; }
    void return_void() const noexcept {}
    /// Only a caller's operation throws; its exception leaves through run() or step() of the outermost one.
    void unhandled_exception() {
      if (caller == nullptr) throw;
      error = std::current_exception();
    }

    template <class Awaited>
    Awaited await_transform(Awaited awaited) noexcept {
      awaited.set_blocking(root->blocking);
      return awaited;
    }
    Part await_transform(Procedure part) noexcept;

    // Of the outermost procedure: where all of it stands.
    Wait* pending = nullptr;
    Handle leaf{};
    bool blocking = false;
    std::uint32_t resumptions = 0;
    // Of a part.
    promise_type* root = this;
    Handle caller{};
    std::exception_ptr error{};
  };

  Procedure(Procedure&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Procedure& operator=(Procedure&&) = delete;
  ~Procedure() {
    if (handle_) handle_.destroy();  // at a wait: a failed procedure is simply dropped
  }

  /// `awaiting` stops until `wait` is over; for awaiters.
  static void suspend(Handle awaiting, Wait& wait) noexcept {
    promise_type& root = *awaiting.promise().root;
    root.pending = &wait;
    root.leaf = awaiting;
  }

  /// Goes on as far as it can without blocking. After done or failed it must not be called again.
  Progress step(Patience patience = Patience::none) { return advance(patience); }

  /// Goes on to the end, blocking in its waits. True if done, false if the job has failed.
  bool run() {
    promise_type& promise = handle_.promise();
    promise.blocking = true;
    if (promise.pending != nullptr) promise.pending->set_blocking(true);  // after some steps
    return advance(Patience::none) == Progress::done;
  }

  /// After a step that was waiting: for whom.
  int awaited_rank() const noexcept { return handle_.promise().pending->writer(); }
  std::uint64_t steps() const noexcept {
    const promise_type& promise = handle_.promise();
    return std::uint64_t{promise.resumptions} << 32 | (promise.pending->steps() & 0xffffffff);
  }

 private:
  explicit Procedure(Handle handle) noexcept : handle_(handle) {}

  Progress advance(Patience patience) {
    promise_type& promise = handle_.promise();
    Handle next = promise.pending != nullptr ? promise.leaf : handle_;
    do {
      if (promise.pending != nullptr) {
        const Progress state = promise.pending->poll(patience);
        if (state != Progress::done) return state;
        promise.pending = nullptr;
        next = promise.leaf;
      }
      ++promise.resumptions;
      next.resume();
    } while (promise.pending != nullptr);
    return Progress::done;
  }

  Handle handle_;
};

/// Awaiting a procedure inside another one.
class Procedure::Part {
 public:
  explicit Part(Procedure part) noexcept : part_(std::move(part)) {}
  bool await_ready() const noexcept { return false; }
  Handle await_suspend(Handle caller) const noexcept {
    promise_type& promise = part_.handle_.promise();
    promise.root = caller.promise().root;
    promise.caller = caller;
    return part_.handle_;
  }
  void await_resume() const {
    if (const auto& error = part_.handle_.promise().error) std::rethrow_exception(error);
  }

 private:
  Procedure part_;
};

inline Procedure::Part Procedure::promise_type::await_transform(Procedure part) noexcept {
  return Part(std::move(part));
}

inline std::coroutine_handle<> Procedure::Return::await_suspend(Handle ended) const noexcept {
  const Handle caller = ended.promise().caller;
  return caller ? std::coroutine_handle<>(caller) : std::noop_coroutine();
}

/// Ends a procedure that has given its team up itself.
class Surrender final : public Wait {
 public:
  void set_blocking(bool) noexcept override {}
  Progress poll(Patience) override { return Progress::failed; }
  int writer() const noexcept override { return 0; }
  bool await_ready() const noexcept { return false; }
  void await_suspend(Procedure::Handle handle) noexcept { Procedure::suspend(handle, *this); }
  void await_resume() const noexcept {}
};

}  // namespace foldlane::engine
