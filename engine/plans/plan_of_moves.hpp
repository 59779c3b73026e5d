#pragma once

#include <cstdint>

#include "engine/moves/neighbours/equal_layout.hpp"
#include "engine/plans/plan.hpp"

namespace foldlane::engine {

/// Whether the last member to arrive tells the others, where members share CPUs and everybody wants
/// everybody's.
inline bool is_by_the_last(Call call, int members, int shared_cpus) noexcept {
  return !moves_from_or_to_root(call) && meets_centrally(members, shared_cpus);
}

/// Of a call that only moves data, in blocks of `bytes`: how many those are only its two members may know.
Plan plan_of_move(Call call, std::uint64_t bytes, const TeamShape& team);

/// Of a call among neighbours, in which a member shows so many bytes.
Plan plan_among_neighbours(Call call, Carrier carrier, std::uint64_t shown);

/// Of more than two members. What is overwritten nobody can pull meanwhile, so that it goes through slots for
/// longer than other blocks, and then by messages (8 ranks on 2 CPUs, far, in chunks and by messages: 32 KiB
/// 231 and 376 us, 64 KiB 401 and 609, 128 KiB 754 and 1,200).
Plan plan_of_alltoall_in_place(std::uint64_t bytes, const TeamShape& team);

}  // namespace foldlane::engine
