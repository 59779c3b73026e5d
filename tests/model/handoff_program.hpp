// The shipped teams and procedures as a program for the explorer: ranks that perform a script of collective
// calls and compare each result with the serial one.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "engine/team/team.hpp"
#include "explorer.hpp"
#include "handoff_performer.hpp"
#include "handoff_script.hpp"
#include "handoff_words.hpp"
#include "model_atoms.hpp"

namespace foldlane::model {

using Team = engine::BasicTeam<WholeWaitAtoms>;

/// Data that flows one way is on trial from the first byte on, every other time; and because time must not
/// decide anything here, the second arm is never settled on.
inline constexpr engine::DecisionRows kTriedRows = [] {
  engine::DecisionRows rows = engine::kDecisionRows;
  auto& hand_back = rows[static_cast<std::size_t>(engine::Decision::hand_back)];
  hand_back.from_bytes = 0;
  hand_back.habits = {std::numeric_limits<double>::infinity(), 0, 1, 1};
  auto& pass_way = rows[static_cast<std::size_t>(engine::Decision::pass_way)];
  pass_way.from_bytes = 0;
  pass_way.habits.dearer = std::numeric_limits<double>::infinity();
  rows[static_cast<std::size_t>(engine::Decision::block_way)].from_bytes = 0;
  return rows;
}();

/// Procedures as the engine calls them, for any kind of team.
template <class AnyTeam>
class HandoffProgram final : public Program {
 public:
  using Atoms = WholeWaitAtoms;
  using Lines = engine::BasicTeamLines<Atoms>;

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

  std::size_t slot_elements() const {
    if (!script_.seats.empty()) return kGroupedSlotElements;
    return std::max<std::size_t>(kListElements, threads() * script_.piece_count);
  }
  void make_process(int number);
  void make_teams(int number);

  /// How many of the teams need boxes: a rank's slots begin a page, and so do the boxes of each team behind
  /// them.
  std::size_t teams_of_two() const {
    const auto is_pair = [](const std::vector<int>& members) { return members.size() == 2; };
    return static_cast<std::size_t>(std::count_if(data_.teams().begin(), data_.teams().end(), is_pair));
  }

  static constexpr std::size_t kRingElements = shm::kPageBytes / sizeof(std::uint64_t);
  static constexpr std::size_t kListElements = 5;  // the head of a list, an entry, and its block
  /// Of a grouped call: room for a chunk and its values.
  static constexpr std::size_t kGroupedSlotElements = 128;

  const Script& script_;
  ScriptData data_;
  Performer<AnyTeam> performer_{data_};
  std::vector<Rank> ranks_;
  Atoms::Word<std::uint64_t> abort_word_{};
  shm::Doorbell<Atoms> unused_bell_{};
};

// ---- building

template <class AnyTeam>
HandoffProgram<AnyTeam>::HandoffProgram(const Script& script) : script_(script), data_(script) {
  ranks_.resize(threads());
  for (Rank& rank : ranks_) {
    rank.lines = std::make_unique<Lines[]>(data_.teams().size());
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
  for (std::size_t t = 0; t < data_.teams().size(); ++t) {
    const auto& members = data_.teams()[t];
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
    Buffers buffers = data_.buffers_of(c, team->rank(), team->size());
    if (!performer_.perform(call, *team, buffers)) return;
    if ((call.in_place ? buffers.send : buffers.recv) != buffers.expected) {
      Execution::current().fail(fmt::format("wrong value in call {}", c));
    }
  }
}

// ---- what the explorer asks

template <class AnyTeam>
void HandoffProgram<AnyTeam>::add_places(Memory& memory) const {
  for (const Rank& rank : ranks_) {
    memory.add_place(rank.lines.get(), data_.teams().size() * sizeof(Lines));
    memory.add_place(rank.slots.data(), rank.slots.size() * sizeof(std::uint64_t));
  }
}

template <class AnyTeam>
Kind HandoffProgram<AnyTeam>::kind_of(const void* word) const {
  for (const Rank& rank : ranks_) {
    for (std::size_t t = 0; t < data_.teams().size(); ++t) {
      if (const auto kind = kind_in(rank.lines[t], word)) return *kind;
    }
  }
  return Kind::abort;
}

template <class AnyTeam>
std::string HandoffProgram<AnyTeam>::name_of(const void* address) const {
  struct Part {
    const char* name;
    std::size_t start;
  };
  static constexpr std::array<Part, 6> kParts = {{{"crossings", offsetof(Lines, crossings)},
                                                  {"records", offsetof(Lines, calls)},
                                                  {"finished", offsetof(Lines, finished)},
                                                  {"deliveries", offsetof(Lines, deliveries)},
                                                  {"steps", offsetof(Lines, steps)},
                                                  {"inline lines", 0}}};
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
    if (in_lines < sizeof(Lines) * data_.teams().size()) {
      const std::size_t in_team = in_lines % sizeof(Lines);
      const Part& part = *std::find_if(kParts.begin(), kParts.end(),
                                       [&](const Part& each) { return each.start <= in_team; });
      return fmt::format("rank {}'s {} of team {} byte {}", r, part.name, in_lines / sizeof(Lines),
                         in_team - part.start);
    }
  }
  return "the abort word";
}

}  // namespace foldlane::model
