// What `--suite p2p` says beyond never-slower: how far messages are from the machine's limits, and from the
// best configuration of any peer.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bench/report/report.hpp"

namespace foldlane::bench {

/// The configuration of a peer that did best in a case.
struct BestPeer {
  std::string name;
  std::string options;
  double time = 0;                // microseconds
  std::optional<Estimate> ratio;  // its time / ours, if we have one

  bool operator==(const BestPeer&) const = default;
};

/// Nothing if no peer has a figure.
std::optional<BestPeer> best_peer_of(const CaseResult& result);

/// Geometric means of the best peers' times / ours; none where nothing was compared.
struct SizeMeans {
  std::string call;
  std::optional<Estimate> small;  // up to kSmallMessage
  std::optional<Estimate> large;

  bool operator==(const SizeMeans&) const = default;
};

inline constexpr std::uint64_t kSmallMessage = 2048;

/// Of the patterns of messages, in the order in which they first occur.
std::vector<SizeMeans> means_by_size(const Report& report);

}  // namespace foldlane::bench
