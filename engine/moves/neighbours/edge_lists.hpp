// What the neighbours of a rank need to know of its edges, where no rank knows those of others: to whom it
// gives, and from whom it takes. So each finds the place of its own edges there, once for all calls.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "engine/moves/neighbours/edge_finder.hpp"
#include "engine/moves/neighbours/neighbour_rows.hpp"
#include "engine/team/team.hpp"

namespace foldlane::engine {

/// The edges of a member, of each side in their order. What their other ends do not have gets kOneSided.
struct Edges {
  std::span<Neighbour> sources;
  std::span<Neighbour> destinations;
};

/// A layout of NeighbourMove, which finds the places. A member with more edges than a slot has room for does
/// not tell of them; it gives and takes by messages.
template <class AnyTeam>
class EdgeLists {
 public:
  using Team = AnyTeam;

  /// Of `edges`, which must outlive it, it reads the ranks and writes the rest.
  EdgeLists(Team& team, const Edges& edges) : team_(team), edges_(edges) {
    list_.push_back(static_cast<int>(edges.destinations.size()));
    for (const Neighbour& each : edges.destinations) list_.push_back(each.rank);
    for (const Neighbour& each : edges.sources) list_.push_back(each.rank);
    if (bytes() > team.process().geometry().slot_bytes) list_.clear();
  }

  /// Who is named by others as a neighbour is awaited, whether it names them or not.
  static constexpr bool gives() { return true; }
  bool is_in_slot() const { return bytes() > kMostInLine; }
  void fill(std::byte* slot) const {
    Team::Transfer::will_write(slot, bytes());
    std::memcpy(slot, list_.data(), bytes());
  }
  std::uint64_t number(std::uint32_t where) const { return bytes() | std::uint64_t{where} << kWhereAt; }
  std::size_t bytes_beside() const { return is_in_slot() ? 0 : bytes(); }
  void pack(std::byte* line) const {
    if (bytes_beside() > 0) std::memcpy(line, list_.data(), bytes());
  }

  int givers() const { return static_cast<int>(edges_.sources.size() + edges_.destinations.size()); }
  int giver(int i) const {
    const auto at = static_cast<std::size_t>(i);
    const std::size_t sources = edges_.sources.size();
    return at < sources ? edges_.sources[at].rank : edges_.destinations[at - sources].rank;
  }
  void take(std::uint64_t epoch) {
    EdgeFinder given(team_.rank()), taken(team_.rank());
    for (Neighbour& source : edges_.sources) {
      const Lists lists = lists_of(source.rank, epoch);
      source.place = lists.are_told ? given.find(source.rank, lists.destinations) : 0;
      source.shown = static_cast<std::uint32_t>(lists.destinations.size());
    }
    std::uint32_t place = 0;
    for (Neighbour& destination : edges_.destinations) {
      const Lists lists = lists_of(destination.rank, epoch);
      const bool is_awaited = !lists.are_told || taken.find(destination.rank, lists.sources) != kOneSided;
      destination.place = is_awaited ? place : kOneSided;
      destination.shown = list_.empty() ? 0 : static_cast<std::uint32_t>(edges_.destinations.size());
      ++place;
    }
  }

 private:
  static constexpr std::size_t kMostInLine = Team::InlineLines::kBytesBesideNumber;
  static constexpr unsigned kWhereAt = 32;

  struct Lists {
    bool are_told;
    std::span<const int> destinations;
    std::span<const int> sources;
  };

  std::size_t bytes() const noexcept { return list_.size() * sizeof(int); }

  /// Needs its line awaited. Until the next one is asked for.
  Lists lists_of(int member, std::uint64_t epoch) {
    const std::uint64_t number = team_.inline_lines().number(member, epoch);
    const auto bytes = static_cast<std::uint32_t>(number);
    if (bytes == 0) return {};
    const auto where = static_cast<std::uint32_t>(number >> kWhereAt);
    const std::byte* const from = bytes > kMostInLine
                                      ? slot_at(team_.membership(), member, where, team_.slots().index(epoch))
                                      : team_.inline_lines().payload_beside_number(member, epoch, bytes);
    Team::Transfer::will_read(from, bytes);
    theirs_.resize(bytes / sizeof(int));
    std::memcpy(theirs_.data(), from, bytes);
    const std::span<const int> all(theirs_);
    const auto destinations = static_cast<std::size_t>(all.front());
    return {true, all.subspan(1, destinations), all.subspan(1 + destinations)};
  }

  Team& team_;
  const Edges& edges_;
  std::vector<int> list_;  // how many it gives to, those, and from whom it takes; empty: it does not tell
  std::vector<int> theirs_;
};

}  // namespace foldlane::engine
