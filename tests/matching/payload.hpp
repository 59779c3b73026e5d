// What is in the memory of a message, byte by byte.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "matching/program.hpp"

namespace foldlane::matching {

using Memory = std::vector<unsigned char>;

/// In units: where those of an element lie, and how far elements are from each other.
struct Places {
  std::vector<int> units;
  int extent;
};
const Places& places_of(Layout layout);
/// Of a unit in memory; a pair has a gap.
int extent_of(Unit unit);

/// How many elements hold so many units.
int elements_for(Layout layout, int units);
/// The memory for `capacity` units when the first `units` of them have been filled by message `id`.
Memory memory_of(Unit unit, Layout layout, int capacity, int units, std::uint32_t id);
/// The id in such memory, as far as the units go.
std::uint32_t id_in(const Memory& memory, Unit unit, Layout layout, int units);

}  // namespace foldlane::matching
