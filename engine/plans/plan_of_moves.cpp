// Plans of calls that only move data.
#include "engine/plans/plan_of_moves.hpp"

#include <algorithm>

#include "engine/moves/group_places.hpp"
#include "engine/moves/lists/listed_blocks.hpp"
#include "engine/moves/lists/packed_list.hpp"
#include "engine/moves/neighbours/equal_layout.hpp"
#include "engine/moves/shown_blocks.hpp"
#include "engine/plans/plan_of_two.hpp"
#include "engine/plans/plan_parts.hpp"

namespace foldlane::engine {
namespace {

Plan message_for_each() { return by_messages("a message for each block"); }

Plan move_through_slots(std::uint64_t shown, bool by_last) {
  return {Class::one_shot,
          by_last ? Style::central : Style::whole,
          static_cast<std::size_t>(shown),
          1,
          false,
          by_last ? 2 : 1,
          by_last ? "ranks share CPUs; whole vectors through slots" : "whole vectors through slots"};
}

/// How many blocks a member shows depends on how many neighbours it has.
Plan among_neighbours(Call call, std::uint64_t bytes, const TeamShape& team) {
  if (moves_one_to_all(call))
    return plan_among_neighbours(call, carrier_of(bytes, 1, team.slot_bytes), bytes);
  if (bytes > kMostBesideLengths) return message_for_each();
  Plan plan = move_through_slots(0, false);
  plan.why = gives_list(call)
                 ? "lengths and blocks beside the epoch, if all of a member fit there, else through slots"
                 : "beside the epoch, if all blocks of a member fit there, else through slots";
  return plan;
}

bool is_by_the_last(Call call, const TeamShape& team) {
  return is_by_the_last(call, team.ranks, team.shared_cpus);
}

constexpr std::uint64_t kLeastOverlapped = 16 << 10;

std::uint64_t shown_in_groups(Call call, std::uint64_t bytes, const TeamShape& team) {
  return shown_in_groups(call, bytes, team.hierarchy->groups().levels.front());
}

/// A root of a scatter alone gives: its flag is the only one.
bool goes_in_groups(Call call, std::uint64_t bytes, const TeamShape& team) {
  if (team.hierarchy == nullptr || call == Call::scatter) return false;
  return fit_slots(call, bytes, shown_in_groups(call, bytes, team), team.slot_bytes);
}

Plan in_groups(Call call, std::uint64_t bytes, const TeamShape& team) {
  Plan plan = move_through_slots(shown_in_groups(call, bytes, team), false);
  plan.style = Style::grouped;
  plan.hops = team.hierarchy->inline_hops();
  plan.why = leaders_collect(call, bytes) ? "leaders collect the blocks of their groups"
                                          : "leaders tell that the blocks of their groups are in slots";
  return plan;
}

/// All that members give and take.
bool fits_no_cache(Call call, std::uint64_t bytes, const TeamShape& team) {
  const auto ranks = static_cast<std::uint64_t>(team.ranks);
  const std::uint64_t all = moves_from_or_to_root(call)
                                ? 2 * ranks * bytes
                                : ranks * (shown_bytes(call, bytes, team.ranks) + ranks * bytes);
  return team.llc_bytes > 0 && all > team.llc_bytes;
}

/// Slots are cut for all blocks that a member gives. Chunks of rooted calls are short enough for the root to
/// copy one while others copy the one before, unless ranks share CPUs.
Plan move_in_chunks(Call call, std::uint64_t bytes, const TeamShape& team) {
  const std::size_t most = gives_block_for_each(call) ? piece_bytes_for(team) : team.slot_bytes;
  if (most == 0) return message_for_each();
  const bool overlaps = moves_from_or_to_root(call) && team.shared_cpus == 0;
  const std::uint64_t wished = overlaps ? std::max(kLeastOverlapped, chunks_of(bytes, kSlots)) : bytes;
  Plan plan = move_through_slots(std::min<std::uint64_t>(most, wished), false);
  plan.cls = Class::pipelined;
  plan.chunks = chunks_of(bytes, plan.piece_bytes);
  plan.streaming = fits_no_cache(call, bytes, team);
  plan.together = team.shared_cpus > 0 ? std::min<std::uint64_t>(plan.chunks, kSlots) : 1;
  plan.why = "long blocks through slots, or from where they lie in common memory";
  return plan;
}

/// How many bytes a block has only its two members know.
Plan move_lists(Call call, const TeamShape& team) {
  if (call == Call::gatherv || call == Call::gather) {
    Plan plan = move_through_slots(0, false);
    plan.why =
        "lengths and short blocks beside the epoch, others through slots; long ones straight into the root's "
        "heap, or by messages";
    return plan;
  }
  if (!ListedBlocks::fit_slots(call, team.ranks, team.slot_bytes)) return message_for_each();
  Plan plan = move_through_slots(0, is_by_the_last(call, team));
  plan.why =
      are_lists_announced(call, team.ranks) && PackedList::fits_line(call, team.ranks)
          ? "lengths and short blocks beside the epoch, others through slots; long ones from where they lie, "
            "in chunks or pulled, as timed"
          : "lengths and blocks through slots; long ones from where they lie, in chunks or pulled, as timed";
  return plan;
}

/// What everybody reads goes once into a slot instead of once to each. Blocks for one member each cost two
/// copies there and one where the kernel helps (8 ranks on 2 CPUs, alltoall by slots and by messages: 64 KiB
/// near 150 and 170 us, far 370 and 610; 256 KiB 1,590 and 1,320, 2,170 and 1,530).
constexpr std::uint64_t kMostInChunks = 128 << 10;

/// Longer blocks of an alltoall or a scatter go as lists, which time both ways, if slots have room for those.
/// Where ranks share CPUs all of them are switched to once for as many turns as there are slots, so a scatter
/// in more turns pays as lists (64 ranks on 2 CPUs, in chunks and as lists: 16 KiB, 4 turns, 283 and 410 us,
/// 32 KiB 677 and 500, 64 KiB 1,818 and 775).
bool pays_in_chunks(Call call, std::uint64_t bytes, const TeamShape& team) {
  if (call == Call::allgather) return true;
  if (call == Call::gather) return false;
  const bool has_lists =
      gives_block_for_each(call) && ListedBlocks::fit_slots(call, team.ranks, team.slot_bytes);
  if (bytes > (has_lists ? kMostOfEachThroughSlots : kMostInChunks)) return false;
  return call != Call::scatter || team.shared_cpus == 0 || bytes <= kSlots * piece_bytes_for(team);
}

Plan move_long_blocks(Call call, std::uint64_t bytes, const TeamShape& team) {
  if (pays_in_chunks(call, bytes, team)) return move_in_chunks(call, bytes, team);
  return move_lists(call, team);
}

Plan move_equal_blocks(Call call, std::uint64_t bytes, const TeamShape& team) {
  const bool by_last = is_by_the_last(call, team);
  const std::uint64_t shown = shown_bytes(call, bytes, team.ranks);
  if (goes_in_groups(call, bytes, team)) return in_groups(call, bytes, team);
  if (team.hierarchy == nullptr && fits_inline(shown, team.ranks))
    return by_last ? by_the_last(Call::barrier) : in_one_line(call);
  return fit_slots(call, bytes, shown, team.slot_bytes) ? move_through_slots(shown, by_last)
                                                        : move_long_blocks(call, bytes, team);
}

}  // namespace

Plan plan_among_neighbours(Call call, Carrier carrier, std::uint64_t shown) {
  switch (carrier) {
    case Carrier::line:
      return in_one_line(call);
    case Carrier::slot:
      return move_through_slots(shown, false);
    case Carrier::message:
      break;
  }
  return message_for_each();
}

Plan plan_of_move(Call call, std::uint64_t bytes, const TeamShape& team) {
  if (team.ranks == 1) return alone("a team of one");
  const bool is_equal = moves_equal_blocks(call);
  if (is_equal && bytes == 0) return alone("nothing to move");
  if (moves_among_neighbours(call)) return among_neighbours(call, bytes, team);
  if (team.ranks == 2) {
    if (is_equal && fits_inline(bytes, team.ranks)) return in_one_line(call);
    if (bytes <= kMostInBoxes) return move_of_two(call, bytes, team);
    return moves_from_or_to_root(call) ? pass_of_two(team) : exchange_of_two(bytes, team);
  }
  return is_equal ? move_equal_blocks(call, bytes, team) : move_lists(call, team);
}

Plan plan_of_alltoall_in_place(std::uint64_t bytes, const TeamShape& team) {
  if (bytes <= kMostOfEachThroughSlots) return plan_of_move(Call::alltoall, bytes, team);
  return bytes <= kMostInChunks ? move_in_chunks(Call::alltoall, bytes, team) : message_for_each();
}

}  // namespace foldlane::engine
