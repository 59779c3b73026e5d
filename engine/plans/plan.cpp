#include "engine/plans/plan.hpp"

#include <algorithm>
#include <optional>

#include "engine/groups/grouped_places.hpp"
#include "engine/plans/plan_of_moves.hpp"
#include "engine/plans/plan_of_two.hpp"
#include "engine/plans/plan_parts.hpp"
#include "engine/team/team.hpp"
#include "engine/team/transfer.hpp"

namespace foldlane::engine {
namespace {

/// What one member reads from others in a one-shot fold, (ranks - 1) * bytes, against the second hop that a
/// two-shot fold pays: a hop of 100-300 ns is worth a few KiB at the 20-40 GB/s of cache-to-cache reads.
constexpr std::uint64_t kOneShotReadBytes = 8 << 10;

/// The same where ranks share CPUs: there a hop is a switch, 1.5 us.
constexpr std::uint64_t kOneShotReadBytesOnSharedCpus = 64 << 10;

constexpr std::uint64_t kDirectBytes = kShortBytes + 1;
/// Leaves of a reduction run ahead of the root by as many calls as there are slots; asking stops that. Back
/// to back, direct against not, two ranks: 8 KiB 0.34 and 0.31 us, 16 KiB 0.45 and 0.71, 32 KiB 0.76 and 1.4.
/// Who asks in vain, with private buffers, loses 4 % at 16 KiB, 1 % at 32.
constexpr std::uint64_t kDirectReduceBytes = 32 << 10;
/// Where ranks share CPUs each wait is a switch, also for those whose buffers turn out to be private: four
/// ranks of two CPUs, 128 KiB, 25 instead of 19 us.
constexpr std::uint64_t kDirectReduceBytesOnSharedCpus = 1 << 20;

/// Whether the last rank to arrive does for all what predefined operations do: they share CPUs, and every one
/// of them wants a result.
bool is_for_the_last(Call call, const TeamShape& team) {
  const bool all_want_it = call == Call::barrier || call == Call::allreduce || call == Call::reduce_scatter;
  return all_want_it && meets_centrally(team.ranks, team.shared_cpus);
}

/// The whole vector through everybody's (or the root's) slots.
Plan by_whole(std::uint64_t bytes, const TeamShape& team, const char* why) {
  const std::uint64_t chunks = chunks_of(bytes, team.slot_bytes);
  const bool streaming = chunks > 1 && should_stream(bytes, team);
  return {chunks == 1 ? Class::one_shot : Class::pipelined,
          Style::whole,
          team.slot_bytes,
          chunks,
          streaming,
          1,
          why};
}

Plan by_shares(Call call, std::uint64_t bytes, const TeamShape& team) {
  const auto ranks = static_cast<std::size_t>(team.ranks);
  const std::size_t piece_bytes = piece_bytes_for(team);
  const std::uint64_t chunks = chunks_of((bytes + ranks - 1) / ranks, piece_bytes);
  const bool streaming = chunks > 1 && should_stream(bytes, team);
  const int hops = call == Call::reduce_scatter ? 1 : 2;
  return {chunks == 1 ? Class::two_shot : Class::pipelined,
          Style::shares,
          piece_bytes,
          chunks,
          streaming,
          hops,
          "each member folds a share",
          team.shared_cpus > 0 ? std::min<std::uint64_t>(chunks, kSlots) : 1};
}

Plan gathered(std::uint64_t bytes, const TeamShape& team) {
  return {Class::gathered,
          Style::whole,
          team.slot_bytes,
          chunks_of(bytes, team.slot_bytes),
          false,
          1,
          "an element is larger than a slot"};
}

Plan grouped_in_lines(const TeamShape& team) {
  return {Class::inline_line,
          Style::grouped,
          0,
          1,
          false,
          team.hierarchy->inline_hops(),
          "leaders show what their groups made"};
}

Plan grouped_through_slots(Call call, std::uint64_t bytes, const TeamShape& team, std::size_t chunk_bytes) {
  const std::uint64_t chunks = chunks_of(bytes, chunk_bytes);
  const bool streaming = chunks > 1 && should_stream(bytes, team);
  return {chunks == 1 ? Class::two_shot : Class::pipelined,
          Style::grouped,
          chunk_bytes,
          chunks,
          streaming,
          team.hierarchy->slot_hops(call == Call::allreduce),
          "groups fold first and exchange their values"};
}

/// A relay hands on a chunk after it has read it: small ones, so that relays work at the same time, but with
/// less than a hundredth of flags.
constexpr std::size_t kRelayedBytes = 32 << 10;

Plan relayed(std::uint64_t bytes, const TeamShape& team) {
  const char* const why = "leaders hand it on to their groups";
  const int hops = team.hierarchy->inline_hops();
  if (bytes <= Team::kOneLineBytes) return {Class::inline_line, Style::grouped, 0, 1, false, hops, why};
  const std::size_t chunk_bytes = std::min(kRelayedBytes, team.slot_bytes);
  const std::uint64_t chunks = chunks_of(bytes, chunk_bytes);
  const bool streaming = chunks > 1 && should_stream(bytes, team);
  return {chunks == 1 ? Class::one_shot : Class::pipelined,
          Style::grouped,
          chunk_bytes,
          chunks,
          streaming,
          hops,
          why};
}

/// What members of a prefix need differs from member to member.
std::optional<Plan> plan_grouped(Call call, std::uint64_t bytes, const TeamShape& team,
                                 const GroupedPlaces::Sizes& sizes) {
  if (team.hierarchy == nullptr) return {};
  if (call == Call::barrier) return grouped_in_lines(team);
  if (bytes == 0) return {};
  if (call == Call::bcast) return relayed(bytes, team);
  if (call != Call::allreduce && call != Call::reduce && call != Call::reduce_scatter) return {};
  const std::uint64_t shown_bytes =
      bytes / sizes.elem_bytes * sizes.value_bytes * team.hierarchy->most_values();
  if (bytes <= Team::kOneLineBytes && shown_bytes <= Team::kOneLineBytes) return grouped_in_lines(team);
  const std::size_t chunk_count = GroupedPlaces::largest_chunk(*team.hierarchy, team.slot_bytes, sizes);
  if (chunk_count == 0) return {};
  return grouped_through_slots(call, bytes, team, chunk_count * sizes.elem_bytes);
}

}  // namespace

Plan plan_by_wholes(std::uint64_t bytes, const TeamShape& team, std::size_t elem_bytes) {
  if (fits_inline(bytes, team.ranks)) return in_one_line(Call::allreduce);
  if (bytes == 0) return alone("nothing to move");
  if (elem_bytes > team.slot_bytes) return gathered(bytes, team);
  return by_whole(bytes, team, "each group reads the other's slots");
}

namespace {

Plan plan_with_slots(Call call, std::uint64_t bytes, const TeamShape& team, std::size_t elem_bytes,
                     std::size_t value_bytes) {
  if (team.ranks == 1) return alone("a team of one");
  if (const auto in_groups =
          plan_grouped(call, bytes, team, {elem_bytes, value_bytes == 0 ? elem_bytes : value_bytes}))
    return *in_groups;
  if (call == Call::barrier || fits_inline(bytes, team.ranks))
    return is_for_the_last(call, team) ? by_the_last(call) : in_one_line(call);
  if (bytes == 0) return alone("nothing to move");
  if (elem_bytes > team.slot_bytes) return gathered(bytes, team);
  if (team.ranks == 2 && (call != Call::scan || is_scan_for_two(bytes)))
    return plan_of_two(call, bytes, team, elem_bytes);
  if (call == Call::scan || call == Call::exscan)
    return by_whole(bytes, team, "each member folds what it needs of those before it");
  if (call == Call::bcast) return by_whole(bytes, team, "the root's slots carry it");
  if (elem_bytes > piece_bytes_for(team)) return by_whole(bytes, team, "no share of a slot holds an element");
  if (call == Call::reduce_scatter) return by_shares(call, bytes, team);
  const std::uint64_t read_bytes = bytes * static_cast<std::uint64_t>(team.ranks - 1);
  const bool switches = team.shared_cpus > 0;
  const std::uint64_t most = switches ? kOneShotReadBytesOnSharedCpus : kOneShotReadBytes;
  if (bytes <= team.slot_bytes && read_bytes <= most) {
    return by_whole(bytes, team,
                    switches ? "reading everybody's input costs less than a second switch of every rank"
                             : "reading everybody's input costs less than a second hop");
  }
  return by_shares(call, bytes, team);
}

std::uint64_t least_direct_bytes(Call call, const TeamShape& team) {
  if (call != Call::reduce) return kDirectBytes;
  return team.shared_cpus > 0 ? kDirectReduceBytesOnSharedCpus : kDirectReduceBytes;
}

bool may_be_direct(Call call, std::uint64_t bytes, const TeamShape& team) {
  const bool known =
      call == Call::allreduce || call == Call::reduce || call == Call::reduce_scatter || call == Call::bcast;
  return known && team.ranks > 1 && team.has_common_memory && bytes >= least_direct_bytes(call, team);
}

}  // namespace

Plan plan(Call call, std::uint64_t bytes, const TeamShape& team, std::size_t elem_bytes,
          std::size_t value_bytes) {
  if (only_moves(call)) return plan_of_move(call, bytes, team);
  Plan chosen = plan_with_slots(call, bytes, team, elem_bytes, value_bytes);
  // Reading everybody's buffers would cross what groups are there to avoid.
  const bool can_ask = chosen.style != Style::grouped && chosen.cls != Class::messages;
  chosen.direct_first = can_ask && may_be_direct(call, bytes, team);
  chosen.direct_streaming = chosen.direct_first && should_stream(bytes, team);
  return chosen;
}

}  // namespace foldlane::engine
