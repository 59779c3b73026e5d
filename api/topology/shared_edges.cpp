#include "api/topology/shared_edges.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "api/op/mismatch.hpp"
#include "engine/collectives/collectives.hpp"

namespace foldlane::api {
namespace {

using Take = std::function<void(const SharedEdge&)>;

/// What a rank shows beside the epoch. Those behind its last edge are in no list.
using Line = std::array<SharedEdge, engine::Team::kInlineBytes / sizeof(SharedEdge)>;

/// Ranks with more edges do better with windows, whatever that costs where many ranks share CPUs (1,000 ranks
/// with 6 edges each on 2 CPUs: 6.8 s in windows, 0.2 s in a line).
constexpr std::size_t kMostLines = 8;

void share_in_lines(engine::Team& team, const engine::CallInfo& as, std::uint64_t most,
                    const std::vector<SharedEdge>& own, const Take& take) {
  for (std::size_t start = 0; start < most; start += std::tuple_size_v<Line>) {
    Line line{};
    for (std::size_t at = 0; at < line.size() && start + at < own.size(); ++at) line[at] = own[start + at];
    for (const Line& shown : require(team, engine::exchange(team, as, line)))
      for (const SharedEdge& edge : shown)
        if (edge.lists != 0) take(edge);
  }
}

/// So many at a time, and each rank keeps what it needs: 64 KiB, however many there are.
constexpr std::size_t kWindow = 4096;

/// Everybody adds its own edges to zeros; `first` is the place of its first one among those of all.
void share_in_windows(engine::Team& team, std::uint64_t first, std::uint64_t all,
                      const std::vector<SharedEdge>& own, const Take& take) {
  const engine::Reduction sum = engine::Reduction::of(kernels::Op::sum, kernels::Elem::i32);
  constexpr std::size_t kWords = sizeof(SharedEdge) / sizeof(std::int32_t);
  for (std::size_t start = 0; start < all; start += kWindow) {
    std::vector<SharedEdge> window(std::min(kWindow, all - start));
    const std::size_t from = std::max(start, first);
    const std::size_t to = std::min(start + window.size(), first + own.size());
    for (std::size_t at = from; at < to; ++at) window[at - start] = own[at - first];
    require(team, engine::allreduce(team, window.data(), window.data(), window.size() * kWords, sum));
    for (const SharedEdge& edge : window) take(edge);
  }
}

}  // namespace

void share_edges(const Communicator& communicator, const engine::CallInfo& as,
                 const std::vector<SharedEdge>& own, const std::function<void(const SharedEdge&)>& take) {
  engine::Team& team = *communicator.team;
  const auto counts = require(team, engine::exchange(team, as, std::uint64_t{own.size()}));
  const std::uint64_t most = *std::max_element(counts.begin(), counts.end());
  if (most <= kMostLines * std::tuple_size_v<Line>) return share_in_lines(team, as, most, own, take);
  const auto before = counts.begin() + team.rank();
  const std::uint64_t first = std::accumulate(counts.begin(), before, std::uint64_t{0});
  share_in_windows(team, first, std::accumulate(before, counts.end(), first), own, take);
}

}  // namespace foldlane::api
