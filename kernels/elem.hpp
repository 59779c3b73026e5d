// The element types a kernel can fold: their arithmetic, size and alignment. Knows nothing of MPI: several
// MPI datatypes (a byte, a logical, an unsigned char) may map to one Elem, and the caller restricts the ops
// further.
#pragma once

#include <cstddef>
#include <cstdint>

namespace foldlane::kernels {

enum class Elem : std::uint8_t {
  i8,
  i16,
  i32,
  i64,
  i128,
  u8,
  u16,
  u32,
  u64,
  u128,
  bf16,
  f16,
  f32,
  f64,
  f80,   // long double of the C compiler: x87 extended on x86-64, IEEE quad on aarch64
  f128,  // IEEE quad (__float128 on x86-64, long double on aarch64)
  c16,   // complex of f16; the number counts the bits of one part
  c32,
  c64,
  c80,
  c128,
  pair_f32_i32,
  pair_f64_i32,
  pair_i64_i32,
  pair_i32_i32,
  pair_i16_i32,
  pair_f80_i32,  // C structs, with padding
  pair_f32_f32,
  pair_f64_f64,  // Fortran pairs: the index is a real
};

inline constexpr int kElemCount = static_cast<int>(Elem::pair_f64_f64) + 1;

/// Bytes from one element to the next in an array (padding of pairs and long double included).
std::size_t elem_bytes(Elem elem) noexcept;

/// Whether some of these bytes are nobody's: a fold writes them as 0, where a copy takes them along.
bool has_padding(Elem elem) noexcept;

const char* name(Elem elem) noexcept;

}  // namespace foldlane::kernels
