// bf16 and f16 to f32 and back, one value at a time, in integer arithmetic: the same bits on every machine.
#pragma once

#include <bit>
#include <cstdint>

namespace foldlane::kernels {

inline float bf16_to_f32(std::uint16_t half) noexcept {
  return std::bit_cast<float>(static_cast<std::uint32_t>(half) << 16);
}

/// Drops the `bits` lowest bits of `value`, rounding to nearest, ties to even.
inline std::uint32_t round_off(std::uint32_t value, int bits) noexcept {
  const std::uint32_t half = 1u << (bits - 1);
  const std::uint32_t last_kept = (value >> bits) & 1u;
  return (value + (half - 1u) + last_kept) >> bits;
}

/// A NaN must be the canonical one (NUMERICS.md): rounding another payload could carry it into infinity.
inline std::uint16_t f32_to_bf16(float value) noexcept {
  return static_cast<std::uint16_t>(round_off(std::bit_cast<std::uint32_t>(value), 16));
}

inline float f16_to_f32(std::uint16_t half) noexcept {
  const std::uint32_t sign = (half & 0x8000u) << 16;
  const std::uint32_t exponent = (half >> 10) & 0x1fu;
  const std::uint32_t fraction = half & 0x3ffu;
  if (exponent == 0x1f) return std::bit_cast<float>(sign | 0x7f800000u | (fraction << 13));
  if (exponent == 0) {
    const float magnitude = static_cast<float>(fraction) * 0x1p-24f;
    return sign != 0 ? -magnitude : magnitude;
  }
  return std::bit_cast<float>(sign | ((exponent + 127 - 15) << 23) | (fraction << 13));
}

inline std::uint16_t f32_to_f16(float value) noexcept {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t sign = (bits >> 16) & 0x8000u;
  const std::uint32_t magnitude = bits & 0x7fffffffu;
  std::uint32_t rounded = 0x7c00u;  // infinity, and everything that rounds to it
  if (magnitude > 0x7f800000u) {
    rounded = 0x7e00u;  // NaN
  } else if (magnitude < 0x33000000u) {
    rounded = 0;  // below 2^-25, half of the smallest subnormal
  } else if (magnitude < 0x38800000u) {
    // Subnormal result: shift the 24-bit significand so that its unit is 2^-24.
    const int exponent = static_cast<int>(magnitude >> 23);
    rounded = round_off((magnitude & 0x7fffffu) | 0x800000u, 126 - exponent);
  } else if (magnitude < 0x47800000u) {
    rounded = round_off(magnitude - ((127u - 15u) << 23), 13);  // a carry out of 65504 gives infinity
  }
  return static_cast<std::uint16_t>(sign | rounded);
}

}  // namespace foldlane::kernels
