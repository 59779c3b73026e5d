// The CPU's hint that this is a polling loop.
#pragma once

namespace foldlane::shm {

inline void pause() noexcept {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ __volatile__("isb");  // `yield` is a no-op on most cores; isb takes a comparable few tens of cycles
#endif
}

}  // namespace foldlane::shm
