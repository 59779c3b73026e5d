#include "collectives/typed_walk.hpp"

namespace foldlane::testing {

std::vector<Form> forms(std::size_t slot_bytes) {
  const auto large = static_cast<std::int64_t>(slot_bytes);
  constexpr std::int64_t kFar = std::int64_t{1} << 46;
  Form structure = Form::spread("a structure, assigned", {{24, 8}, {40, 4}}, 0, 1000);
  structure.assigned = true;
  return {
      structure,
      Form::packed(4),
      Form::packed(12),
      Form::packed(slot_bytes / 5 / 4 * 4 + 4),  // more than a share, of the larger teams
      Form::packed(slot_bytes / 2 + 4),          // one to a slot
      Form::packed(slot_bytes),
      Form::packed(slot_bytes + 4),
      Form::packed(2 * slot_bytes + 1000),
      Form::spread("gaps", {{0, 4}, {12, 8}, {28, 4}}, 0, 36),
      Form::spread("a trailing gap", {{0, 12}}, 0, 16),
      Form::spread("a negative lower bound", {{-8, 4}, {4, 8}}, -16, 40),
      Form::spread("backwards", {{16, 4}, {8, 4}, {0, 8}}, 0, 20),
      Form::spread("a negative extent", {{0, 8}, {12, 4}}, 0, -16),
      Form::spread("elements between each other", {{0, 4}, {8, 4}}, 0, 4 + 12),
      Form::spread("an absolute address", {{kFar + 4, 4}, {kFar + 16, 4}}, 0, 24),
      Form::spread("a negative address", {{-kFar, 4}, {-kFar + 8, 4}}, 0, 12),
      Form::spread("dense", {{0, 8}}, 0, 8),
      Form::spread("most of a slot with gaps", {{0, slot_bytes / 2}, {large, 200}}, 0, large + 208),
      Form::spread("a slot with gaps", {{-large, slot_bytes / 2}, {large, slot_bytes / 2}}, -large,
                   3 * large),
      Form::spread("more than two slots with gaps", {{4, slot_bytes + 4}, {3 * large, slot_bytes + 300}}, 0,
                   5 * large),
  };
}

}  // namespace foldlane::testing
