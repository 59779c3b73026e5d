#include "engine/groups/value_fold.hpp"

#include <algorithm>
#include <memory>
#include <vector>

namespace foldlane::engine {
namespace {

/// A strip of each source's wide values, 1 KiB, so that those of eight stay in L1.
constexpr std::size_t kStripValues = 256;

/// The folds of a wide reduction, a strip at a time.
class WideFold {
 public:
  WideFold(const Reduction& reduction, const SubtreeFold& tree, ValueEnds ends)
      : reduction_(reduction),
        wide_{.elem_bytes = reduction.value_bytes(), .builtin = reduction.widening->fold},
        tree_(tree),
        ends_(ends),
        strip_bytes_(kStripValues * wide_.elem_bytes),
        strips_(std::make_unique_for_overwrite<std::byte[]>((tree.parts() + 1) * strip_bytes_)),
        operands_(tree.parts()) {}

  void operator()(std::byte* dst, const void* const* sources, std::size_t count) {
    for (std::size_t done = 0; done < count; done += kStripValues)
      fold_strip(dst, sources, done, std::min(kStripValues, count - done));
  }

 private:
  void fold_strip(std::byte* dst, const void* const* sources, std::size_t at, std::size_t count) {
    const std::size_t from_bytes = ends_.from_elements ? reduction_.elem_bytes : wide_.elem_bytes;
    for (std::size_t part = 0; part < tree_.parts(); ++part) {
      operands_[part] = static_cast<const std::byte*>(sources[part]) + at * from_bytes;
      if (!ends_.from_elements) continue;
      reduction_.widening->widen(strip(part), operands_[part], count);
      operands_[part] = strip(part);
    }
    if (!ends_.to_elements) return tree_(wide_, dst + at * wide_.elem_bytes, operands_.data(), count);
    std::byte* const result = strip(tree_.parts());
    tree_(wide_, result, operands_.data(), count);
    reduction_.widening->narrow(dst + at * reduction_.elem_bytes, result, count);
  }
  std::byte* strip(std::size_t part) { return strips_.get() + part * strip_bytes_; }

  const Reduction& reduction_;
  Reduction wide_;
  const SubtreeFold& tree_;
  ValueEnds ends_;
  std::size_t strip_bytes_;
  std::unique_ptr<std::byte[]> strips_;
  std::vector<const void*> operands_;
};

}  // namespace

void fold_values(const Reduction& reduction, const SubtreeFold& tree, void* dst, const void* const* sources,
                 std::size_t count, ValueEnds ends) {
  if (reduction.widening == nullptr) return tree(reduction, dst, sources, count);
  WideFold(reduction, tree, ends)(static_cast<std::byte*>(dst), sources, count);
}

}  // namespace foldlane::engine
