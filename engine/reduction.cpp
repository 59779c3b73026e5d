#include "engine/reduction.hpp"

#include <algorithm>
#include <cstring>

#include "engine/user_tree.hpp"
#include "kernels/copy.hpp"

namespace foldlane::engine {
namespace {

/// Memory for one strip of results: on the stack where it fits, as it does but for large elements.
class Strip {
 public:
  explicit Strip(std::size_t elem_bytes) : count_(std::max<std::size_t>(1, kBytes / elem_bytes)) {
    if (elem_bytes > kBytes) large_ = std::make_unique_for_overwrite<std::byte[]>(elem_bytes);
  }
  std::byte* data() { return large_ != nullptr ? large_.get() : small_; }
  std::size_t count() const { return count_; }

 private:
  // Stays in L1; from there to memory it costs no read of the destination's lines.
  static constexpr std::size_t kBytes = 8 << 10;
  alignas(64) std::byte small_[kBytes];
  std::unique_ptr<std::byte[]> large_;
  std::size_t count_;
};

}  // namespace

void Reduction::fold(void* dst, const void* const* sources, std::size_t k, std::size_t count) const {
  if (count == 0) return;
  if (builtin != nullptr) return builtin(dst, sources, k, count);
  UserTree(*this, sources, k, count).evaluate(static_cast<std::byte*>(dst));
}

void Reduction::fold_through(std::byte* recv, std::size_t start, const void** sources, std::size_t k,
                             std::size_t count) const {
  if (count == 0) return;
  Strip strip(elem_bytes);
  while (count > 0) {
    const std::size_t some = std::min(count, strip.count());
    const std::size_t bytes = some * elem_bytes;
    fold(strip.data(), sources, k, some);
    if (layout != nullptr) {
      layout->unpack(recv, strip.data(), start * elem_bytes, bytes);
    } else {
      kernels::copy_streaming(recv + start * elem_bytes, strip.data(), bytes);
    }
    for (std::size_t s = 0; s < k; ++s) sources[s] = static_cast<const std::byte*>(sources[s]) + bytes;
    start += some;
    count -= some;
  }
}

void Reduction::fold_two(const void* in, void* inout, std::size_t count) const {
  if (builtin == nullptr) return user.call(user.context, in, inout, count);
  const void* const sources[] = {in, inout};
  builtin(inout, sources, 2, count);
}

}  // namespace foldlane::engine
