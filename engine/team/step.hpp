// The words of grouped folds (engine/algorithms/fold_grouped.hpp) among the lines of a member.
#pragma once

#include <cstddef>
#include <cstdint>

namespace foldlane::engine {

/// In the order in which a phase makes them; phase 0's `up` is publish_filled.
enum class Way : std::uint8_t { up, down };
struct Step {
  Way way;
  std::size_t phase;
};

template <class Lines>
std::size_t offset_of(Step step) noexcept {
  if (step.phase == 0) return offsetof(Lines, deliveries) + offsetof(typename Lines::Deliveries, to_group);
  return offsetof(Lines, crossings) + (step.phase - 1) * sizeof(typename Lines::Crossing) +
         (step.way == Way::up ? offsetof(typename Lines::Crossing, up)
                              : offsetof(typename Lines::Crossing, down));
}

template <class Lines>
typename Lines::Stage& stage_of(Lines& lines, Step step) noexcept {
  return *reinterpret_cast<typename Lines::Stage*>(reinterpret_cast<std::byte*>(&lines) +
                                                   offset_of<Lines>(step));
}

}  // namespace foldlane::engine
