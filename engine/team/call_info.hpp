// What a member says about a call it makes: enough to notice that members disagree, and to name both sides.
#pragma once

#include <cstdint>

namespace foldlane::engine {

enum class Call : std::uint8_t {
  barrier,
  bcast,
  reduce,
  allreduce,
  reduce_scatter,
  scan,
  exscan,
  gather,
  gatherv,
  scatter,
  scatterv,
  allgather,
  allgatherv,
  alltoall,
  alltoallv,
  alltoallw,
  neighbor_allgather,
  neighbor_allgatherv,
  neighbor_alltoall,
  neighbor_alltoallv,
  neighbor_alltoallw,
  duplicate,  // what teams are founded by
  split,
  select,
  bridge,
  merge,
  grid,
  subgrid,
  graph,
  spread_graph,
  adjacent_graph,
  dissolve,
  finalize,
};

/// Variants of calls that the engine itself tells apart.
inline constexpr std::uint8_t kEqualBlocks = 1;  // a reduce-scatter; the count is that of a block
inline constexpr std::uint8_t kBetween = 2;      // of two groups: roots are members of their team
inline constexpr std::uint8_t kWithMembers =
    3;  // a founding; the count is a hash of who is to be in the team
inline constexpr std::uint8_t kWithArguments = 4;  // a founding; the count is a hash of what all pass
inline constexpr std::uint16_t kNoRoot = 0xffff;

/// Calls that move data and fold nothing.
constexpr bool only_moves(Call call) noexcept {
  return call >= Call::gather && call <= Call::neighbor_alltoallw;
}
/// Those of them that go by the topology.
constexpr bool moves_among_neighbours(Call call) noexcept {
  return call >= Call::neighbor_allgather && call <= Call::neighbor_alltoallw;
}
/// Those of them whose blocks are of one size, of which all members know it.
constexpr bool moves_equal_blocks(Call call) noexcept {
  return call == Call::gather || call == Call::scatter || call == Call::allgather || call == Call::alltoall;
}
/// Those of them in which a member gives one block to all.
constexpr bool moves_one_to_all(Call call) noexcept {
  return call == Call::allgather || call == Call::allgatherv || call == Call::neighbor_allgather ||
         call == Call::neighbor_allgatherv;
}
/// Those among neighbours in which each block may have a size of its own.
constexpr bool gives_list(Call call) noexcept {
  return call == Call::neighbor_alltoallv || call == Call::neighbor_alltoallw;
}
/// Those of them with a root.
constexpr bool moves_from_or_to_root(Call call) noexcept {
  return call >= Call::gather && call <= Call::scatterv;
}

/// Everything that must be the same on all members of a call.
struct CallInfo {
  Call call = Call::barrier;
  std::uint8_t variant = 0;     // the caller's: which of its calls this is
  std::uint16_t operation = 0;  // the caller's number of the operation
  std::uint16_t root = 0;
  std::uint16_t type = 0;   // the element type, or a hash of what the elements are made of
  std::uint64_t count = 0;  // elements, or a hash of counts; bytes of each block, if data only move

  bool operator==(const CallInfo&) const = default;

  std::uint64_t packed() const noexcept {
    return static_cast<std::uint64_t>(call) | std::uint64_t{variant} << 8 | std::uint64_t{operation} << 16 |
           std::uint64_t{root} << 32 | std::uint64_t{type} << 48;
  }
  static CallInfo unpacked(std::uint64_t what, std::uint64_t count) noexcept {
    return {static_cast<Call>(what & 0xff),         static_cast<std::uint8_t>(what >> 8),
            static_cast<std::uint16_t>(what >> 16), static_cast<std::uint16_t>(what >> 32),
            static_cast<std::uint16_t>(what >> 48), count};
  }
};

}  // namespace foldlane::engine
