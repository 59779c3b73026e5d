#include "api/collective/move_of_two.hpp"

#include <cstdint>

#include "api/errors/args.hpp"

namespace foldlane::api {
namespace {

/// Longer ones may take their time.
constexpr std::int64_t kMostElements = 1 << 20;

/// Whether the arrays of a list are there.
bool is_readable(const Side& side) noexcept {
  return !side.counts.are_equal() && !side.places.are_equal() &&
         (!side.is_typed_list || side.types != nullptr);
}

bool is_usual(const Side& side, const Datatype* type, std::int64_t count) noexcept {
  return type != nullptr && type->dense() && type->committed && type->size <= INT32_MAX &&
         is_memory(side.buffer) && count >= 0 && count <= kMostElements;
}

}  // namespace

bool UsualSide::find_in_list(int i, engine::UserBuffer& block) const noexcept {
  if (!is_readable(side_)) return false;
  const Datatype* const type = find_datatype(side_.is_typed_list ? side_.types[i] : side_.type);
  const std::int64_t count = side_.counts[i];
  if (!is_usual(side_, type, count)) return false;
  const std::int64_t offset = side_.is_typed_list ? side_.places[i] : side_.places[i] * type->size;
  auto* const start = static_cast<std::byte*>(const_cast<void*>(side_.buffer));
  block = {start + offset, static_cast<std::uint64_t>(count * type->size)};
  return true;
}

std::int64_t UsualSide::bytes_of_equal() const noexcept {
  const Datatype* const type = find_datatype(side_.type);
  const std::int64_t count = side_.counts[0];
  return is_usual(side_, type, count) ? count * type->size : kUnusual;
}

}  // namespace foldlane::api
