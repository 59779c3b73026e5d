// What members give in the calls of a script, and what they must get.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "engine/data/shares.hpp"
#include "engine/team/team_lines.hpp"
#include "handoff_script.hpp"
#include "ordered_fold.hpp"

namespace foldlane::model {

using Elements = std::vector<std::uint64_t>;

/// Of a member in a call.
struct Buffers {
  Elements send;
  Elements recv;
  Elements expected;
  std::byte* send_bytes() { return reinterpret_cast<std::byte*>(send.data()); }
  std::byte* recv_bytes() { return reinterpret_cast<std::byte*>(recv.data()); }
};

class ScriptData {
 public:
  static constexpr std::size_t kWholeCount = 2;  // elements of inline and one-shot calls
  static constexpr std::size_t kLongCount = engine::TeamLines::kCentralBytes / sizeof(std::uint64_t) + 1;
  /// Of a grouped call: a chunk of two parts, a line each.
  static constexpr std::size_t kGroupedChunk = 16;

  explicit ScriptData(const Script& script) : script_(script), teams_(script.teams) {
    if (teams_.empty()) {
      teams_.emplace_back();
      for (int r = 0; r < script.ranks; ++r) teams_[0].push_back(r);
    }
    for (int chunks = 1; chunks <= 9; ++chunks) {
      const auto count = static_cast<std::size_t>(chunks) * kGroupedChunk - 1;
      blocks_.emplace(chunks, engine::Shares::equal(count, script.ranks, sizeof(std::uint64_t)));
    }
  }

  const Script& script() const { return script_; }
  /// The members of each.
  const std::vector<std::vector<int>>& teams() const { return teams_; }

  std::size_t count_of(const Call& call) const;
  engine::Shares shares_of(const Call& call) const;
  engine::Piece wanted_of_pair(const Call& call, int member) const;
  static engine::Piece wanted_in_lines(const Call& call, int member);
  /// Whose inputs make the result that a member wants.
  static engine::Members sources_of(const Call& call, int member, int members);
  /// A call does not outlive the blocks of a reduce-scatter.
  const engine::Shares* blocks_of(const Call& call) const { return &blocks_.at(call.chunks); }
  Buffers buffers_of(std::size_t number, int rank, int members) const;

 private:
  static std::uint64_t input(std::size_t call, int member, std::size_t element) {
    return mix(call * 64 + static_cast<std::uint64_t>(member), element + 1);
  }
  static Elements fold_of(std::size_t call, std::size_t count, int members);

  const Script& script_;
  std::vector<std::vector<int>> teams_;
  std::map<int, engine::Shares> blocks_;  // by chunks
};

inline std::size_t ScriptData::count_of(const Call& call) const {
  switch (call.what) {
    case What::meet:
    case What::meet_at_once:
    case What::central_meet:
    case What::grouped_meet:
      return 0;
    case What::central_told:
    case What::gathered_lines:
    case What::gathered_slots:
    case What::gathered_neighbours:
    case What::gathered_lines_root:
    case What::gathered_leaves_root:
    case What::gathered_slots_root:
    case What::gathered_central_lines:
    case What::gathered_central_slots:
    case What::gathered_lists:
    case What::gathered_collected:
    case What::gathered_collected_root:
    case What::gathered_announced:
    case What::gathered_announced_root:
      return teams_[static_cast<std::size_t>(call.team)].size() * elements_of_gathered(call.what);
    case What::grouped_all:
    case What::grouped_root:
    case What::grouped_own:
      return blocks_of(call)->total();
    case What::grouped_bcast_chunks:
    case What::chunks_all:
    case What::scan_chunks:
    case What::bcast_chunks:
    case What::pair_all:
    case What::pair_root:
    case What::moved_boxes_all:
    case What::moved_boxes_root:
    case What::told_boxes_all:
    case What::told_boxes_root:
      return static_cast<std::size_t>(call.chunks);
    case What::pair_own:
    case What::halves_all:
    case What::halves_own:
    case What::shares_own:
    case What::shares_root:
    case What::shares_all:
      return shares_of(call).total();
    case What::central_long:
      return kLongCount;
    default:
      return kWholeCount;
  }
}

/// Every share fills its chunks, but for the last, which is one element short: an empty piece in the last
/// chunk if pieces are of one element.
inline engine::Shares ScriptData::shares_of(const Call& call) const {
  const auto members = static_cast<int>(teams_[static_cast<std::size_t>(call.team)].size());
  const auto full = static_cast<std::int64_t>(script_.piece_count) * call.chunks;
  std::vector<std::int64_t> counts(static_cast<std::size_t>(members), full);
  --counts.back();
  return engine::Shares::blocks(engine::BlockCounts(counts.data()), members);
}

inline engine::Piece ScriptData::wanted_of_pair(const Call& call, int member) const {
  if (call.what == What::pair_own) return shares_of(call).of(member);
  return {0, call.what == What::pair_all || member == call.root ? count_of(call) : 0};
}

inline engine::Members ScriptData::sources_of(const Call& call, int member, int members) {
  if (call.what == What::exscan_line) return {0, member};
  return {0, is_scan(call.what) ? member + 1 : members};
}

inline engine::Piece ScriptData::wanted_in_lines(const Call& call, int member) {
  if (call.what == What::exscan_line) return {0, member == 0 ? 0 : kWholeCount};
  if (call.what == What::central_long) return {0, kLongCount};
  if (call.what == What::lines_own || call.what == What::central_own)
    return {static_cast<std::size_t>(member) % kWholeCount, member < 2 ? std::size_t{1} : 0};
  return {0, call.what != What::lines_root || member == call.root ? kWholeCount : 0};
}

inline Elements ScriptData::fold_of(std::size_t call, std::size_t count, int members) {
  std::vector<Elements> inputs(static_cast<std::size_t>(members), Elements(count));
  std::vector<const void*> sources;
  for (int m = 0; m < members; ++m) {
    auto& of_member = inputs[static_cast<std::size_t>(m)];
    for (std::size_t i = 0; i < count; ++i) of_member[i] = input(call, m, i);
    sources.push_back(of_member.data());
  }
  Elements folded(count);
  ordered_fold(folded.data(), sources.data(), sources.size(), count);
  return folded;
}

/// `expected` is the whole of recv (of send, in place), including what the call must leave alone.
inline Buffers ScriptData::buffers_of(std::size_t number, int rank, int members) const {
  const Call& call = script_.calls[number];
  const std::size_t count = count_of(call);
  Buffers buffers{Elements(count), Elements(count), {}};
  for (std::size_t i = 0; i < count; ++i) buffers.send[i] = input(number, rank, i);
  buffers.expected = call.in_place ? buffers.send : buffers.recv;
  const int sources = std::max(1, sources_of(call, rank, members).count);  // of none, nothing is wanted
  const Elements folded = fold_of(number, count, sources);
  const bool at_root = rank == call.root;
  std::size_t from = 0;
  std::size_t wanted = count;
  switch (call.what) {
    case What::inline_root:
    case What::lines_root:
    case What::one_shot_root:
    case What::shares_root:
    case What::pair_root:
    case What::grouped_inline_root:
    case What::grouped_root:
      wanted = at_root ? count : 0;
      break;
    case What::inline_own:
    case What::lines_own:
    case What::central_own:
      from = static_cast<std::size_t>(rank) % kWholeCount;
      wanted = rank < 2 ? 1 : 0;
      break;
    case What::exscan_line:
      wanted = rank == 0 ? 0 : count;
      break;
    case What::pair_own:
    case What::halves_own:
    case What::shares_own:
      from = shares_of(call).start(rank);
      wanted = shares_of(call).count(rank);
      break;
    case What::grouped_own:
      from = blocks_of(call)->start(rank);
      wanted = blocks_of(call)->count(rank);
      break;
    case What::bcast_inline:
    case What::bcast_chunks:
    case What::bcast_line:
    case What::bcast_once:
    case What::grouped_bcast_inline:
    case What::grouped_bcast_chunks:
      for (std::size_t i = 0; i < count; ++i) buffers.expected[i] = input(number, call.root, i);
      if (at_root) buffers.recv = buffers.send;
      return buffers;
    case What::central_told:  // everybody its first element
      for (std::size_t i = 0; i < count; ++i) buffers.expected[i] = input(number, static_cast<int>(i), 0);
      return buffers;
    default:
      break;
  }
  if (is_gathered(call.what)) {
    const bool takes = at_root || !is_gathered_to_root(call.what);
    const std::size_t block = elements_of_gathered(call.what);
    for (std::size_t i = 0; i < (takes ? count : 0); ++i)
      buffers.expected[i] = input(number, static_cast<int>(i / block), i % block);
    return buffers;
  }
  if (is_moved(call.what)) {
    const bool takes = at_root || !is_moved_to_root(call.what);
    for (std::size_t i = 0; i < (takes ? count : 0); ++i) buffers.expected[i] = input(number, 1 - rank, i);
    return buffers;
  }
  for (std::size_t i = 0; i < wanted; ++i) buffers.expected[i] = folded[from + i];
  return buffers;
}

}  // namespace foldlane::model
