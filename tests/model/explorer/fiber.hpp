// Fibers: the ranks of a model take turns on one kernel thread, so that the explorer decides every step.
#pragma once

#include <setjmp.h>
#include <ucontext.h>

#include <cstddef>
#include <memory>

namespace foldlane::model {

class Fiber {
 public:
  /// The kernel thread's own stack: where the explorer itself runs.
  Fiber();
  explicit Fiber(std::size_t stack_bytes);

  /// The next switch to this fiber runs `entry` from its start. `entry` must never return.
  void start(void (*entry)());

  static void switch_between(Fiber& from, Fiber& to);

 private:
  static void enter();

  ucontext_t context_{};  // where to start
  jmp_buf resume_{};      // where to go on
  bool started_ = true;
  std::unique_ptr<std::byte[]> stack_;
  const void* stack_bottom_ = nullptr;
  std::size_t stack_bytes_ = 0;
  void* shadow_ = nullptr;  // AddressSanitizer's note about the stack that is left
};

}  // namespace foldlane::model
