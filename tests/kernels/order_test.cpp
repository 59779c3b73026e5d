// The canonical order, against an oracle that builds the tree the other way round: bottom up, neighbours
// pairwise, an odd one out climbing unpaired. Shares no code with kernels/.
#include <gtest/gtest.h>

#include <complex>
#include <functional>
#include <string>
#include <vector>

#include "buffers.hpp"
#include "kernels/fold.hpp"
#include "pairwise.hpp"

namespace foldlane::kernels::testing {
namespace {

std::string shape(std::size_t k) {
  std::vector<std::string> leaves;
  for (std::size_t i = 0; i < k; ++i) leaves.push_back(std::to_string(i));
  return pairwise(leaves, [](const std::string& a, const std::string& b) { return "(" + a + " " + b + ")"; });
}

TEST(Order, TheOracleBuildsTheTreeOfTheDesign) {
  EXPECT_EQ(shape(2), "(0 1)");
  EXPECT_EQ(shape(3), "((0 1) 2)");
  EXPECT_EQ(shape(5), "(((0 1) (2 3)) 4)");
  EXPECT_EQ(shape(6), "(((0 1) (2 3)) (4 5))");
  EXPECT_EQ(shape(7), "(((0 1) (2 3)) ((4 5) 6))");
  EXPECT_EQ(shape(11), "((((0 1) (2 3)) ((4 5) (6 7))) ((8 9) 10))");
}

/// Values whose sum and product depend on every bracket.
template <class T>
std::vector<std::vector<T>> columns(Elem elem, std::size_t k, std::size_t count) {
  Random random(7);
  std::vector<std::vector<T>> sources(k, std::vector<T>(count));
  for (auto& source : sources) {
    fill_ordinary(reinterpret_cast<unsigned char*>(source.data()), elem, count * sizeof(T), random);
  }
  return sources;
}

template <class T, class Combine>
void check_order(Op op, Elem elem, Combine combine) {
  constexpr std::size_t kCount = 37;
  // Longer products would overflow, and infinities hide the order.
  const std::size_t max_k = op == Op::prod ? 24 : 70;
  for (std::size_t k = 2; k <= max_k; ++k) {
    const auto sources = columns<T>(elem, k, kCount);
    std::vector<const void*> pointers;
    for (const auto& source : sources) pointers.push_back(source.data());
    std::vector<T> result(kCount);
    std::vector<T> reference(kCount);
    fold_function(op, elem)(result.data(), pointers.data(), k, kCount);
    fold_reference_function(op, elem)(reference.data(), pointers.data(), k, kCount);
    for (std::size_t i = 0; i < kCount; ++i) {
      std::vector<T> row;
      for (const auto& source : sources) row.push_back(source[i]);
      const T expected = pairwise(row, combine);
      ASSERT_EQ(result[i], expected) << name(elem) << " k=" << k << " i=" << i;
      ASSERT_EQ(reference[i], expected) << name(elem) << " k=" << k << " i=" << i;
    }
  }
}

TEST(Order, SumOfFloats) {
  check_order<float>(Op::sum, Elem::f32, std::plus<>());
  check_order<double>(Op::sum, Elem::f64, std::plus<>());
}

TEST(Order, ProductOfFloats) {
  check_order<float>(Op::prod, Elem::f32, std::multiplies<>());
  check_order<double>(Op::prod, Elem::f64, std::multiplies<>());
}

/// volatile keeps the compiler of the oracle from fusing or rearranging anything, whatever its flags.
template <class T>
std::complex<T> textbook_product(std::complex<T> a, std::complex<T> b) {
  const volatile T ac = a.real() * b.real();
  const volatile T bd = a.imag() * b.imag();
  const volatile T ad = a.real() * b.imag();
  const volatile T bc = a.imag() * b.real();
  return {ac - bd, ad + bc};
}

TEST(Order, ProductOfComplex) {
  check_order<std::complex<float>>(Op::prod, Elem::c32, textbook_product<float>);
  check_order<std::complex<double>>(Op::prod, Elem::c64, textbook_product<double>);
}

TEST(Order, ByHand) {
  const std::vector<float> values{1.0f, 1e30f, -1e30f, 3.0f, 1e30f, -1e30f};
  std::vector<const void*> sources;
  for (const float& value : values) sources.push_back(&value);
  const auto sum = [&](std::size_t first, std::size_t k) {
    float result = 0;
    fold_function(Op::sum, Elem::f32)(&result, sources.data() + first, k, 1);
    return result;
  };
  EXPECT_EQ(sum(0, 3), 0.0f);  // (1 + 1e30) - 1e30
  EXPECT_EQ(sum(1, 3), 3.0f);  // (1e30 - 1e30) + 3
  EXPECT_EQ(sum(0, 4), 0.0f);  // (1 + 1e30) + (-1e30 + 3)
  EXPECT_EQ(sum(1, 5), 0.0f);  // ((1e30 - 1e30) + (3 + 1e30)) - 1e30: 3 is lost beside 1e30
}

}  // namespace
}  // namespace foldlane::kernels::testing
