// The type signature of a datatype: the sequence of its basic elements, as far as comparing needs it. Equal
// sequences have equal signatures, whatever constructors made them; different ones differ, but for a chance
// of about 2^-61. Beside that of the elements goes one of what messages take them for, which may tell less.
#pragma once

#include <cstdint>

namespace foldlane::engine {

struct Signature {
  std::uint64_t elements;   // basic elements
  std::uint64_t hash;       // the code that all elements have in common; otherwise kMixed | a polynomial hash
  std::uint64_t alike = 0;  // the same of other codes: elements that messages may mix up have one

  friend bool operator==(const Signature&, const Signature&) = default;
};

namespace signature_detail {

__extension__ typedef unsigned __int128 Wide;

inline constexpr std::uint64_t kMixed = std::uint64_t{1} << 63;
inline constexpr std::uint64_t kPrime = (std::uint64_t{1} << 61) - 1;
inline constexpr std::uint64_t kBase = 0x0b4f5a1c93d27e61;  // any number below the prime that is not small

/// Modulo 2^61 - 1, so that a division is a shift: messages of several kinds of elements wait for it.
constexpr std::uint64_t times(std::uint64_t a, std::uint64_t b) noexcept {
  const Wide product = Wide{a} * b;
  const std::uint64_t sum =
      static_cast<std::uint64_t>(product & kPrime) + static_cast<std::uint64_t>(product >> 61);
  return sum >= kPrime ? sum - kPrime : sum;
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

constexpr bool uniform(std::uint64_t hash) noexcept { return hash < kMixed; }

constexpr Polynomial polynomial(std::uint64_t hash, std::uint64_t elements) noexcept {
  if (uniform(hash)) return repeated(Polynomial{hash, kBase}, elements);
  return {hash & ~kMixed, repeated(Polynomial{0, kBase}, elements).power};
}

/// Of sequences that have elements.
constexpr std::uint64_t concatenated(std::uint64_t a, std::uint64_t elements_of_a, std::uint64_t b,
                                     std::uint64_t elements_of_b) noexcept {
  if (uniform(a) && a == b) return a;
  return joined(polynomial(a, elements_of_a), polynomial(b, elements_of_b)).hash | kMixed;
}

constexpr std::uint64_t repeated(std::uint64_t hash, std::uint64_t elements, std::uint64_t n) noexcept {
  return uniform(hash) ? hash : repeated(polynomial(hash, elements), n).hash | kMixed;
}

}  // namespace signature_detail

/// In the place of `alike`, of a code or of a whole sequence: messages take it for anything.
inline constexpr std::uint64_t kAnything = signature_detail::kMixed - 1;

/// All basic elements are of one kind.
constexpr bool is_uniform(Signature signature) noexcept { return signature_detail::uniform(signature.hash); }

/// `a` and then `b`. The number of elements must not overflow: check the bytes first.
constexpr Signature concatenated(Signature a, Signature b) noexcept {
  if (a.elements == 0) return b;
  if (b.elements == 0) return a;
  const bool is_anything = a.alike == kAnything || b.alike == kAnything;
  return {a.elements + b.elements, signature_detail::concatenated(a.hash, a.elements, b.hash, b.elements),
          is_anything ? kAnything : signature_detail::concatenated(a.alike, a.elements, b.alike, b.elements)};
}

/// `signature` n times, in O(log n) steps.
constexpr Signature repeated(Signature signature, std::uint64_t n) noexcept {
  if (n == 0 || signature.elements == 0) return {0, 0};
  const std::uint64_t elements = signature.elements;
  return {elements * n, signature_detail::repeated(signature.hash, elements, n),
          signature_detail::repeated(signature.alike, elements, n)};
}

}  // namespace foldlane::engine
