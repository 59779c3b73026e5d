#include "engine/plan.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "engine/team.hpp"

namespace foldlane::engine {
namespace {

/// What one member reads from others in a one-shot fold, (ranks - 1) * bytes, against the second hop that a
/// two-shot fold pays: a hop of 100-300 ns is worth a few KiB at the 20-40 GB/s of cache-to-cache reads.
constexpr std::uint64_t kOneShotReadBytes = 8 << 10;

/// Pieces end on whole lines, so that two members never write results into one line of a user buffer's page.
constexpr std::size_t kPieceGranuleBytes = 64;

std::uint64_t chunks_of(std::uint64_t share_bytes, std::size_t piece_bytes) {
  return std::max<std::uint64_t>(1, (share_bytes + piece_bytes - 1) / piece_bytes);
}

/// All ranks' inputs and results together no longer fit the last-level cache: what is written would only push
/// out the slots, and reading the line for ownership first would cost a third of the memory traffic.
bool should_stream(std::uint64_t bytes, const TeamShape& team) {
  return team.llc_bytes > 0 && 2 * bytes * static_cast<std::uint64_t>(team.ranks) > team.llc_bytes;
}

Plan in_one_line(Call call) {
  return {Class::inline_line,
          0,
          1,
          false,
          1,
          call == Call::barrier ? "nothing but epochs to exchange" : "fits beside the epoch in a line"};
}

Plan plan_bcast(std::uint64_t bytes, const TeamShape& team) {
  const std::uint64_t chunks = chunks_of(bytes, team.slot_bytes);
  if (chunks == 1) return {Class::one_shot, team.slot_bytes, 1, false, 1, "fits one slot"};
  return {Class::pipelined, team.slot_bytes, chunks, should_stream(bytes, team), 1, "larger than a slot"};
}

Plan plan_shares(Call call, std::uint64_t bytes, const TeamShape& team) {
  const auto ranks = static_cast<std::size_t>(team.ranks);
  const std::size_t piece_bytes = team.slot_bytes / ranks / kPieceGranuleBytes * kPieceGranuleBytes;
  const std::uint64_t chunks = chunks_of((bytes + ranks - 1) / ranks, piece_bytes);
  const int hops = call == Call::reduce_scatter ? 1 : 2;
  if (chunks == 1) return {Class::two_shot, piece_bytes, 1, false, hops, "all shares fit one slot"};
  return {Class::pipelined, piece_bytes, chunks, should_stream(bytes, team), hops, "larger than a slot"};
}

}  // namespace

Plan plan(Call call, std::uint64_t bytes, const TeamShape& team) {
  if (team.ranks == 1) return {Class::alone, 0, 0, false, 0, "a team of one"};
  if (call == Call::barrier) return in_one_line(call);
  if (bytes == 0) return {Class::alone, 0, 0, false, 0, "nothing to move"};
  if (bytes <= Team::kInlineBytes) return in_one_line(call);
  if (call == Call::bcast) return plan_bcast(bytes, team);
  const std::uint64_t read_bytes = bytes * static_cast<std::uint64_t>(team.ranks - 1);
  if (call != Call::reduce_scatter && bytes <= team.slot_bytes && read_bytes <= kOneShotReadBytes) {
    return {Class::one_shot, 0, 1, false, 1, "reading everybody's input costs less than a second hop"};
  }
  return plan_shares(call, bytes, team);
}

const char* name(Call call) {
  switch (call) {
    case Call::barrier:
      return "barrier";
    case Call::bcast:
      return "bcast";
    case Call::reduce:
      return "reduce";
    case Call::allreduce:
      return "allreduce";
    case Call::reduce_scatter:
      return "reduce_scatter";
  }
  return "?";
}

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
  }
  return "?";
}

std::string describe(Call call, std::uint64_t bytes, const TeamShape& team) {
  const Plan chosen = plan(call, bytes, team);
  std::string text = fmt::format("{} of {} bytes on {} ranks: {} ({})", name(call), bytes, team.ranks,
                                 name(chosen.cls), chosen.why);
  if (chosen.cls == Class::alone) return text;
  text += fmt::format("; {} hop{}", chosen.hops, chosen.hops == 1 ? "" : "s");
  if (chosen.piece_bytes > 0) {
    text += fmt::format(", {} chunk{} in pieces of {} bytes, {} stores", chosen.chunks,
                        chosen.chunks == 1 ? "" : "s", chosen.piece_bytes,
                        chosen.streaming ? "streaming" : "cached");
  }
  return text;
}

}  // namespace foldlane::engine
