// The scalar fold: oracle of the tests and fallback where no vector code exists. Obvious rather than fast.
#include <bit>

#include "kernels/fold.hpp"
#include "kernels/reference_formats.hpp"
#include "kernels/reference_ops.hpp"

namespace foldlane::kernels {
namespace reference {
namespace {

template <class Format, class Operation>
typename Format::Value tree(const void* const* sources, std::size_t lo, std::size_t hi,
                            std::size_t byte) noexcept {
  if (hi - lo == 1) return Format::load(static_cast<const Byte*>(sources[lo]) + byte);
  const std::size_t mid = lo + std::bit_floor(hi - lo - 1);
  return Operation::combine(tree<Format, Operation>(sources, lo, mid, byte),
                            tree<Format, Operation>(sources, mid, hi, byte));
}

template <class Format, class Operation>
void fold(void* dst, const void* const* sources, std::size_t k, std::size_t count) noexcept {
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t byte = i * Format::kBytes;
    Byte* to = static_cast<Byte*>(dst) + byte;
    if (k == 1) {
      Format::copy(to, static_cast<const Byte*>(sources[0]) + byte);
    } else {
      Format::store(to, canonical(tree<Format, Operation>(sources, 0, k, byte)));
    }
  }
}

template <class T>
FoldFunction integer_fold(Op op) noexcept {
  switch (op) {
    case Op::sum:
      return fold<Plain<T>, Sum>;
    case Op::prod:
      return fold<Plain<T>, Prod>;
    case Op::min:
      return fold<Plain<T>, Min>;
    case Op::max:
      return fold<Plain<T>, Max>;
    case Op::land:
      return fold<Plain<T>, LogicalAnd>;
    case Op::lor:
      return fold<Plain<T>, LogicalOr>;
    case Op::lxor:
      return fold<Plain<T>, LogicalXor>;
    case Op::band:
      return fold<Plain<T>, BitAnd>;
    case Op::bor:
      return fold<Plain<T>, BitOr>;
    case Op::bxor:
      return fold<Plain<T>, BitXor>;
    default:
      return nullptr;
  }
}

template <class Format>
FoldFunction real_fold(Op op) noexcept {
  switch (op) {
    case Op::sum:
      return fold<Format, Sum>;
    case Op::prod:
      return fold<Format, Prod>;
    case Op::min:
      return fold<Format, Min>;
    case Op::max:
      return fold<Format, Max>;
    default:
      return nullptr;
  }
}

template <class Part>
FoldFunction complex_fold(Op op) noexcept {
  if (op == Op::sum) return fold<ComplexOf<Part>, Sum>;
  return op == Op::prod ? fold<ComplexOf<Part>, Prod> : nullptr;
}

template <class Value, class Index>
FoldFunction pair_fold(Op op) noexcept {
  if (op == Op::minloc) return fold<PairOf<Value, Index>, Locate<Min>>;
  return op == Op::maxloc ? fold<PairOf<Value, Index>, Locate<Max>> : nullptr;
}

}  // namespace
}  // namespace reference

FoldFunction fold_reference_function(Op op, Elem elem) noexcept {
  using namespace reference;
  using Index = Plain<std::int32_t>;
  switch (elem) {
    case Elem::i8:
      return integer_fold<std::int8_t>(op);
    case Elem::i16:
      return integer_fold<std::int16_t>(op);
    case Elem::i32:
      return integer_fold<std::int32_t>(op);
    case Elem::i64:
      return integer_fold<std::int64_t>(op);
    case Elem::i128:
      return integer_fold<Int128>(op);
    case Elem::u8:
      return integer_fold<std::uint8_t>(op);
    case Elem::u16:
      return integer_fold<std::uint16_t>(op);
    case Elem::u32:
      return integer_fold<std::uint32_t>(op);
    case Elem::u64:
      return integer_fold<std::uint64_t>(op);
    case Elem::u128:
      return integer_fold<Uint128>(op);
    case Elem::bf16:
      return real_fold<Bf16>(op);
    case Elem::f16:
      return real_fold<F16>(op);
    case Elem::f32:
      return real_fold<Plain<float>>(op);
    case Elem::f64:
      return real_fold<Plain<double>>(op);
    case Elem::f80:
      return real_fold<F80>(op);
    case Elem::f128:
      return real_fold<Plain<Quad>>(op);
    case Elem::c16:
      return complex_fold<F16>(op);
    case Elem::c32:
      return complex_fold<Plain<float>>(op);
    case Elem::c64:
      return complex_fold<Plain<double>>(op);
    case Elem::c80:
      return complex_fold<F80>(op);
    case Elem::c128:
      return complex_fold<Plain<Quad>>(op);
    case Elem::pair_f32_i32:
      return pair_fold<Plain<float>, Index>(op);
    case Elem::pair_f64_i32:
      return pair_fold<Plain<double>, Index>(op);
    case Elem::pair_i64_i32:
      return pair_fold<Plain<std::int64_t>, Index>(op);
    case Elem::pair_i32_i32:
      return pair_fold<Plain<std::int32_t>, Index>(op);
    case Elem::pair_i16_i32:
      return pair_fold<Plain<std::int16_t>, Index>(op);
    case Elem::pair_f80_i32:
      return pair_fold<F80, Index>(op);
    case Elem::pair_f32_f32:
      return pair_fold<Plain<float>, Plain<float>>(op);
    case Elem::pair_f64_f64:
      return pair_fold<Plain<double>, Plain<double>>(op);
  }
  return nullptr;
}

}  // namespace foldlane::kernels
