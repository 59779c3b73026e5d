// When a case has been measured often enough, and by whom.
#pragma once

#include <vector>

#include "bench/measure/campaign.hpp"
#include "bench/report/report.hpp"

namespace foldlane::bench {

/// What somebody took in a case, in microseconds, round by round. Who has fewer rounds missed the last ones.
using Rounds = std::vector<double>;

/// Of the rounds that both have.
std::vector<double> ratios_of(const Rounds& one, const Rounds& other);

/// Whether the peer is so much slower in each round that even the rounds that everybody takes part in would
/// only cost time: without yielding, 8 ranks on 2 CPUs take 40 ms for what takes others 14 us.
bool is_hopeless(const Rounds& peer, const Rounds& ours, const Effort& effort);

/// Whether the peer is slower beyond doubt, so that more rounds would only say by how much.
bool has_lost(const Rounds& peer, const Rounds& ours, const Effort& effort);

/// Whether nobody who matters needs more rounds: all peers have lost, or our figure and the ratios of those
/// that have not are narrow.
bool is_settled(const Rounds& ours, const std::vector<Rounds>& peers, const Effort& effort);

}  // namespace foldlane::bench
