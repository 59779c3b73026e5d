// How the members of a team are grouped by what they share: a pure function of where they run, and so equal
// on all members.
//
// Inner groups share a last-level cache (or a NUMA node where the cache spans the package), outer groups a
// package. A group is a run of neighbouring members, because the canonical order combines neighbours: a group
// passes on the values of its maximal subtrees (ARCHITECTURE.md, "The canonical order") instead of its
// members' inputs.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace foldlane::engine {

/// Neighbouring members.
struct Members {
  int first;
  int count;

  int end() const { return first + count; }
  bool operator==(const Members&) const = default;
};

/// What a rank shares with its neighbours: numbers of its cache, NUMA node and package.
struct Seat {
  int llc = 0;
  int numa = 0;
  int package = 0;

  bool operator==(const Seat&) const = default;
};

struct Groups {
  /// From inside out; the groups of a level cover the team in order, and those of the next level are unions
  /// of them. None: the team is flat.
  std::vector<std::vector<Members>> levels;
  const char* why;
};

/// Up to this many members everybody reads everybody's lines: as many as one miss of a leader's line costs.
inline constexpr int kMostFlat = 8;

/// `seats` are those of the members, in team order.
Groups groups_of(std::span<const Seat> seats, int most_flat = kMostFlat);

/// The maximal subtrees of the canonical tree over `ranks` members that lie within `range`, in order.
std::vector<Members> subtrees_of(const Members& range, int ranks);

/// "2 packages x 8 caches x 8 ranks", "1 group".
std::string describe(const Groups& groups);

}  // namespace foldlane::engine
