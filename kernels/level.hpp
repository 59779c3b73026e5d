// The instruction-set level of this process, decided once. Internal to kernels/; isa.hpp shows it to people.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace foldlane::kernels {

enum class Level : std::uint8_t { avx512, avx2, sse, neon, scalar };

/// The levels this build contains, best first.
#ifdef __x86_64__
inline constexpr std::array kLevels{Level::avx512, Level::avx2, Level::sse, Level::scalar};
#else
inline constexpr std::array kLevels{Level::neon, Level::scalar};
#endif

std::string_view name(Level level) noexcept;

/// Whether this CPU can run `level`.
bool supported(Level level) noexcept;

/// What FOLDLANE_DISABLE_ISA said at first use; a later setenv changes nothing.
struct Disabled {
  std::array<bool, static_cast<std::size_t>(Level::scalar) + 1> level{};
  std::array<char, 64> unknown{};  // the first name in it that is no level, cut to fit; "" if all are
};
const Disabled& disabled_levels() noexcept;

/// The best supported level that is not disabled. scalar cannot be disabled.
Level chosen_level() noexcept;

}  // namespace foldlane::kernels
