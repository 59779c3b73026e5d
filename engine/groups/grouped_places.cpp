#include "engine/groups/grouped_places.hpp"

namespace foldlane::engine {
namespace {

constexpr std::size_t kLineBytes = 64;

std::size_t whole_lines(std::size_t bytes) { return (bytes + kLineBytes - 1) / kLineBytes * kLineBytes; }

std::size_t granule_of(std::size_t elem_bytes) { return std::max<std::size_t>(1, kLineBytes / elem_bytes); }

/// Parts that are not empty.
std::size_t used_parts(std::size_t count, std::size_t parts, std::size_t elem_bytes,
                       std::size_t least_bytes) {
  return std::clamp<std::size_t>(count * elem_bytes / least_bytes, 1, parts);
}

/// No part of a range of at most `count` elements is larger. A range just too short for one more part gives
/// parts of almost twice the least size.
std::size_t largest_part(std::size_t count, std::size_t parts, std::size_t elem_bytes,
                         std::size_t least_bytes) {
  const std::size_t granule = granule_of(elem_bytes);
  const std::size_t even = (count + parts - 1) / parts + granule;
  return std::min(count, std::max(even, 2 * least_bytes / elem_bytes + granule));
}

}  // namespace

Piece part_of(const Piece& range, std::size_t parts, std::size_t part, std::size_t elem_bytes,
              std::size_t least_bytes) {
  const std::size_t used = used_parts(range.count, parts, elem_bytes, least_bytes);
  if (part >= used) return {range.start + range.count, 0};
  const std::size_t granule = granule_of(elem_bytes);
  const std::size_t granules = (range.count + granule - 1) / granule;
  const auto boundary = [&](std::size_t at) { return std::min(range.count, granules * at / used * granule); };
  return {range.start + boundary(part), boundary(part + 1) - boundary(part)};
}

std::size_t GroupedPlaces::largest_chunk(const Hierarchy& hierarchy, std::size_t slot_bytes,
                                         const Sizes& sizes) {
  GroupedPlaces places(hierarchy, slot_bytes, sizes, 0);
  const std::size_t granule = granule_of(sizes.elem_bytes);
  std::size_t fits = 0;  // granules
  std::size_t too_many = slot_bytes / (granule * sizes.elem_bytes) + 1;
  while (too_many - fits > 1) {
    const std::size_t middle = fits + (too_many - fits) / 2;
    (places.lay_out(hierarchy, middle * granule) <= slot_bytes ? fits : too_many) = middle;
  }
  return fits * granule;
}

/// Returns the end.
std::size_t GroupedPlaces::lay_out(const Hierarchy& hierarchy, std::size_t chunk_count) {
  results_ = whole_lines(chunk_count * sizes_.elem_bytes);
  std::size_t most = largest_part(chunk_count, hierarchy.parts(0), sizes_.elem_bytes, least_part_bytes_);
  std::size_t end = results_ + whole_lines(most * sizes_.elem_bytes);
  for (std::size_t phase = 0; phase + 1 < hierarchy.phases(); ++phase) {
    if (phase > 0) most = largest_part(most, hierarchy.parts(phase), sizes_.elem_bytes, least_part_bytes_);
    values_[phase] = end;
    stride_[phase] = whole_lines(most * sizes_.value_bytes);
    end += hierarchy.phase(phase).most_outputs * stride_[phase];
  }
  return end;
}

}  // namespace foldlane::engine
