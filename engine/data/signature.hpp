// The type signature of a datatype: the sequence of its basic elements, as far as comparing needs it. Equal
// sequences have equal signatures, whatever constructors made them; different ones differ, but for a chance
// of about 2^-61.
#pragma once

#include <cstdint>

namespace foldlane::engine {

struct Signature {
  std::uint64_t elements;  // basic elements
  std::uint64_t hash;      // the code that all elements have in common; otherwise kMixed | a polynomial hash

  friend bool operator==(const Signature&, const Signature&) = default;
};

namespace signature_detail {

__extension__ typedef unsigned __int128 Wide;

inline constexpr std::uint64_t kMixed = std::uint64_t{1} << 63;
inline constexpr std::uint64_t kPrime = (std::uint64_t{1} << 61) - 1;
inline constexpr std::uint64_t kBase = 0x0b4f5a1c93d27e61;  // any number below the prime that is not small

constexpr std::uint64_t times(std::uint64_t a, std::uint64_t b) noexcept {
  return static_cast<std::uint64_t>(Wide{a} * b % kPrime);
}

// The hash of a sequence c1 … cn is the sum of ci * base^(n-i); `power`, base^n, makes it composable.
struct Polynomial {
  std::uint64_t hash;
  std::uint64_t power;
};

constexpr Polynomial joined(Polynomial a, Polynomial b) noexcept {
  return {(times(a.hash, b.power) + b.hash) % kPrime, times(a.power, b.power)};
}

constexpr Polynomial repeated(Polynomial one, std::uint64_t n) noexcept {
  Polynomial result{0, 1};
  for (; n != 0; n >>= 1) {
    if ((n & 1) != 0) result = joined(result, one);
    one = joined(one, one);
  }
  return result;
}

constexpr bool uniform(Signature signature) noexcept { return signature.hash < kMixed; }

constexpr Polynomial polynomial(Signature signature) noexcept {
  if (uniform(signature)) return repeated(Polynomial{signature.hash, kBase}, signature.elements);
  return {signature.hash & ~kMixed, repeated(Polynomial{0, kBase}, signature.elements).power};
}

}  // namespace signature_detail

/// All basic elements are of one kind.
constexpr bool is_uniform(Signature signature) noexcept { return signature_detail::uniform(signature); }

/// `a` and then `b`. The number of elements must not overflow: check the bytes first.
constexpr Signature concatenated(Signature a, Signature b) noexcept {
  using namespace signature_detail;
  if (a.elements == 0) return b;
  if (b.elements == 0) return a;
  if (uniform(a) && a.hash == b.hash) return {a.elements + b.elements, a.hash};
  return {a.elements + b.elements, joined(polynomial(a), polynomial(b)).hash | kMixed};
}

/// `signature` n times, in O(log n) steps.
constexpr Signature repeated(Signature signature, std::uint64_t n) noexcept {
  using namespace signature_detail;
  if (n == 0 || signature.elements == 0) return {0, 0};
  const std::uint64_t elements = signature.elements * n;
  if (uniform(signature)) return {elements, signature.hash};
  return {elements, repeated(polynomial(signature), n).hash | kMixed};
}

}  // namespace foldlane::engine
