// The one list of the names of calls: verdicts, reports of mismatches, `foldlane explain` and `foldlane
// bench` take theirs from here.
#pragma once

#include <array>
#include <string_view>

#include "engine/team/call_info.hpp"

namespace foldlane::engine {

struct NamedCall {
  Call call;
  std::uint8_t variant;   // 0: whatever has no row of its own
  std::string_view name;  // as in the bindings, without their prefix and in small letters
  bool is_collective;     // has a plan, a nonblocking and a persistent form
};

inline constexpr auto kCallNames = std::to_array<NamedCall>({
    {Call::allreduce, 0, "allreduce", true},
    {Call::reduce, 0, "reduce", true},
    {Call::reduce_scatter, 0, "reduce_scatter", true},
    {Call::reduce_scatter, kEqualBlocks, "reduce_scatter_block", true},
    {Call::scan, 0, "scan", true},
    {Call::exscan, 0, "exscan", true},
    {Call::bcast, 0, "bcast", true},
    {Call::barrier, 0, "barrier", true},
    {Call::gather, 0, "gather", true},
    {Call::gatherv, 0, "gatherv", true},
    {Call::scatter, 0, "scatter", true},
    {Call::scatterv, 0, "scatterv", true},
    {Call::allgather, 0, "allgather", true},
    {Call::allgatherv, 0, "allgatherv", true},
    {Call::alltoall, 0, "alltoall", true},
    {Call::alltoallv, 0, "alltoallv", true},
    {Call::alltoallw, 0, "alltoallw", true},
    {Call::neighbor_allgather, 0, "neighbor_allgather", true},
    {Call::neighbor_allgatherv, 0, "neighbor_allgatherv", true},
    {Call::neighbor_alltoall, 0, "neighbor_alltoall", true},
    {Call::neighbor_alltoallv, 0, "neighbor_alltoallv", true},
    {Call::neighbor_alltoallw, 0, "neighbor_alltoallw", true},
    {Call::duplicate, 0, "comm_dup", false},
    {Call::split, 0, "comm_split", false},
    {Call::select, 0, "comm_create", false},
    {Call::bridge, 0, "intercomm_create", false},
    {Call::merge, 0, "intercomm_merge", false},
    {Call::grid, 0, "cart_create", false},
    {Call::subgrid, 0, "cart_sub", false},
    {Call::graph, 0, "graph_create", false},
    {Call::spread_graph, 0, "dist_graph_create", false},
    {Call::adjacent_graph, 0, "dist_graph_create_adjacent", false},
    {Call::dissolve, 0, "comm_free", false},
    {Call::finalize, 0, "finalize", false},
});

/// The line of a member may be garbled.
inline constexpr std::string_view kUnknownCall = "an unknown call";

constexpr std::string_view name_of(Call call, std::uint8_t variant = 0) noexcept {
  std::string_view name = kUnknownCall;
  for (const NamedCall& row : kCallNames)
    if (row.call == call && (row.variant == 0 || row.variant == variant)) name = row.name;
  return name;
}

constexpr std::string_view name_of(const CallInfo& info) noexcept { return name_of(info.call, info.variant); }

}  // namespace foldlane::engine
