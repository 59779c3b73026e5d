#include "engine/reduction.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <memory>

#include "kernels/copy.hpp"

namespace foldlane::engine {
namespace {

/// The canonical tree over a caller's function, which combines whole arrays: inout = in op inout.
class UserTree {
 public:
  UserTree(const Reduction& reduction, const void* const* sources, std::size_t k, std::size_t count)
      : user_(reduction.user),
        sources_(sources),
        count_(count),
        bytes_(count * reduction.elem_bytes),
        levels_(static_cast<std::size_t>(std::bit_width(k))),
        scratch_(std::make_unique_for_overwrite<std::byte[]>((levels_ + 1) * bytes_)) {}

  /// The result; valid as long as this object. Not written over a source, because dst may be one.
  const void* evaluate(std::size_t k) {
    evaluate(0, k, scratch_.get(), 1);
    return scratch_.get();
  }

 private:
  /// result = fold(lo, hi). The right half goes first and may use all scratch from `level` on; then the left
  /// half may use it again, since the right half's result is in `result`.
  void evaluate(std::size_t lo, std::size_t hi, std::byte* result, std::size_t level) {
    if (hi - lo == 1) {
      std::memcpy(result, sources_[lo], bytes_);
      return;
    }
    const std::size_t mid = lo + std::bit_floor(hi - lo - 1);
    evaluate(mid, hi, result, level);
    const void* left = sources_[lo];
    if (mid - lo > 1) {
      std::byte* const scratch = scratch_.get() + level * bytes_;
      evaluate(lo, mid, scratch, level + 1);
      left = scratch;
    }
    user_.call(user_.context, left, result, count_);
  }

  UserFold user_;
  const void* const* sources_;
  std::size_t count_;
  std::size_t bytes_;
  std::size_t levels_;
  std::unique_ptr<std::byte[]> scratch_;
};

}  // namespace

void Reduction::fold(void* dst, const void* const* sources, std::size_t k, std::size_t count) const {
  if (count == 0) return;
  if (builtin != nullptr) return builtin(dst, sources, k, count);
  UserTree tree(*this, sources, k, count);
  std::memcpy(dst, tree.evaluate(k), count * elem_bytes);
}

void Reduction::fold_streaming(void* dst, const void** sources, std::size_t k, std::size_t count) const {
  // The strip stays in L1; from there to memory it costs no read of the destination's lines.
  constexpr std::size_t kStripBytes = 8 << 10;
  alignas(64) std::byte strip[kStripBytes];
  const std::size_t strip_count = kStripBytes / elem_bytes;
  auto* to = static_cast<std::byte*>(dst);
  while (count > 0) {
    const std::size_t some = std::min(count, strip_count);
    fold(strip, sources, k, some);
    kernels::copy_streaming(to, strip, some * elem_bytes);
    for (std::size_t s = 0; s < k; ++s)
      sources[s] = static_cast<const std::byte*>(sources[s]) + some * elem_bytes;
    to += some * elem_bytes;
    count -= some;
  }
}

void Reduction::fold_two(const void* in, void* inout, std::size_t count) const {
  if (builtin == nullptr) return user.call(user.context, in, inout, count);
  const void* const sources[] = {in, inout};
  builtin(inout, sources, 2, count);
}

}  // namespace foldlane::engine
