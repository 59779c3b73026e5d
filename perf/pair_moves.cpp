#include "perf/pair_moves.hpp"

#include "kernels/copy.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "perf/pair_moves.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace foldlane::perf::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using D = hn::ScalableTag<double>;

template <bool streaming>
HWY_INLINE void store(hn::VFromD<D> v, double* to) {
  if constexpr (streaming) {
    hn::Stream(v, D(), to);
  } else {
    hn::Store(v, D(), to);
  }
}

template <bool streaming>
void move_as(const Moves& m) {
  const D d;
  const std::size_t count = m.bytes / sizeof(double), grain = m.grain / sizeof(double);
  for (std::size_t begin = 0; begin < count; begin += grain) {
    const std::size_t end = begin + grain;
    if (m.box != nullptr) {
      for (std::size_t i = begin; i < end; i += hn::Lanes(d))
        hn::Store(hn::Load(d, m.input + i), d, m.box + i);
    }
    if (m.result != nullptr) {
      for (std::size_t i = begin; i < end; i += hn::Lanes(d)) {
        const auto sum = hn::Add(hn::Load(d, m.own + i), hn::Load(d, m.given + i));
        if (m.result_box != nullptr) hn::Store(sum, d, m.result_box + i);
        store<streaming>(sum, m.result + i);
      }
    }
    if (m.other_result != nullptr) {
      for (std::size_t i = begin; i < end; i += hn::Lanes(d))
        store<streaming>(hn::Load(d, m.other_given + i), m.other_result + i);
    }
  }
}

void any_move(const Moves& m) { m.streaming ? move_as<true>(m) : move_as<false>(m); }

}  // namespace
}  // namespace foldlane::perf::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace foldlane::perf {

HWY_EXPORT(any_move);

void move(const Moves& moves) noexcept {
  HWY_DYNAMIC_DISPATCH(any_move)(moves);
  if (moves.streaming) kernels::end_streaming();
}

}  // namespace foldlane::perf
#endif  // HWY_ONCE
