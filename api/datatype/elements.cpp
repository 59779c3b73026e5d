#include "api/datatype/elements.hpp"

#include <algorithm>
#include <vector>

#include "api/datatype/datatype_store.hpp"

namespace foldlane::api {
namespace {

constexpr std::int64_t kIndexBytes = 4;  // of all pairs whose elements differ

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

/// Equal items that follow each other in an item of a datatype with elements of several kinds.
struct Part {
  const Datatype* type;
  std::int64_t count;
};

std::vector<Part> parts_of(const Datatype& type) {
  const Contents& contents = *type.contents;
  if (contents.combiner != MPI_COMBINER_STRUCT) {  // all others repeat one datatype
    const Datatype& child = *contents.types.front();
    return {{&child, child.size == 0 ? 0 : type.size / child.size}};
  }
  std::vector<Part> parts;
  for (std::size_t i = 0; i < contents.types.size(); ++i) {  // the first number is that of the blocks
    const std::int64_t length =
        contents.large_counts.empty() ? contents.integers[i + 1] : contents.large_counts[i + 1];
    parts.push_back({contents.types[i].get(), length});
  }
  return parts;
}

/// The elements of an item that has no parts: equal ones, or those of a pair.
std::vector<ElementRun> runs_of(const Datatype& type) {
  const std::int64_t elements = static_cast<std::int64_t>(type.signature.elements);
  if (elements == 0) return {};
  if (engine::is_uniform(type.signature)) return {{elements, type.size / elements}};
  return {{1, type.size - kIndexBytes}, {1, kIndexBytes}};
}

bool has_parts(const Datatype& type) {
  return !engine::is_uniform(type.signature) && type.contents != nullptr;
}

}  // namespace

std::optional<std::int64_t> elements_in(std::int64_t bytes, const Datatype& type) {
  if (!has_parts(type)) return elements_in(bytes, runs_of(type));
  std::int64_t elements = bytes / type.size * static_cast<std::int64_t>(type.signature.elements);
  std::int64_t rest = bytes % type.size;
  for (const Part& part : parts_of(type)) {
    const std::int64_t taken = std::min(rest, part.count * part.type->size);
    const auto some = elements_in(taken, *part.type);
    if (!some.has_value()) return std::nullopt;
    elements += *some;
    rest -= taken;
  }
  return elements;
}

std::optional<std::int64_t> bytes_of(std::int64_t elements, const Datatype& type) {
  if (!has_parts(type)) return bytes_of(elements, runs_of(type));
  const auto of_item = static_cast<std::int64_t>(type.signature.elements);
  std::int64_t bytes;
  if (__builtin_mul_overflow(elements / of_item, type.size, &bytes)) return std::nullopt;
  std::int64_t rest = elements % of_item;
  for (const Part& part : parts_of(type)) {
    const auto of_part = part.count * static_cast<std::int64_t>(part.type->signature.elements);
    const std::int64_t taken = std::min(rest, of_part);
    const auto some = bytes_of(taken, *part.type);
    if (!some.has_value() || __builtin_add_overflow(bytes, *some, &bytes)) return std::nullopt;
    rest -= taken;
  }
  return bytes;
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
