// Programs that draw what they do name what hangs.
#pragma once

#include <signal.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstring>

namespace foldlane::testing {

inline char hanging[64];

/// Until the next one begins.
inline void watch(const char* what, std::uint64_t number) {
  constexpr unsigned kSeconds = 120;
  std::snprintf(hanging, sizeof hanging, "%s %llu hangs\n", what, static_cast<unsigned long long>(number));
  signal(SIGALRM, [](int) {
    if (write(STDERR_FILENO, hanging, std::strlen(hanging)) < 0) _exit(3);
    _exit(2);
  });
  alarm(kSeconds);
}

}  // namespace foldlane::testing
