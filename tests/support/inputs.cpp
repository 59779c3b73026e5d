#include "support/inputs.hpp"

#include <cstring>
#include <random>

#include "kernels/elem_types.hpp"

namespace foldlane::testing {
namespace {

using kernels::Elem;

class Generator {
 public:
  Generator(Elem elem, std::size_t count, std::uint64_t seed)
      : random_(seed * 2654435761u + static_cast<std::uint64_t>(elem)),
        elem_bytes_(kernels::elem_bytes(elem)),
        data_(count * elem_bytes_) {}

  std::vector<std::byte> take() { return std::move(data_); }
  std::size_t count() const { return data_.size() / elem_bytes_; }

  void random_bits() {
    for (std::byte& octet : data_) octet = static_cast<std::byte>(random_());
  }

  /// Overwrites about half of the parts (of T) by moderate numbers, so that sums are not all NaN or infinite.
  template <class T>
  void moderate() {
    for (std::size_t at = 0; at + sizeof(T) <= data_.size(); at += sizeof(T)) {
      if (random_() % 2 == 0) put(at, static_cast<T>(number()));
    }
  }

  template <class T>
  void numbers() {
    for (std::size_t at = 0; at + sizeof(T) <= data_.size(); at += sizeof(T))
      put(at, static_cast<T>(number()));
  }

  /// Pairs {V, I} as a C struct lays them out; few distinct values, so that ties are the rule.
  template <class V, class I>
  void pairs() {
    using Pair = kernels::PairLayout<V, I>;
    for (std::size_t i = 0; i < count(); ++i) {
      put(i * elem_bytes_ + offsetof(Pair, value), static_cast<V>(static_cast<int>(random_() % 5) - 2));
      put(i * elem_bytes_ + offsetof(Pair, index), static_cast<I>(random_() % 1000));
    }
  }

 private:
  double number() {
    static constexpr double kScales[] = {1e-30, 1e-3, 1.0, 1.0, 1e3, 1e17};
    const double mantissa = static_cast<double>(random_() >> 11) * 0x1p-52 - 1.0;
    return mantissa * kScales[random_() % std::size(kScales)];
  }

  template <class T>
  void put(std::size_t at, T value) {
    std::memcpy(data_.data() + at, &value, sizeof(value));
  }

  std::mt19937_64 random_;
  std::size_t elem_bytes_;
  std::vector<std::byte> data_;
};

}  // namespace

std::vector<std::byte> make_input(Elem elem, std::size_t count, std::uint64_t seed) {
  Generator make(elem, count, seed);
  make.random_bits();
  switch (elem) {
    case Elem::f32:
    case Elem::c32:
      make.moderate<float>();
      break;
    case Elem::f64:
    case Elem::c64:
      make.moderate<double>();
      break;
    case Elem::f80:
    case Elem::c80:
      make.numbers<long double>();
      break;  // most random x87 patterns are no numbers at all
    case Elem::f128:
    case Elem::c128:
      make.moderate<kernels::Quad>();
      break;
    case Elem::pair_f32_i32:
      make.pairs<float, std::int32_t>();
      break;
    case Elem::pair_f64_i32:
      make.pairs<double, std::int32_t>();
      break;
    case Elem::pair_i64_i32:
      make.pairs<std::int64_t, std::int32_t>();
      break;
    case Elem::pair_i32_i32:
      make.pairs<std::int32_t, std::int32_t>();
      break;
    case Elem::pair_i16_i32:
      make.pairs<std::int16_t, std::int32_t>();
      break;
    case Elem::pair_f80_i32:
      make.pairs<long double, std::int32_t>();
      break;
    case Elem::pair_f32_f32:
      make.pairs<float, float>();
      break;
    case Elem::pair_f64_f64:
      make.pairs<double, double>();
      break;
    default:
      break;
  }
  return make.take();
}

}  // namespace foldlane::testing
