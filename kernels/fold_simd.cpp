// Compiles the kernels (*-inl.hpp) once per vector target and picks a function out of them.
#include "kernels/fold_simd.hpp"

// One target per level: what the others would add is not worth their code. HWY_SCALAR cannot be switched off
// on x86; its pass is empty, because our own reference is the scalar level.
#define HWY_DISABLED_TARGETS (HWY_AVX3_DL | HWY_SSSE3 | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128)

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/fold_simd.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

#if HWY_TARGET != HWY_SCALAR
#include "kernels/extremes-inl.hpp"
#include "kernels/halves-inl.hpp"
#include "kernels/lanes-inl.hpp"
#include "kernels/small-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace foldlane::kernels::HWY_NAMESPACE {
namespace {

template <class T>
FoldFunction integer_fold(Op op) noexcept {
  using Unsigned = hwy::MakeUnsigned<T>;
  switch (op) {
    case Op::sum:
      return fold<Sum<Unsigned>>;
    case Op::prod:
      return fold<IntegerProd<Unsigned>>;
    case Op::min:
      return fold<IntegerMin<T>>;
    case Op::max:
      return fold<IntegerMax<T>>;
    case Op::land:
      return fold<Logical<Unsigned, BitAnd>>;
    case Op::lor:
      return fold<Logical<Unsigned, BitOr>>;
    case Op::lxor:
      return fold<Logical<Unsigned, BitXor>>;
    case Op::band:
      return fold<Bitwise<BitAnd>, sizeof(T)>;
    case Op::bor:
      return fold<Bitwise<BitOr>, sizeof(T)>;
    case Op::bxor:
      return fold<Bitwise<BitXor>, sizeof(T)>;
    default:
      return nullptr;
  }
}

template <class T>
FoldFunction real_fold(Op op) noexcept {
  switch (op) {
    case Op::sum:
      return fold<FloatSum<T>>;
    case Op::prod:
      return fold<FloatProd<T>>;
    case Op::min:
      return fold<FloatMin<T>>;
    case Op::max:
      return fold<FloatMax<T>>;
    default:
      return nullptr;
  }
}

/// Arithmetic is done on f32; the smaller and the larger of two are found without widening them.
template <class Format>
FoldFunction half_fold(Op op) noexcept {
  switch (op) {
    case Op::sum:
      return fold<typename Format::Sum>;
    case Op::prod:
      return fold<typename Format::Prod>;
    case Op::min:
      return fold<HalfMin<Format>>;
    case Op::max:
      return fold<HalfMax<Format>>;
    default:
      return nullptr;
  }
}

template <class T>
FoldFunction complex_fold(Op op) noexcept {
  if (op == Op::sum) return fold<FloatSum<T>, 2>;
  return op == Op::prod ? fold<ComplexProd<T>, 2> : nullptr;
}

FoldFunction find(Op op, Elem elem) noexcept {
  switch (elem) {
    case Elem::i8:
      return integer_fold<std::int8_t>(op);
    case Elem::i16:
      return integer_fold<std::int16_t>(op);
    case Elem::i32:
      return integer_fold<std::int32_t>(op);
    case Elem::i64:
      return integer_fold<std::int64_t>(op);
    case Elem::u8:
      return integer_fold<std::uint8_t>(op);
    case Elem::u16:
      return integer_fold<std::uint16_t>(op);
    case Elem::u32:
      return integer_fold<std::uint32_t>(op);
    case Elem::u64:
      return integer_fold<std::uint64_t>(op);
    case Elem::bf16:
      return half_fold<Bf16>(op);
    case Elem::f16:
      return half_fold<F16>(op);
    case Elem::f32:
      return real_fold<float>(op);
    case Elem::f64:
      return real_fold<double>(op);
    case Elem::c32:
      return complex_fold<float>(op);
    case Elem::c64:
      return complex_fold<double>(op);
    default:
      return nullptr;
  }
}

}  // namespace

FoldFunction find_fold(Op op, Elem elem) noexcept { return find(op, elem); }

}  // namespace foldlane::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif  // HWY_TARGET != HWY_SCALAR

#if HWY_ONCE
namespace foldlane::kernels {

FoldFunction fold_simd_function(Level level, Op op, Elem elem) noexcept {
  switch (level) {
#if HWY_ARCH_X86
    case Level::avx512:
      return N_AVX3::find_fold(op, elem);
    case Level::avx2:
      return N_AVX2::find_fold(op, elem);
    case Level::sse:
      return N_SSE4::find_fold(op, elem);
#else
    case Level::neon:
      return N_NEON::find_fold(op, elem);
#endif
    default:
      return nullptr;
  }
}

}  // namespace foldlane::kernels
#endif  // HWY_ONCE
