#include "engine/data/reduction.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "engine/data/user_tree.hpp"
#include "kernels/copy.hpp"

namespace foldlane::engine {
namespace {

/// Memory for one strip of results: on the stack where it fits, as it does but for large elements.
class Strip {
 public:
  Strip(std::size_t elem_bytes, bool streamed)
      : count_(std::max<std::size_t>(1, (streamed ? kStreamedBytes : kBytes) / elem_bytes)) {
    if (elem_bytes > kBytes) large_ = std::make_unique_for_overwrite<std::byte[]>(elem_bytes);
  }
  std::byte* data() { return large_ != nullptr ? large_.get() : small_; }
  std::size_t count() const { return count_; }

 private:
  static constexpr std::size_t kBytes = 8 << 10;  // stays in L1
  // Some lines on their way around the caches while the next strip is read: 1.1 x as fast as strips of 8 KiB
  // in a reduce-scatter of 64 MiB, with a fence after each.
  static constexpr std::size_t kStreamedBytes = 384;
  alignas(64) std::byte small_[kBytes];
  std::unique_ptr<std::byte[]> large_;
  std::size_t count_;
};

}  // namespace

std::size_t elements_to_line(const std::byte* to, std::size_t elem_bytes, std::size_t most) {
  constexpr std::size_t kLineBytes = 64;
  const std::size_t behind = reinterpret_cast<std::uintptr_t>(to) % kLineBytes;
  if (behind == 0 || (kLineBytes - behind) % elem_bytes != 0) return most;
  return (kLineBytes - behind) / elem_bytes;
}

void Reduction::fold(void* dst, const void* const* sources, std::size_t k, std::size_t count) const {
  if (count == 0) return;
  if (builtin != nullptr) return builtin(dst, sources, k, count);
  UserTree(*this, sources, k, count).evaluate(static_cast<std::byte*>(dst));
}

void Reduction::fold_through(std::byte* recv, std::size_t start, const void** sources, std::size_t k,
                             std::size_t count) const {
  if (count == 0) return;
  const bool streamed = type_map == nullptr;
  Strip strip(elem_bytes, streamed);
  std::size_t some =
      streamed ? elements_to_line(recv + start * elem_bytes, elem_bytes, strip.count()) : strip.count();
  for (; count > 0; some = strip.count()) {
    some = std::min(count, some);
    const std::size_t bytes = some * elem_bytes;
    fold(strip.data(), sources, k, some);
    if (streamed) {
      kernels::copy_streaming_on(recv + start * elem_bytes, strip.data(), bytes);
    } else {
      type_map->unpack(recv, strip.data(), start * elem_bytes, bytes);
    }
    for (std::size_t s = 0; s < k; ++s) sources[s] = static_cast<const std::byte*>(sources[s]) + bytes;
    start += some;
    count -= some;
  }
  if (streamed) kernels::end_streaming();
}

void Reduction::fold_two(const void* in, void* inout, std::size_t count) const {
  if (builtin == nullptr) return user.call(user.context, in, inout, count);
  const void* const sources[] = {in, inout};
  builtin(inout, sources, 2, count);
}

}  // namespace foldlane::engine
