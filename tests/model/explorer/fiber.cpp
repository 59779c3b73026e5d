#include "fiber.hpp"

#include <pthread.h>

#include <cstdlib>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/common_interface_defs.h>
#endif

namespace foldlane::model {
namespace {

void (*entry_of_next_start)() = nullptr;

}  // namespace

Fiber::Fiber() {
  pthread_attr_t attributes;
  void* bottom = nullptr;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) std::abort();
  pthread_attr_getstack(&attributes, &bottom, &stack_bytes_);
  pthread_attr_destroy(&attributes);
  stack_bottom_ = bottom;
}

Fiber::Fiber(std::size_t stack_bytes)
    : stack_(std::make_unique_for_overwrite<std::byte[]>(stack_bytes)),
      stack_bottom_(stack_.get()),
      stack_bytes_(stack_bytes) {}

void Fiber::start(void (*entry)()) {
  entry_of_next_start = entry;
  started_ = false;
  getcontext(&context_);
  context_.uc_stack.ss_sp = stack_.get();
  context_.uc_stack.ss_size = stack_bytes_;
  context_.uc_link = nullptr;
  makecontext(&context_, enter, 0);
}

void Fiber::enter() {
#ifdef __SANITIZE_ADDRESS__
  __sanitizer_finish_switch_fiber(nullptr, nullptr, nullptr);
#endif
  entry_of_next_start();
}

#ifdef __SANITIZE_ADDRESS__
// Without these notes AddressSanitizer takes the other stack for an overflow of this one; and it intercepts
// longjmp, which it expects to stay on one stack.
void Fiber::switch_between(Fiber& from, Fiber& to) {
  __sanitizer_start_switch_fiber(&from.shadow_, to.stack_bottom_, to.stack_bytes_);
  swapcontext(&from.context_, &to.context_);
  __sanitizer_finish_switch_fiber(from.shadow_, nullptr, nullptr);
}
#else
// swapcontext costs two system calls for the signal mask, most of the time of a model; the jump costs none.
void Fiber::switch_between(Fiber& from, Fiber& to) {
  if (_setjmp(from.resume_) != 0) return;
  if (to.started_) _longjmp(to.resume_, 1);
  to.started_ = true;
  setcontext(&to.context_);
}
#endif

}  // namespace foldlane::model
