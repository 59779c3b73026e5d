// Gatherv and scatterv over several nodes: each block that crosses goes straight to where it belongs, in a
// message of the host's, and the engine moves those of the root's own node.
#pragma once

#include <cstdint>
#include <vector>

#include "api/host/moves/move.hpp"

namespace foldlane::host {

/// The blocks of the root's side: the host sees none of this node, the engine no others. Nobody else looks.
template <class Count, class Place>
class CutSide {
 public:
  CutSide(const Side& side, const AcrossNodes& nodes, bool is_root) : side_(side) {
    for (int member = 0; member < (is_root ? nodes.size() : 0); ++member) {
      const std::int64_t count = side.counts[member];
      const std::int64_t place = side.places.are_equal() ? member * count : side.places[member];
      const bool is_here = nodes.is_on_this(member);
      counts_.push_back(static_cast<Count>(is_here ? 0 : count));
      places_.push_back(static_cast<Place>(place));
      if (!is_here) continue;
      counts_here_.push_back(count);
      places_here_.push_back(place);
    }
  }

  const Count* counts() const noexcept { return counts_.data(); }
  const Place* places() const noexcept { return places_.data(); }
  Side here() const noexcept {
    return {side_.buffer, engine::BlockCounts(counts_here_.data()), side_.type,
            engine::BlockCounts(places_here_.data())};
  }

 private:
  const Side& side_;
  std::vector<Count> counts_;
  std::vector<Place> places_;
  std::vector<std::int64_t> counts_here_;
  std::vector<std::int64_t> places_here_;
};

/// `original` is the host's call with lists. `one` is the side with one block, `all` is looked at by the
/// root.
template <foldlane_call original, engine::Call call, class Count, class Place>
shm::Result<void> move_straight(const Made& made, AcrossNodes& nodes, const Side& one, const Side& all,
                                int root, Handle comm) {
  const bool is_root = nodes.rank() == root, is_home = nodes.is_on_this(root);
  const CutSide<Count, Place> cut(all, nodes, is_root);
  const Count count = is_home ? 0 : static_cast<Count>(one.counts[0]);
  int code = 0;
  if constexpr (call == engine::Call::gatherv)
    code = the->pass_on(original, one.buffer, count, one.type, all.buffer, cut.counts(), cut.places(),
                        all.type, root, comm);
  else
    code = the->pass_on(original, all.buffer, cut.counts(), cut.places(), all.type, one.buffer, count,
                        one.type, root, comm);
  if (code != 0) return shm::Error{shm::Errc::system, "the host's part of it has failed"};
  if (!is_home) return {};
  const engine::Team& team = nodes.team();
  const Side here = is_root ? cut.here() : all;
  const bool gathers = call == engine::Call::gatherv;
  Move at_home(made, {call, team.rank(), team.size(), nodes.index_of(root)}, gathers ? one : here,
               gathers ? here : one);
  return at_home.perform(nodes.team(), nodes.on_node().mail().channel);
}

}  // namespace foldlane::host
