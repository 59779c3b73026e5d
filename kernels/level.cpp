// Chooses the instruction-set level: what the CPU has, minus what FOLDLANE_DISABLE_ISA takes away.
#include "kernels/level.hpp"

#ifdef __aarch64__
#include <sys/auxv.h>
#endif

#include <algorithm>
#include <cstdlib>

namespace foldlane::kernels {
namespace {

#ifdef __x86_64__
/// What Highway's code for SSE4, AVX2 and AVX3 is compiled with (HWY_TARGET_STR of set_macros-inl.h). The
/// compiler's detection also asks whether the kernel saves the registers. Highway's own would cost every
/// process 2.8 ms: its library measures the clock while it is loaded.
#define FOLDLANE_HAS(feature) (__builtin_cpu_supports(feature) != 0)

bool has_sse4() noexcept {
  return FOLDLANE_HAS("ssse3") && FOLDLANE_HAS("sse4.1") && FOLDLANE_HAS("sse4.2") &&
         FOLDLANE_HAS("pclmul") && FOLDLANE_HAS("aes");
}
bool has_avx2() noexcept {
  return has_sse4() && FOLDLANE_HAS("avx") && FOLDLANE_HAS("avx2") && FOLDLANE_HAS("bmi") &&
         FOLDLANE_HAS("bmi2") && FOLDLANE_HAS("fma") && FOLDLANE_HAS("f16c");
}
bool has_avx512() noexcept {
  return has_avx2() && FOLDLANE_HAS("avx512f") && FOLDLANE_HAS("avx512vl") && FOLDLANE_HAS("avx512dq") &&
         FOLDLANE_HAS("avx512bw");
}

#undef FOLDLANE_HAS
#endif

void disable(std::string_view token, Disabled& disabled) noexcept {
  for (std::size_t i = 0; i < disabled.level.size(); ++i) {
    if (token == name(static_cast<Level>(i))) {
      disabled.level[i] = true;
      return;
    }
  }
  // The last byte stays the terminator.
  if (disabled.unknown[0] == '\0') token.copy(disabled.unknown.data(), disabled.unknown.size() - 1);
}

Disabled read_environment() noexcept {
  Disabled disabled;
  const char* value = std::getenv("FOLDLANE_DISABLE_ISA");
  std::string_view rest = value == nullptr ? "" : value;
  while (!rest.empty()) {
    const std::size_t token_bytes = std::min(rest.find(','), rest.size());
    if (token_bytes != 0) disable(rest.substr(0, token_bytes), disabled);
    rest.remove_prefix(std::min(token_bytes + 1, rest.size()));
  }
  return disabled;
}

Level choose() noexcept {
  for (Level level : kLevels) {
    if (supported(level) && !disabled_levels().level[static_cast<std::size_t>(level)]) return level;
  }
  return Level::scalar;
}

}  // namespace

std::string_view name(Level level) noexcept {
  switch (level) {
    case Level::avx512:
      return "avx512";
    case Level::avx2:
      return "avx2";
    case Level::sse:
      return "sse";
    case Level::neon:
      return "neon";
    case Level::scalar:
      break;
  }
  return "scalar";
}

bool supported(Level level) noexcept {
  switch (level) {
#ifdef __x86_64__
    case Level::avx512:
      return has_avx512();
    case Level::avx2:
      return has_avx2();
    case Level::sse:
      return has_sse4();
#else
    case Level::neon:  // Highway's kind of it has the instructions for AES
      return (getauxval(AT_HWCAP) & HWCAP_AES) != 0;
#endif
    case Level::scalar:
      return true;
    default:
      return false;
  }
}

const Disabled& disabled_levels() noexcept {
  static const Disabled disabled = read_environment();
  return disabled;
}

Level chosen_level() noexcept {
  static const Level level = choose();
  return level;
}

}  // namespace foldlane::kernels
