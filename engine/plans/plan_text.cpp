// Plans in words, for `foldlane explain`.
#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "engine/choice/decision.hpp"
#include "engine/plans/plan.hpp"
#include "engine/plans/plan_of_two.hpp"
#include "engine/team/call_names.hpp"

namespace foldlane::engine {

const char* name(Class cls) {
  switch (cls) {
    case Class::alone:
      return "alone";
    case Class::inline_line:
      return "inline";
    case Class::one_shot:
      return "one-shot";
    case Class::two_shot:
      return "two-shot";
    case Class::pipelined:
      return "pipelined";
    case Class::gathered:
      return "gathered";
    case Class::messages:
      return "by messages";
  }
  return "?";
}

namespace {

/// How results are stored. Of lists nobody knows here how long their blocks are.
const char* stores_of(Call call, const Plan& chosen, std::uint64_t bytes) {
  if (chosen.streaming) return "streaming stores";
  const bool is_list = only_moves(call) && !moves_equal_blocks(call) && call != Call::bcast;
  const std::uint64_t result_bytes = call == Call::reduce_scatter ? bytes / 2 : bytes;
  const bool is_chosen =
      chosen.style == Style::pair || (call == Call::bcast && chosen.style != Style::grouped);
  const bool is_long = is_list || result_bytes >= row_of(Decision::result_stores).from_bytes;
  return is_chosen && is_long ? "stores as timed" : "cached stores";
}

/// How boxes and slots are filled, if that is a question. Halves are copied in strips.
std::string copies_of(const Plan& chosen, std::uint64_t bytes) {
  const DecisionRow& row = row_of(Decision::long_copies);
  const bool is_short = std::min<std::uint64_t>(bytes, chosen.piece_bytes) < row.from_bytes;
  if (is_short || chosen.style == Style::halves) return "";
  return fmt::format("filled by {} or {} as timed, ", row.arms[0], row.arms[1]);
}

/// Of places that one member fills and the other empties.
std::string hand_back_of(Call call, std::uint64_t bytes, const TeamShape& team) {
  const bool one_way =
      team.ranks == 2 && (call == Call::bcast || call == Call::reduce || call == Call::exscan ||
                          (call == Call::scan && is_scan_for_two(bytes)) || moves_from_or_to_root(call));
  const DecisionRow& row = row_of(Decision::hand_back);
  if (!one_way) return "";
  if (bytes < row.from_bytes) return fmt::format(", handed back {}", row.arms[0]);
  return fmt::format(", handed back {} or {} as timed", row.arms[0], row.arms[1]);
}

std::string describe_direct(Call call, const Plan& chosen) {
  if (call == Call::bcast) {
    return fmt::format("direct if the root's buffer is in common memory; 2 hops, {} stores; else ",
                       chosen.direct_streaming ? "streaming" : "cached");
  }
  if (call == Call::gather || call == Call::scatter)
    return "direct if the root's buffer is in common memory and it is not in place; else ";
  if (only_moves(call)) return "direct if both blocks are in common memory; else ";
  const char* const needed = call == Call::allreduce ? "all buffers are"
                             : call == Call::reduce  ? "all inputs and the root's result are"
                                                     : "all inputs are";
  return fmt::format("direct if {} in common memory and the operation is predefined; 2 hops, {}; else ",
                     needed, chosen.direct_streaming ? "streaming stores" : "stores as timed");
}

}  // namespace

std::string describe(Call call, std::uint64_t bytes, const TeamShape& team) {
  const Plan chosen = plan(call, bytes, team);
  std::string text = fmt::format("{} of {} bytes on {} ranks: ", name_of(call), bytes, team.ranks);
  if (chosen.direct_first) text += describe_direct(call, chosen);
  text += name(chosen.cls);
  const bool one_shot = chosen.style == Style::whole || chosen.style == Style::pair || call == Call::bcast;
  if (chosen.cls == Class::pipelined) text += one_shot ? " one-shot" : " two-shot";
  if (chosen.style == Style::grouped) text += " in groups";
  if (chosen.style == Style::central) text += " by the last to arrive";
  text += fmt::format(" ({})", chosen.why);
  if (chosen.cls == Class::alone) return text;
  text += fmt::format("; {} hop{}", chosen.hops, chosen.hops == 1 ? "" : "s");
  if (chosen.piece_bytes > 0) {
    text +=
        fmt::format(", {} chunk{} in pieces of {} bytes, {}{}", chosen.chunks, chosen.chunks == 1 ? "" : "s",
                    chosen.piece_bytes, copies_of(chosen, bytes), stores_of(call, chosen, bytes)) +
        hand_back_of(call, bytes, team);
    if (chosen.together > 1) text += fmt::format(", {} at a time", chosen.together);
  }
  return text;
}

}  // namespace foldlane::engine
