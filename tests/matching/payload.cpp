#include "matching/payload.hpp"

#include <algorithm>

#include "matching/draft.hpp"

namespace foldlane::matching {

namespace {

constexpr unsigned char kUntouched = 0xa5;

unsigned char content(std::uint32_t id, std::size_t index) {
  const std::uint32_t byte = id >> (8 * (index % 4));
  return static_cast<unsigned char>(index < 4 ? byte : byte ^ (index * 37 + index / 256));
}

/// Calls action(offset in memory) for each byte of the message, in its order.
template <class Action>
void each_byte(Unit unit, Layout layout, int units, const Action& action) {
  const Places& places = places_of(layout);
  const auto width = static_cast<std::size_t>(bytes_of(unit));
  const auto extent = static_cast<std::size_t>(extent_of(unit));
  const std::size_t in_element = places.units.size();
  for (std::size_t i = 0; i < static_cast<std::size_t>(units); ++i) {
    const auto place = i / in_element * static_cast<std::size_t>(places.extent) +
                       static_cast<std::size_t>(places.units[i % in_element]);
    for (std::size_t byte = 0; byte < width; ++byte) {
      const bool behind_gap = unit == Unit::pair && byte >= 4;
      action(place * extent + byte + (behind_gap ? 4 : 0));
    }
  }
}

}  // namespace

const Places& places_of(Layout layout) {
  static const Places kPlaces[] = {
      {{0}, 1},      {{0, 1, 2}, 3}, {{0, 2, 4, 6}, 7}, {{0, 1, 2, 5, 6, 7}, 8}, {{4, 5, 0, 6, 7, 8}, 9},
      {{1, 4, 5}, 5}};
  return kPlaces[static_cast<std::size_t>(layout)];
}

int extent_of(Unit unit) { return unit == Unit::pair ? 16 : bytes_of(unit); }

int elements_for(Layout layout, int units) { return (units + units_of(layout) - 1) / units_of(layout); }

Memory memory_of(Unit unit, Layout layout, int capacity, int units, std::uint32_t id) {
  constexpr int kBehind = 16;  // more than any element reaches beyond its extent
  const int elements = elements_for(layout, capacity) * places_of(layout).extent + kBehind;
  Memory memory(static_cast<std::size_t>(elements * extent_of(unit)), kUntouched);
  std::size_t index = 0;
  each_byte(unit, layout, units, [&](std::size_t offset) { memory[offset] = content(id, index++); });
  return memory;
}

std::uint32_t id_in(const Memory& memory, Unit unit, Layout layout, int units) {
  std::uint32_t id = 0;
  unsigned index = 0;
  each_byte(unit, layout, std::min(units, 4), [&](std::size_t offset) {
    if (index < 4) id |= std::uint32_t{memory[offset]} << (8 * index++);
  });
  return id;
}

}  // namespace foldlane::matching
