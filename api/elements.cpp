#include "api/elements.hpp"

#include <algorithm>

namespace foldlane::api {
namespace {

constexpr std::int64_t kIndexBytes = 4;  // of all pairs but those of two doubles

struct Item {
  std::int64_t elements;
  std::int64_t bytes;
};

Item item_of(std::span<const ElementRun> runs) noexcept {
  Item item{0, 0};
  for (const ElementRun& run : runs) {
    item.elements += run.count;
    item.bytes += run.count * run.bytes;
  }
  return item;
}

}  // namespace

std::array<ElementRun, 2> element_runs(const Datatype& type) noexcept {
  if ((type.ops & op_bit(kernels::Op::minloc)) == 0) return {{{1, type.size}, {0, 0}}};
  const std::int64_t index = type.elem == kernels::Elem::pair_f64_f64 ? type.size / 2 : kIndexBytes;
  return {{{1, type.size - index}, {1, index}}};
}

std::optional<std::int64_t> elements_in(std::int64_t bytes, std::span<const ElementRun> runs) noexcept {
  const Item item = item_of(runs);
  if (item.bytes == 0) return bytes == 0 ? std::optional<std::int64_t>(0) : std::nullopt;
  std::int64_t elements = bytes / item.bytes * item.elements;
  std::int64_t rest = bytes % item.bytes;
  for (const ElementRun& run : runs) {
    if (rest < run.count * run.bytes) {
      return rest % run.bytes == 0 ? std::optional(elements + rest / run.bytes) : std::nullopt;
    }
    rest -= run.count * run.bytes;
    elements += run.count;
  }
  return elements;
}

std::optional<std::int64_t> bytes_of(std::int64_t elements, std::span<const ElementRun> runs) noexcept {
  const Item item = item_of(runs);
  if (item.elements == 0) return elements == 0 ? std::optional<std::int64_t>(0) : std::nullopt;
  std::int64_t bytes;
  if (__builtin_mul_overflow(elements / item.elements, item.bytes, &bytes)) return std::nullopt;
  std::int64_t rest = elements % item.elements;
  for (const ElementRun& run : runs) {
    const std::int64_t taken = std::min(rest, run.count);
    if (__builtin_add_overflow(bytes, taken * run.bytes, &bytes)) return std::nullopt;
    rest -= taken;
  }
  return bytes;
}

}  // namespace foldlane::api
