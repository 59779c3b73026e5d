// Memory for kernel tests: guarded buffers, and inputs chosen to hurt.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <stdexcept>

#include "kernels/elem.hpp"
#include "kernels/op.hpp"

namespace foldlane::kernels::testing {

inline constexpr int kOpCount = static_cast<int>(Op::maxloc) + 1;

/// Calls visit(op, elem) for every valid combination.
template <class Visit>
void for_each_valid(Visit visit) {
  for (int e = 0; e < kElemCount; ++e) {
    for (int o = 0; o < kOpCount; ++o) {
      if (valid(static_cast<Op>(o), static_cast<Elem>(e))) visit(static_cast<Op>(o), static_cast<Elem>(e));
    }
  }
}

/// Pages with an unmapped one on either side: an access outside faults, however small.
class GuardedPages {
 public:
  explicit GuardedPages(std::size_t bytes)
      : page_bytes_(static_cast<std::size_t>(sysconf(_SC_PAGESIZE))),
        bytes_((bytes + page_bytes_ - 1) / page_bytes_ * page_bytes_),
        map_(mmap(nullptr, bytes_ + 2 * page_bytes_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) {
    if (map_ == MAP_FAILED || mprotect(begin(), bytes_, PROT_READ | PROT_WRITE) != 0) {
      throw std::runtime_error("cannot map guarded pages");
    }
  }
  ~GuardedPages() { munmap(map_, bytes_ + 2 * page_bytes_); }
  GuardedPages(const GuardedPages&) = delete;
  GuardedPages& operator=(const GuardedPages&) = delete;

  unsigned char* begin() const { return static_cast<unsigned char*>(map_) + page_bytes_; }
  unsigned char* end() const { return begin() + bytes_; }

 private:
  std::size_t page_bytes_;
  std::size_t bytes_;
  void* map_;
};

using Random = std::minstd_rand;

/// A 64-bit pattern that is a special value for at least one of the element types, or random bits.
inline std::uint64_t nasty_bits(Random& random) {
  static constexpr std::array<std::uint64_t, 28> kSpecial{
      0x0000000000000000, 0x8000000000000000,  // zeros, INT64_MIN
      0x7fffffffffffffff, 0xffffffffffffffff,  // INT64_MAX, a NaN; -1
      0x7ff0000000000000, 0xfff0000000000000,  // f64 infinities
      0x7ff0000000000001, 0xfff8000000000123,  // f64 signalling NaN, quiet NaN with payload
      0x0000000000000001, 0x800fffffffffffff,  // f64 subnormals
      0x7fefffffffffffff, 0x0010000000000000,  // f64 largest, smallest normal
      0x3ff0000000000000, 0xbff8000000000000,  // f64 1, -1.5
      0x7f8000007f800001, 0xff8000003f800000,  // f32 inf/sNaN, -inf/1
      0x800000007fffffff, 0x00000001807fffff,  // f32 -0/NaN (INT32_MIN/MAX), subnormals
      0xffc00001bf800000, 0x7f7fffff00800000,  // f32 qNaN/-1, largest/smallest normal
      0x7c017e00fc007c00, 0x800004000001bc00,  // f16 NaN, infinities; -0, subnormals, -1
      0x7f817fc0ff807f80, 0x3f803f80bf803f81,  // bf16 NaN, infinities; around 1
      0x0000000100000000, 0x0100000000000080,  // logical values that are not 0/1
      0x8000ffff7fff0001, 0x80ff7f0180007f00,  // extremes of 16 and 8 bits
  };
  if (random() % 2 == 0) return kSpecial[random() % kSpecial.size()];
  return (static_cast<std::uint64_t>(random()) << 40) ^ (static_cast<std::uint64_t>(random()) << 20) ^
         random();
}

/// Bit patterns that hurt, for any element type.
inline void fill_nasty(unsigned char* to, std::size_t bytes, Random& random) {
  for (std::size_t at = 0; at < bytes; at += 8) {
    const std::uint64_t bits = nasty_bits(random);
    std::memcpy(to + at, &bits, std::min<std::size_t>(8, bytes - at));
  }
}

/// Floats between about 1/8 and 16 with random signs and full fractions: sums and products of them stay
/// finite and depend on order and rounding. Integers and everything else get random bits.
inline void fill_ordinary(unsigned char* to, Elem elem, std::size_t bytes, Random& random) {
  const auto fill = [&]<class Bits>(Bits, int fraction_bits, unsigned bias) {
    for (std::size_t at = 0; at < bytes; at += sizeof(Bits)) {
      const std::uint64_t exponent = bias - 3 + random() % 7;
      const std::uint64_t fraction =
          (static_cast<std::uint64_t>(random()) << 31 ^ random()) & ((std::uint64_t{1} << fraction_bits) - 1);
      const std::uint64_t sign = std::uint64_t{random() & 0x100u} << (8 * sizeof(Bits) - 9);
      const Bits bits = static_cast<Bits>(sign | exponent << fraction_bits | fraction);
      std::memcpy(to + at, &bits, sizeof bits);
    }
  };
  switch (elem) {
    case Elem::bf16:
      return fill(std::uint16_t{}, 7, 127);
    case Elem::f16:
    case Elem::c16:
      return fill(std::uint16_t{}, 10, 15);
    case Elem::f32:
    case Elem::c32:
    case Elem::pair_f32_f32:
      return fill(std::uint32_t{}, 23, 127);
    case Elem::f64:
    case Elem::c64:
    case Elem::pair_f64_f64:
      return fill(std::uint64_t{}, 52, 1023);
    default:
      for (std::size_t at = 0; at < bytes; ++at) to[at] = static_cast<unsigned char>(random() >> 7);
  }
}

}  // namespace foldlane::kernels::testing
