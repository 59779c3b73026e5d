// Tells people which level was chosen, and why not the others.
#include "kernels/isa.hpp"

#include "kernels/level.hpp"

namespace foldlane::kernels {
namespace {

std::string reason(Level level) {
  const Disabled& disabled = disabled_levels();
  if (level == chosen_level()) {
    std::string text = "best permitted level of this CPU";
    if (disabled.unknown[0] != '\0') {
      text += "; FOLDLANE_DISABLE_ISA has the unknown name \"" + std::string(disabled.unknown.data()) +
              "\", which disables nothing";
    }
    return text;
  }
  if (!supported(level)) return "not supported by this CPU";
  if (level == Level::scalar) return "the reference; used where nothing better is permitted";
  if (disabled.level[static_cast<std::size_t>(level)]) return "disabled by FOLDLANE_DISABLE_ISA";
  return "a better level is permitted";
}

std::vector<IsaLevel> describe() {
  std::vector<IsaLevel> levels;
  levels.reserve(kLevels.size());
  for (Level level : kLevels) {
    levels.push_back({std::string(name(level)), level == chosen_level(), reason(level)});
  }
  return levels;
}

}  // namespace

const std::vector<IsaLevel>& isa_levels() {
  static const std::vector<IsaLevel> levels = describe();
  return levels;
}

}  // namespace foldlane::kernels
