// The shipped teams and procedures as a program for the explorer: ranks that perform a script of collective
// calls and compare each result with the serial one.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "engine/algorithms/broadcast.hpp"
#include "engine/algorithms/broadcast_grouped.hpp"
#include "engine/algorithms/exchange.hpp"
#include "engine/algorithms/fold_central.hpp"
#include "engine/algorithms/fold_halves.hpp"
#include "engine/algorithms/fold_pair.hpp"
#include "engine/algorithms/fold_shares.hpp"
#include "engine/algorithms/fold_whole.hpp"
#include "engine/algorithms/inline_grouped.hpp"
#include "engine/moves/collected_move.hpp"
#include "engine/moves/neighbour_move.hpp"
#include "engine/moves/pair_move.hpp"
#include "engine/moves/shown_move.hpp"
#include "engine/team/team.hpp"
#include "explorer.hpp"
#include "handoff_script.hpp"
#include "handoff_words.hpp"
#include "model_atoms.hpp"
#include "ordered_fold.hpp"

namespace foldlane::model {

using Team = engine::BasicTeam<WholeWaitAtoms>;

/// Data that flows one way is on trial from the first byte on, every other time; and because time must not
/// decide anything here, the second arm is never settled on.
inline constexpr engine::DecisionRows kTriedRows = [] {
  engine::DecisionRows rows = engine::kDecisionRows;
  auto& hand_back = rows[static_cast<std::size_t>(engine::Decision::hand_back)];
  hand_back.from_bytes = 0;
  hand_back.habits = {std::numeric_limits<double>::infinity(), 0, 1, 1};
  return rows;
}();

/// Procedures as the engine calls them, for any kind of team.
template <class AnyTeam>
class HandoffProgram final : public Program {
 public:
  using Atoms = WholeWaitAtoms;
  using Lines = engine::BasicTeamLines<Atoms>;
  using Elements = std::vector<std::uint64_t>;

  explicit HandoffProgram(const Script& script);

  std::size_t threads() const override { return static_cast<std::size_t>(script_.ranks); }
  void run(int rank) override;
  Kind kind_of(const void* word) const override;
  std::string name_of(const void* address) const override;
  void add_places(Memory& memory) const override;
  const void* abort_word() const override { return &abort_word_; }

 private:
  struct Rank {
    std::unique_ptr<Lines[]> lines;  // one per team
    std::vector<std::uint64_t> slots;
    std::unique_ptr<engine::BasicProcess<Atoms>> process;
    std::vector<std::unique_ptr<AnyTeam>> teams;  // null where it is no member
  };
  struct Buffers {
    Elements send;
    Elements recv;
    Elements expected;
    std::byte* send_bytes() { return reinterpret_cast<std::byte*>(send.data()); }
    std::byte* recv_bytes() { return reinterpret_cast<std::byte*>(recv.data()); }
  };

  std::size_t slot_elements() const {
    if (!script_.seats.empty()) return kGroupedSlotElements;
    return std::max<std::size_t>(kListElements, threads() * script_.piece_count);
  }
  void make_process(int number);
  void make_teams(int number);
  std::size_t count_of(const Call& call) const;
  engine::Shares shares_of(const Call& call) const;
  static engine::Broadcast broadcast_of(const Call& call, Buffers& buffers) {
    return {buffers.recv_bytes(),  nullptr, buffers.recv.size() * sizeof(std::uint64_t), call.root, true,
            sizeof(std::uint64_t), false};
  }
  engine::Piece wanted_of_pair(const Call& call, int member) const;
  static engine::Piece wanted_in_lines(const Call& call, int member);
  static std::uint64_t input(std::size_t call, int member, std::size_t element) {
    return mix(call * 64 + static_cast<std::uint64_t>(member), element + 1);
  }
  Elements fold_of_all(std::size_t call, std::size_t count, int members) const;
  Buffers buffers_of(std::size_t call, AnyTeam& team) const;
  bool perform(const Call& call, AnyTeam& team, Buffers& buffers) const;
  template <class Steps>
  static bool step_to_the_end(Steps& steps);
  template <class Turns, class... Args>
  static bool perform_turns(const Call& call, AnyTeam& team, const Args&... args);
  static bool perform_steps(const Call& call, engine::Procedure steps);
  bool perform_pair(const Call& call, AnyTeam& team, Buffers& buffers) const;
  bool perform_gathered(const Call& call, AnyTeam& team, Buffers& buffers) const;
  engine::PairMove move_of(const Call& call, const AnyTeam& team, Buffers& buffers) const;
  engine::Procedure start(const Call& call, AnyTeam& team, Buffers& buffers) const;
  engine::Procedure start_whole(const Call& call, AnyTeam& team, Buffers& buffers) const;
  engine::Procedure start_shares(const Call& call, AnyTeam& team, Buffers& buffers) const;
  engine::Procedure start_grouped(const Call& call, AnyTeam& team, Buffers& buffers,
                                  const engine::Broadcast& broadcast) const;
  /// A call does not outlive the blocks of a reduce-scatter.
  const engine::Shares* blocks_of(const Call& call) const { return &blocks_.at(call.chunks); }

  /// How many of the teams need boxes: a rank's slots begin a page, and so do the boxes of each team behind
  /// them.
  std::size_t teams_of_two() const {
    const auto is_pair = [](const std::vector<int>& members) { return members.size() == 2; };
    return static_cast<std::size_t>(std::count_if(team_members_.begin(), team_members_.end(), is_pair));
  }

  static constexpr std::size_t kRingElements = shm::kPageBytes / sizeof(std::uint64_t);
  static constexpr std::size_t kWholeCount = 2;    // elements of inline and one-shot calls
  static constexpr std::size_t kListElements = 3;  // an entry of a list, and its block
  /// Of a grouped call: a chunk of two parts, a line each, and room for it and its values.
  static constexpr std::size_t kGroupedChunk = 16;
  static constexpr std::size_t kGroupedSlotElements = 128;

  const Script& script_;
  std::vector<std::vector<int>> team_members_;
  std::vector<Rank> ranks_;
  std::map<int, engine::Shares> blocks_;  // by chunks
  Atoms::Word<std::uint64_t> abort_word_{};
  shm::Doorbell<Atoms> unused_bell_{};
  engine::Reduction reduction_{.elem_bytes = sizeof(std::uint64_t), .builtin = ordered_fold};
};

// ---- building

template <class AnyTeam>
HandoffProgram<AnyTeam>::HandoffProgram(const Script& script) : script_(script), team_members_(script.teams) {
  if (team_members_.empty()) {
    team_members_.emplace_back();
    for (int r = 0; r < script.ranks; ++r) team_members_[0].push_back(r);
  }
  for (int chunks = 1; chunks <= 9; ++chunks) {
    const auto count = static_cast<std::size_t>(chunks) * kGroupedChunk - 1;
    blocks_.emplace(chunks, engine::Shares::equal(count, script.ranks, sizeof(std::uint64_t)));
  }
  ranks_.resize(threads());
  for (Rank& rank : ranks_) {
    rank.lines = std::make_unique<Lines[]>(team_members_.size());
    rank.slots.resize(kRingElements * teams_of_two() + slot_elements() * engine::kSlots);
  }
  for (int r = 0; r < script.ranks; ++r) make_process(r);
  for (int r = 0; r < script.ranks; ++r) make_teams(r);
}

template <class AnyTeam>
void HandoffProgram<AnyTeam>::make_process(int number) {
  Rank& rank = ranks_[static_cast<std::size_t>(number)];
  std::vector<engine::BasicPeer<Atoms>> peers;
  for (Rank& peer : ranks_) {
    const auto seat = script_.seats.empty() ? engine::Seat{} : script_.seats[peers.size()];
    peers.push_back({peer.lines.get(), reinterpret_cast<std::byte*>(peer.slots.data()), &unused_bell_, seat});
  }
  const engine::Geometry geometry{slot_elements() * sizeof(std::uint64_t), script_.slots, 0, 0, 1};
  rank.process = std::make_unique<engine::BasicProcess<Atoms>>(
      std::move(peers), number, geometry, shm::Signals<Atoms>(abort_word_), engine::CommonMemory{},
      engine::Decisions({}, kTriedRows));
  rank.process->set_ring_source([&rank, page = std::size_t{0}]() mutable {
    return reinterpret_cast<std::byte*>(rank.slots.data() + kRingElements * ++page);
  });
}

template <class AnyTeam>
void HandoffProgram<AnyTeam>::make_teams(int number) {
  Rank& rank = ranks_[static_cast<std::size_t>(number)];
  for (std::size_t t = 0; t < team_members_.size(); ++t) {
    const auto& members = team_members_[t];
    const auto found = std::find(members.begin(), members.end(), number);
    rank.teams.push_back(found == members.end()
                             ? nullptr
                             : std::make_unique<AnyTeam>(*rank.process, members,
                                                         static_cast<int>(found - members.begin()),
                                                         static_cast<int>(t)));
  }
}

// ---- performing

template <class AnyTeam>
void HandoffProgram<AnyTeam>::run(int rank) {
  for (std::size_t c = 0; c < script_.calls.size(); ++c) {
    const Call& call = script_.calls[c];
    const auto& team = ranks_[static_cast<std::size_t>(rank)].teams[static_cast<std::size_t>(call.team)];
    if (team == nullptr) continue;
    Buffers buffers = buffers_of(c, *team);
    if (!perform(call, *team, buffers)) return;
    if ((call.in_place ? buffers.send : buffers.recv) != buffers.expected) {
      Execution::current().fail(fmt::format("wrong value in call {}", c));
    }
  }
}

template <class AnyTeam>
std::size_t HandoffProgram<AnyTeam>::count_of(const Call& call) const {
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
    case What::gathered_slots_root:
    case What::gathered_central_lines:
    case What::gathered_central_slots:
    case What::gathered_lists:
    case What::gathered_lists_root:
    case What::gathered_collected:
    case What::gathered_collected_root:
      return team_members_[static_cast<std::size_t>(call.team)].size();
    case What::grouped_all:
    case What::grouped_root:
    case What::grouped_own:
      return blocks_of(call)->total();
    case What::grouped_bcast_chunks:
    case What::chunks_all:
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
    default:
      return kWholeCount;
  }
}

/// Every share fills its chunks, but for the last, which is one element short: an empty piece in the last
/// chunk if pieces are of one element.
template <class AnyTeam>
engine::Shares HandoffProgram<AnyTeam>::shares_of(const Call& call) const {
  const auto members = static_cast<int>(team_members_[static_cast<std::size_t>(call.team)].size());
  const auto full = static_cast<std::int64_t>(script_.piece_count) * call.chunks;
  std::vector<std::int64_t> counts(static_cast<std::size_t>(members), full);
  --counts.back();
  return engine::Shares::blocks(engine::BlockCounts(counts.data()), members);
}

template <class AnyTeam>
engine::Piece HandoffProgram<AnyTeam>::wanted_of_pair(const Call& call, int member) const {
  if (call.what == What::pair_own) return shares_of(call).of(member);
  return {0, call.what == What::pair_all || member == call.root ? count_of(call) : 0};
}

template <class AnyTeam>
engine::Piece HandoffProgram<AnyTeam>::wanted_in_lines(const Call& call, int member) {
  if (call.what == What::lines_own || call.what == What::central_own)
    return {static_cast<std::size_t>(member) % kWholeCount, member < 2 ? std::size_t{1} : 0};
  return {0, call.what != What::lines_root || member == call.root ? kWholeCount : 0};
}

template <class AnyTeam>
auto HandoffProgram<AnyTeam>::fold_of_all(std::size_t call, std::size_t count, int members) const
    -> Elements {
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
template <class AnyTeam>
auto HandoffProgram<AnyTeam>::buffers_of(std::size_t number, AnyTeam& team) const -> Buffers {
  const Call& call = script_.calls[number];
  const std::size_t count = count_of(call);
  Buffers buffers{Elements(count), Elements(count), {}};
  for (std::size_t i = 0; i < count; ++i) buffers.send[i] = input(number, team.rank(), i);
  buffers.expected = call.in_place ? buffers.send : buffers.recv;
  const Elements folded = fold_of_all(number, count, team.size());
  const bool at_root = team.rank() == call.root;
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
      from = static_cast<std::size_t>(team.rank()) % kWholeCount;
      wanted = team.rank() < 2 ? 1 : 0;
      break;
    case What::pair_own:
    case What::halves_own:
    case What::shares_own:
      from = shares_of(call).start(team.rank());
      wanted = shares_of(call).count(team.rank());
      break;
    case What::grouped_own:
      from = blocks_of(call)->start(team.rank());
      wanted = blocks_of(call)->count(team.rank());
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
    for (std::size_t i = 0; i < (takes ? count : 0); ++i)
      buffers.expected[i] = input(number, static_cast<int>(i), 0);
    return buffers;
  }
  if (is_moved(call.what)) {
    const bool takes = at_root || !is_moved_to_root(call.what);
    for (std::size_t i = 0; i < (takes ? count : 0); ++i)
      buffers.expected[i] = input(number, 1 - team.rank(), i);
    return buffers;
  }
  for (std::size_t i = 0; i < wanted; ++i) buffers.expected[i] = folded[from + i];
  return buffers;
}

/// As the progress engine drives an operation; but where it would look again and again, the explorer blocks.
template <class AnyTeam>
template <class Steps>
bool HandoffProgram<AnyTeam>::step_to_the_end(Steps& steps) {
  for (;;) {
    const engine::Progress progress = steps.step();
    if (progress != engine::Progress::waiting) return progress == engine::Progress::done;
    Execution::current().await_news();
  }
}

template <class AnyTeam>
template <class Turns, class... Args>
bool HandoffProgram<AnyTeam>::perform_turns(const Call& call, AnyTeam& team, const Args&... args) {
  if (!call.stepped) return engine::run_turns(Turns(team, args...));
  engine::SteppedTurns<Turns> steps(team, args...);
  return step_to_the_end(steps);
}

template <class AnyTeam>
bool HandoffProgram<AnyTeam>::perform_steps(const Call& call, engine::Procedure steps) {
  return call.stepped ? step_to_the_end(steps) : steps.run();
}

template <class AnyTeam>
bool HandoffProgram<AnyTeam>::perform(const Call& call, AnyTeam& team, Buffers& buffers) const {
  if (is_pair(call.what)) {
    return perform_pair(call, team, buffers);
  }
  if (is_gathered(call.what)) return perform_gathered(call, team, buffers);
  const engine::Broadcast broadcast = broadcast_of(call, buffers);
  if (call.what == What::meet_at_once) return perform_turns<engine::Exchange<AnyTeam>>(call, team);
  if (call.what == What::bcast_line)
    return perform_turns<engine::InlineBroadcast<AnyTeam>>(call, team, broadcast);
  if (call.what == What::bcast_once)
    return perform_turns<engine::SlotBroadcast<AnyTeam>>(call, team, broadcast);
  if (!is_in_lines(call.what) && !is_central(call.what))
    return perform_steps(call, start(call, team, buffers));
  const engine::Piece wanted = wanted_in_lines(call, team.rank());
  const engine::WholeFold fold{
      buffers.send_bytes(), call.in_place ? buffers.send_bytes() : buffers.recv_bytes(),
      buffers.send.size(),  wanted.start,
      wanted.count,         {0, team.size()},
      &reduction_};
  if (call.what == What::central_meet) return perform_turns<engine::CentralExchange<AnyTeam>>(call, team);
  if (call.what == What::central_told)
    return perform_turns<engine::CentralExchange<AnyTeam>>(call, team, buffers.send_bytes(),
                                                           sizeof(std::uint64_t), buffers.recv_bytes());
  if (is_central(call.what)) return perform_turns<engine::CentralFold<AnyTeam>>(call, team, fold);
  return perform_turns<engine::InlineFold<AnyTeam>>(call, team, fold);
}

template <class AnyTeam>
bool HandoffProgram<AnyTeam>::perform_pair(const Call& call, AnyTeam& team, Buffers& buffers) const {
  if (!team.deliveries().boxes().known() &&
      (!perform_steps(call, engine::as_procedure<engine::BoxesTurn<AnyTeam>>(team)) ||
       team.agreement().broken()))
    return false;
  std::byte* const recv = call.in_place ? buffers.send_bytes() : buffers.recv_bytes();
  if (is_halved(call.what)) {
    const engine::Shares halves = shares_of(call);
    const bool to_all = call.what == What::halves_all;
    const engine::HalvesFold fold{buffers.send_bytes(),
                                  recv,
                                  halves.of(team.rank()),
                                  halves.of(1 - team.rank()),
                                  to_all ? 0 : halves.start(team.rank()),
                                  to_all,
                                  &reduction_,
                                  script_.piece_count};
    return perform_turns<engine::HalvesTurns<AnyTeam>>(call, team, fold);
  }
  if (is_moved(call.what))
    return perform_turns<engine::PairMoveTurns<AnyTeam>>(call, team, move_of(call, team, buffers));
  const engine::PairFold fold{buffers.send_bytes(),
                              recv,
                              wanted_of_pair(call, team.rank()),
                              wanted_of_pair(call, 1 - team.rank()),
                              &reduction_,
                              script_.piece_count,
                              false};
  if (fold.turns() == 1) return perform_turns<engine::PairTurns<AnyTeam, true>>(call, team, fold);
  return perform_steps(call, engine::as_procedure<engine::PairTurns<AnyTeam, false>>(team, fold));
}

/// Blocks of one element, one behind the other in `memory`, or the same for all.
class ModelBlocks final : public engine::Blocks {
 public:
  ModelBlocks(std::byte* memory, int first, int members, bool for_each) noexcept
      : memory_(memory), first_(first), members_(members), for_each_(for_each) {}
  int count() const noexcept override { return members_; }
  engine::Block at(int i) const noexcept override {
    const std::size_t offset = for_each_ ? static_cast<std::size_t>(i) * sizeof(std::uint64_t) : 0;
    return {first_ + i, {memory_ + offset, sizeof(std::uint64_t)}};
  }

 private:
  std::byte* memory_;
  int first_;
  int members_;
  bool for_each_;
};

template <class AnyTeam>
bool HandoffProgram<AnyTeam>::perform_gathered(const Call& call, AnyTeam& team, Buffers& buffers) const {
  using engine::InlineMove, engine::SlotMove;
  const bool to_root = is_gathered_to_root(call.what);
  const auto as = to_root ? engine::Call::gather : engine::Call::allgather;
  const bool takes = !to_root || team.rank() == call.root;
  const ModelBlocks sends(buffers.send_bytes(), to_root ? call.root : 0, to_root ? 1 : team.size(), false);
  const ModelBlocks receives(buffers.recv_bytes(), 0, takes ? team.size() : 0, true);
  engine::Movement movement;
  movement.sends = &sends;
  movement.receives = &receives;
  movement.first = to_root ? 0 : (team.rank() + 1) % team.size();
  movement.block_bytes = sizeof(std::uint64_t);
  const auto all = std::cref(movement);
  switch (call.what) {
    case What::gathered_lines:
      return perform_turns<InlineMove<AnyTeam>>(call, team, as, call.root, all);
    case What::gathered_neighbours:
      movement.shown_blocks = 1;
      return perform_turns<engine::NeighbourMove<AnyTeam>>(call, team, all);
    case What::gathered_central_lines:
      return perform_turns<engine::CentralMove<AnyTeam>>(call, team, as, call.root, all);
    case What::gathered_central_slots:
      return perform_turns<engine::CentralSlotMove<AnyTeam>>(call, team, as, call.root, all);
    case What::gathered_lists:
    case What::gathered_lists_root: {
      engine::FollowingBlocks following;
      const auto by_lists = to_root ? engine::Call::gatherv : engine::Call::allgatherv;
      return perform_turns<engine::ListMove<AnyTeam>>(call, team, by_lists, call.root, all,
                                                      std::ref(following)) &&
             !following.exist();
    }
    case What::gathered_collected:
    case What::gathered_collected_root:
      return perform_steps(call, engine::move_collected(team, as, call.root, movement));
    default:
      return perform_turns<SlotMove<AnyTeam>>(call, team, as, call.root, all);
  }
}

/// The other member's input, of chunks of `piece_count` elements, or beside the epoch.
template <class AnyTeam>
engine::PairMove HandoffProgram<AnyTeam>::move_of(const Call& call, const AnyTeam& team,
                                                  Buffers& buffers) const {
  const bool to_root = is_moved_to_root(call.what), is_root = team.rank() == call.root;
  const bool in_line = call.what == What::moved_line_all || call.what == What::moved_line_root ||
                       call.what == What::told_line_all || call.what == What::told_line_root;
  const std::uint64_t bytes = buffers.send.size() * sizeof(std::uint64_t);
  std::byte* const recv = call.in_place ? buffers.send_bytes() : buffers.recv_bytes();
  engine::PairMove move{};
  move.gives = !to_root || !is_root;
  move.takes = !to_root || is_root;
  if (move.gives) move.out = {buffers.send_bytes(), bytes};
  if (move.takes) move.in = {recv, bytes};
  move.tells_length = call.what >= What::told_line_all;
  move.most_in_line = in_line ? bytes : 0;
  move.most_in_boxes = bytes;
  move.chunk_bytes = script_.piece_count * sizeof(std::uint64_t);
  return move;
}

template <class AnyTeam>
engine::Procedure HandoffProgram<AnyTeam>::start(const Call& call, AnyTeam& team, Buffers& buffers) const {
  const engine::Broadcast broadcast = broadcast_of(call, buffers);
  if (is_grouped(call.what)) return start_grouped(call, team, buffers, broadcast);
  switch (call.what) {
    case What::meet:
      return engine::as_procedure<engine::Exchange<AnyTeam>>(team);
    case What::bcast_inline:
      return engine::as_procedure<engine::InlineBroadcast<AnyTeam>>(team, broadcast);
    case What::bcast_chunks:
      return engine::as_procedure<engine::SlotBroadcast<AnyTeam>>(team, broadcast);
    case What::shares_own:
    case What::shares_root:
    case What::shares_all:
      return start_shares(call, team, buffers);
    default:
      return start_whole(call, team, buffers);
  }
}

template <class AnyTeam>
engine::Procedure HandoffProgram<AnyTeam>::start_whole(const Call& call, AnyTeam& team,
                                                       Buffers& buffers) const {
  const std::size_t count = buffers.send.size();
  engine::WholeFold fold{buffers.send_bytes(), buffers.recv_bytes(), count, 0, count,
                         {0, team.size()},     &reduction_};
  const bool to_root = call.what == What::inline_root || call.what == What::one_shot_root;
  if (to_root && team.rank() != call.root) fold.wanted_count = 0;
  if (call.what == What::inline_own) {
    fold.wanted_start = static_cast<std::size_t>(team.rank()) % kWholeCount;
    fold.wanted_count = team.rank() < 2 ? 1 : 0;
  }
  if (call.in_place) fold.recv = buffers.send_bytes();
  const bool one_shot = call.what == What::one_shot_all || call.what == What::one_shot_root;
  if (one_shot || call.what == What::chunks_all) {
    const std::size_t chunk_count = one_shot ? count : 1;
    return engine::as_procedure<engine::SlotFold<AnyTeam>>(team, fold, chunk_count, false);
  }
  return engine::as_procedure<engine::InlineFold<AnyTeam>>(team, fold);
}

template <class AnyTeam>
engine::Procedure HandoffProgram<AnyTeam>::start_shares(const Call& call, AnyTeam& team,
                                                        Buffers& buffers) const {
  auto deliver = engine::Deliver::to_all;
  if (call.what == What::shares_own) deliver = engine::Deliver::own_share;
  if (call.what == What::shares_root) deliver = engine::Deliver::to_root;
  const engine::SharesFold fold{buffers.send_bytes(),
                                call.in_place ? buffers.send_bytes() : buffers.recv_bytes(),
                                &reduction_,
                                deliver,
                                call.root,
                                script_.piece_count,
                                false,
                                script_.together};
  return engine::fold_shares(team, fold, shares_of(call));
}

template <class AnyTeam>
engine::Procedure HandoffProgram<AnyTeam>::start_grouped(const Call& call, AnyTeam& team, Buffers& buffers,
                                                         const engine::Broadcast& broadcast) const {
  const std::byte* const send = buffers.send_bytes();
  std::byte* const recv = call.in_place ? buffers.send_bytes() : buffers.recv_bytes();
  const std::size_t count = buffers.send.size();
  const bool to_root = call.what == What::grouped_root || call.what == What::grouped_inline_root;
  const int root = to_root ? call.root : engine::kNobody;
  switch (call.what) {
    case What::grouped_meet:
      return engine::fold_inline_grouped(team, {nullptr, nullptr, 0, nullptr, root});
    case What::grouped_inline_all:
    case What::grouped_inline_root:
      return engine::fold_inline_grouped(team, {send, recv, count, &reduction_, root, 0, count});
    case What::grouped_bcast_inline:
      return engine::broadcast_grouped_inline(team, broadcast);
    case What::grouped_bcast_chunks:
      return engine::broadcast_grouped_chunks(team, broadcast);
    default:
      return engine::fold_grouped(
          team, {send, recv, count, &reduction_, root,
                 call.what == What::grouped_own ? blocks_of(call) : nullptr, kGroupedChunk, false});
  }
}

// ---- what the explorer asks

template <class AnyTeam>
void HandoffProgram<AnyTeam>::add_places(Memory& memory) const {
  for (const Rank& rank : ranks_) {
    memory.add_place(rank.lines.get(), team_members_.size() * sizeof(Lines));
    memory.add_place(rank.slots.data(), rank.slots.size() * sizeof(std::uint64_t));
  }
}

template <class AnyTeam>
Kind HandoffProgram<AnyTeam>::kind_of(const void* word) const {
  for (const Rank& rank : ranks_) {
    for (std::size_t t = 0; t < team_members_.size(); ++t) {
      if (const auto kind = kind_in(rank.lines[t], word)) return *kind;
    }
  }
  return Kind::abort;
}

template <class AnyTeam>
std::string HandoffProgram<AnyTeam>::name_of(const void* address) const {
  static constexpr std::array<const char*, 9> kLineNames = {"inline line 0", "inline line 1", "steps",
                                                            "deliveries",    "finished",      "records",
                                                            "records",       "crossing 1",    "crossing 2"};
  const auto* at = static_cast<const std::byte*>(address);
  const std::size_t slot_bytes = slot_elements() * sizeof(std::uint64_t);
  for (std::size_t r = 0; r < ranks_.size(); ++r) {
    const auto offset_in = [&](const void* start) {
      return static_cast<std::size_t>(at - static_cast<const std::byte*>(start));
    };
    const std::size_t rank_bytes = ranks_[r].slots.size() * sizeof(std::uint64_t);
    const std::size_t in_slots = offset_in(ranks_[r].slots.data());
    if (in_slots < slot_bytes * static_cast<std::size_t>(script_.slots)) {
      return fmt::format("rank {}'s slot {} byte {}", r, in_slots / slot_bytes, in_slots % slot_bytes);
    }
    if (in_slots < rank_bytes) return fmt::format("rank {}'s boxes byte {}", r, in_slots - shm::kPageBytes);
    const std::size_t in_lines = offset_in(ranks_[r].lines.get());
    if (in_lines < sizeof(Lines) * team_members_.size()) {
      const std::size_t in_team = in_lines % sizeof(Lines);
      return fmt::format("rank {}'s {} of team {} byte {}", r, kLineNames[in_team / Lines::kSpacingBytes],
                         in_lines / sizeof(Lines), in_team % Lines::kSpacingBytes);
    }
  }
  return "the abort word";
}

}  // namespace foldlane::model
