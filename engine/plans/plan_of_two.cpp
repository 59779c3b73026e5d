// Plans of teams of two, whose data goes through boxes that change hands and slots that come back empty.
#include "engine/plans/plan_of_two.hpp"

#include <algorithm>

#include "engine/plans/plan_parts.hpp"
#include "engine/team/pair_boxes.hpp"

namespace foldlane::engine {
namespace {

/// What one of two members wants through the boxes that they exchange.
Plan by_pair(Call call, std::uint64_t bytes, const TeamShape& team) {
  const std::uint64_t wanted = call == Call::reduce_scatter ? (bytes + 1) / 2 : bytes;
  const std::uint64_t chunks = chunks_of(wanted, team.slot_bytes);
  return {chunks == 1 ? Class::one_shot : Class::pipelined,
          Style::pair,
          team.slot_bytes,
          chunks,
          chunks > 1 && should_stream(bytes, team),
          1,
          "two members pass each other what the other wants, in boxes that change hands"};
}

/// Of the boxes of two members that halve a fold six are in use at a time, which are to stay in L2.
std::size_t halving_box_bytes(const TeamShape& team) { return team.slot_bytes / 2; }

/// What no cache holds: there the second hop of an allreduce is hidden, and a quarter less goes through
/// memory. Where the two share a CPU every wait is a switch.
bool pays_to_halve(std::uint64_t bytes, const TeamShape& team, std::size_t elem_bytes) {
  return should_stream(bytes, team) && team.shared_cpus == 0 && elem_bytes <= halving_box_bytes(team);
}

Plan by_halves(Call call, std::uint64_t bytes, const TeamShape& team) {
  const std::size_t box_bytes = halving_box_bytes(team);
  return {Class::pipelined,
          Style::halves,
          box_bytes,
          chunks_of((bytes + 1) / 2, box_bytes),
          true,
          call == Call::allreduce ? 2 : 1,
          "two members fold one half each, in boxes that come back; if the operation is predefined"};
}

/// Data that one of two members passes the other. Where the two share a CPU every wait is a switch.
Plan one_way(std::uint64_t bytes, const TeamShape& team, std::size_t elem_bytes, std::uint64_t places) {
  Plan plan{};
  plan.piece_bytes = team.shared_cpus > 0
                         ? team.slot_bytes
                         : std::min<std::size_t>(team.slot_bytes,
                                                 std::max<std::size_t>(piece_of(bytes, places), elem_bytes));
  plan.chunks = chunks_of(bytes, plan.piece_bytes);
  plan.cls = plan.chunks == 1 ? Class::one_shot : Class::pipelined;
  plan.streaming = plan.chunks > 1 && should_stream(bytes, team);
  plan.hops = 1;
  return plan;
}

Plan by_message() { return by_messages("what is long is a message, which knows more ways"); }

/// Messages know more ways than slots, and time them: 256 KiB and 1 MiB, far, 12.6 and 45 us instead of 30
/// and 117, of buffers that are in no cache 31 and 131 instead of 40 and 155; near, 1 MiB 42 and 43.
Plan broadcast_to_one(std::uint64_t bytes, const TeamShape& team) {
  if (team.has_mail && bytes > kMostNotByMessage) return by_message();
  Plan plan = one_way(bytes, team, 1, kSlots);
  plan.style = may_be_pulled(Passed::copied, bytes) ? Style::pair : Style::whole;
  plan.why = may_be_pulled(Passed::copied, bytes)
                 ? "the root passes it in boxes that come back empty, or has it pulled, as timed"
                 : "the root's slots carry it and come back empty";
  return plan;
}

Plan handed_on(std::uint64_t bytes, const TeamShape& team) {
  if (team.has_mail && bytes > kMostNotByMessage)
    return by_messages("the first member's input goes to the second as a message");
  Plan plan = one_way(bytes, team, 1, kSlots);
  plan.style = Style::whole;
  plan.why =
      may_be_pulled(Passed::copied, bytes)
          ? "the first member passes its input on in boxes that come back empty, or has it pulled, as timed"
          : "the first member's input goes to the second through slots that come back empty";
  return plan;
}

Plan reduce_of_two(std::uint64_t bytes, const TeamShape& team, std::size_t elem_bytes) {
  Plan plan = one_way(bytes, team, elem_bytes, 2 * kSlots);
  plan.style = Style::pair;
  plan.why =
      may_be_pulled(Passed::folded, bytes)
          ? "the leaf passes its input to the root in boxes that come back empty, or has it pulled, as timed"
          : "the leaf passes its input to the root in boxes that come back empty";
  return plan;
}

/// A reduce to the second member; the first one's result is its input.
Plan scan_of_two(std::uint64_t bytes, const TeamShape& team, std::size_t elem_bytes) {
  Plan plan = reduce_of_two(bytes, team, elem_bytes);
  plan.why =
      may_be_pulled(Passed::folded, bytes)
          ? "the first member keeps its input and passes it on in boxes that come back empty, or has it "
            "pulled, as timed"
          : "the first member keeps its input and passes it on in boxes that come back empty";
  return plan;
}

}  // namespace

Plan plan_of_two(Call call, std::uint64_t bytes, const TeamShape& team, std::size_t elem_bytes) {
  if (call == Call::exscan) return handed_on(bytes, team);
  if (call == Call::bcast) return broadcast_to_one(bytes, team);
  if (call == Call::reduce) return reduce_of_two(bytes, team, elem_bytes);
  if (call == Call::scan) return scan_of_two(bytes, team, elem_bytes);
  return pays_to_halve(bytes, team, elem_bytes) ? by_halves(call, bytes, team) : by_pair(call, bytes, team);
}

Plan exchange_of_two(std::uint64_t bytes, const TeamShape& team) {
  Plan plan = one_way(bytes, team, 1, 2 * kSlots);
  plan.style = Style::pair;
  plan.streaming = false;
  plan.hops = 2;
  plan.direct_first = team.has_common_memory;
  plan.why = "long blocks in boxes, or pulled as timed";
  return plan;
}

Plan pass_of_two(const TeamShape& team) {
  Plan plan = by_message();
  plan.direct_first = team.has_common_memory;
  return plan;
}

namespace {

const char* why_of_lists(Passed passed, bool may_be_pulled) {
  if (passed == Passed::copied)
    return may_be_pulled ? "lengths and short blocks beside the epoch, others in boxes that change hands or "
                           "pulled as timed, long ones out of the root's heap or into it, else by messages"
                         : "lengths and short blocks beside the epoch, others in boxes that change hands, "
                           "long ones out of the root's heap or into it, else by messages";
  return may_be_pulled ? "lengths and short blocks beside the epoch, others in boxes that change hands or "
                         "pulled as timed, long ones both ways from where they lie, else by messages"
                       : "lengths and short blocks beside the epoch, others in boxes that change hands, long "
                         "ones both ways from where they lie, else by messages";
}

}  // namespace

Plan move_of_two(Call call, std::uint64_t bytes, const TeamShape& team) {
  const bool is_list = !moves_equal_blocks(call);
  const std::uint64_t most = is_list ? kMostInBoxes : bytes;
  Plan plan = one_way(most, team, 1, 2 * kSlots);
  plan.style = Style::pair;
  plan.streaming = false;
  const Passed passed = moves_from_or_to_root(call) ? Passed::copied : Passed::exchanged;
  const bool has_choice = plan.chunks > 1 && may_be_pulled(passed, most);
  plan.why =
      is_list ? why_of_lists(passed, has_choice)
      : has_choice
          ? "two members pass each other blocks in boxes that change hands, or have them pulled, as timed"
          : "two members pass each other blocks in boxes that change hands";
  return plan;
}

}  // namespace foldlane::engine
