#include "api/collective/move_of_two.hpp"

#include <cstdint>

namespace foldlane::api {
namespace {

/// Longer ones may take their time.
constexpr std::int64_t kMostElements = 1 << 20;

/// Whether its arrays are there.
bool is_readable(const Side& side) noexcept {
  if (!side.is_list) return true;
  return !side.counts.are_equal() && !side.places.are_equal() &&
         (!side.is_typed_list || side.types != nullptr);
}

std::int64_t offset_of(const Side& side, int i, const Datatype& type) {
  if (!side.is_list) return i * side.counts[i] * type.size;
  return side.is_typed_list ? side.places[i] : side.places[i] * type.size;
}

}  // namespace

bool UsualSide::find(int i, engine::UserBuffer& block) const {
  if (!is_readable(side_)) return false;
  const Datatype* const type = find_datatype(side_.is_typed_list ? side_.types[i] : side_.type);
  const std::int64_t count = side_.counts[i];
  if (type == nullptr || !type->dense() || !type->committed || side_.buffer == nullptr ||
      side_.buffer == MPI_IN_PLACE || count < 0 || count > kMostElements)
    return false;
  auto* const start = static_cast<std::byte*>(const_cast<void*>(side_.buffer));
  block = {start + offset_of(side_, i, *type), static_cast<std::uint64_t>(count * type->size)};
  return true;
}

}  // namespace foldlane::api
