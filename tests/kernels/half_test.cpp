// bf16 and f16 conversion, over all 65536 patterns and against a rounding oracle in exact double arithmetic.
// Seen through the folds, so that hardware conversion, its emulation and the reference are all measured.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <vector>

#include "buffers.hpp"
#include "kernels/fold.hpp"

namespace foldlane::kernels::testing {
namespace {

struct Format {
  Elem elem;
  int fraction_bits;
  int bias;
};

constexpr Format kBf16{Elem::bf16, 7, 127};
constexpr Format kF16{Elem::f16, 10, 15};

int exponent_of(Format format, std::uint16_t bits) { return (bits & 0x7fff) >> format.fraction_bits; }

/// The definition of the format: sign, exponent, fraction. Infinity and NaN are the caller's.
double value_of(Format format, std::uint16_t bits) {
  const int fraction = bits & ((1 << format.fraction_bits) - 1);
  const int exponent = exponent_of(format, bits);
  const int significand = exponent == 0 ? fraction : fraction + (1 << format.fraction_bits);
  const double magnitude =
      std::ldexp(significand, std::max(exponent, 1) - format.bias - format.fraction_bits);
  return bits & 0x8000 ? -magnitude : magnitude;
}

/// Nearest finite value by bisection over the patterns (their order is the order of the magnitudes), ties to
/// the even pattern. The pattern after the largest finite one is infinity, at the place where it would be
/// finite.
std::uint16_t nearest(Format format, double value) {
  const double magnitude = std::fabs(value);
  unsigned low = 0;
  unsigned high = static_cast<unsigned>((2 * format.bias + 1) << format.fraction_bits);
  while (high - low > 1) {
    const unsigned middle = (low + high) / 2;
    (value_of(format, static_cast<std::uint16_t>(middle)) <= magnitude ? low : high) = middle;
  }
  const double below = magnitude - value_of(format, static_cast<std::uint16_t>(low));
  const double above = value_of(format, static_cast<std::uint16_t>(high)) - magnitude;
  const bool up = above < below || (above == below && low % 2 == 1);
  return static_cast<std::uint16_t>((up ? high : low) | (std::signbit(value) ? 0x8000u : 0u));
}

using Halves = std::vector<std::uint16_t>;

Halves fold_two(FoldFunction fold, const Halves& a, const Halves& b) {
  Halves result(a.size());
  const void* sources[] = {a.data(), b.data()};
  fold(result.data(), sources, 2, a.size());
  return result;
}

class Half : public ::testing::TestWithParam<Format> {
 protected:
  FoldFunction functions_[2] = {fold_function(Op::sum, GetParam().elem),
                                fold_reference_function(Op::sum, GetParam().elem)};
};
INSTANTIATE_TEST_SUITE_P(Of, Half, ::testing::Values(kBf16, kF16),
                         [](const auto& of) { return name(of.param.elem); });

TEST_P(Half, AddingMinusZeroChangesNoPattern) {
  Halves all(65536);
  std::iota(all.begin(), all.end(), std::uint16_t{0});
  const std::uint16_t infinity =
      static_cast<std::uint16_t>((2 * GetParam().bias + 1) << GetParam().fraction_bits);
  const std::uint16_t nan = static_cast<std::uint16_t>(infinity | 1u << (GetParam().fraction_bits - 1));
  for (FoldFunction fold : functions_) {
    const Halves result = fold_two(fold, all, Halves(all.size(), 0x8000));
    for (std::uint16_t bits : all) ASSERT_EQ(result[bits], (bits & 0x7fff) > infinity ? nan : bits) << bits;
  }
}

TEST_P(Half, SumsRoundToNearestEven) {
  const Format format = GetParam();
  const std::uint16_t infinity = static_cast<std::uint16_t>((2 * format.bias + 1) << format.fraction_bits);
  Random random(5);
  Halves a(50000);
  Halves b(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    const auto finite = [&] {
      const unsigned exponents = static_cast<unsigned>(2 * format.bias + 1);
      const unsigned magnitude = static_cast<unsigned>(random()) % (exponents << format.fraction_bits);
      return static_cast<std::uint16_t>(magnitude | (random() & 0x1000 ? 0x8000u : 0u));
    };
    a[i] = finite();
    // Near a in magnitude, so that the sum has to round: apart they would just be the larger one.
    const int nudge =
        static_cast<int>(random() % (12u << format.fraction_bits)) - (6 << format.fraction_bits);
    b[i] = static_cast<std::uint16_t>(a[i] ^ (random() & 0x1000 ? 0x8000u : 0u));
    const int moved = (b[i] & 0x7fff) + nudge;
    if (moved >= 0 && moved < (2 * format.bias + 1) << format.fraction_bits) {
      b[i] = static_cast<std::uint16_t>((b[i] & 0x8000) | moved);
    }
  }
  for (FoldFunction fold : functions_) {
    const Halves result = fold_two(fold, a, b);
    for (std::size_t i = 0; i < a.size(); ++i) {
      // The contract: one addition in f32, then one rounding.
      const float sum =
          static_cast<float>(value_of(format, a[i])) + static_cast<float>(value_of(format, b[i]));
      const double limit = value_of(format, infinity);  // where infinity would be, were it finite
      const double clamped = std::isinf(sum) ? std::copysign(limit, sum) : double{sum};
      ASSERT_EQ(result[i], nearest(format, std::clamp(clamped, -limit, limit))) << a[i] << " + " << b[i];
    }
  }
}

}  // namespace
}  // namespace foldlane::kernels::testing
