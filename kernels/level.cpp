// Chooses the instruction-set level: what the CPU has, minus what FOLDLANE_DISABLE_ISA takes away.
#include "kernels/level.hpp"

#include <algorithm>
#include <cstdlib>

#include "hwy/targets.h"

namespace foldlane::kernels {
namespace {

/// Highway's name of a level. Its detection also asks whether the kernel saves the registers.
std::int64_t highway_target(Level level) noexcept {
  switch (level) {
    case Level::avx512:
      return HWY_AVX3;
    case Level::avx2:
      return HWY_AVX2;
    case Level::sse:
      return HWY_SSE4;
    case Level::neon:
      return HWY_NEON;
    case Level::scalar:
      break;
  }
  return 0;
}

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
  return level == Level::scalar || (hwy::SupportedTargets() & highway_target(level)) != 0;
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
