#include "support/segment_dump.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "engine/job/areas.hpp"

namespace foldlane::testing {

std::string dump(const shm::Segment& segment, int team) {
  std::string text = fmt::format(
      "team {}: abort word {:#x}\n rank state shown filled folded finished "
      "sleepers\n",
      team, segment.launcher_line().abort_word.observe());
  for (int rank = 0; rank < segment.ranks(); ++rank) {
    const shm::RankLines& own = segment.rank_lines(rank);
    const engine::TeamLines& lines = engine::team_lines(segment, rank)[team];
    std::uint64_t shown = 0, filled = 0;
    for (const auto& line : lines.inline_lines) shown = std::max(shown, line.mark.observe());
    for (const auto& filling : lines.steps.in_slot) filled = std::max(filled, filling.mark.observe());
    text += fmt::format(" {:4} {:5} {:5} {:6} {:6} {:8} {:8}\n", rank, own.record.state.observe(),
                        shown >> 16, filled >> 16, lines.steps.folded.observe(),
                        lines.finished.epoch.observe(), own.doorbell.sleepers.observe());
  }
  return text;
}

}  // namespace foldlane::testing
