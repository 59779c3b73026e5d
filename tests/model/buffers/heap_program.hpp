// Programs whose buffers lie in memory that all ranks map, or in private memory: callers write to them right
// before each call and read or write them right after it.
#pragma once

#include <fmt/format.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "model/handoff_program.hpp"

namespace foldlane::model {

template <class AnyTeam>
class HeapProgram : public Program {
 public:
  using Atoms = WholeWaitAtoms;
  using Lines = engine::BasicTeamLines<Atoms>;

  /// Each rank has two buffers of so many elements in common memory, and two of its own.
  HeapProgram(int ranks, std::size_t slot_count, std::size_t buffer_count,
              const engine::ForcedArms& arms = {})
      : ranks_(static_cast<std::size_t>(ranks)),
        buffer_count_(buffer_count),
        common_(2 * ranks_.size() * buffer_count) {
    for (Rank& rank : ranks_) {
      rank.lines = std::make_unique<Lines[]>(1);
      rank.slots.resize(kPageElements + slot_count * kSlots);
      rank.own.resize(2 * buffer_count);
    }
    for (int r = 0; r < ranks; ++r) make_rank(r, slot_count * sizeof(std::uint64_t), arms);
  }

  std::size_t threads() const final { return ranks_.size(); }

  Kind kind_of(const void* word) const final {
    for (const Rank& rank : ranks_) {
      if (const auto kind = kind_in(rank.lines[0], word)) return *kind;
    }
    return Kind::abort;
  }
  std::string name_of(const void* address) const final {
    const auto* at = static_cast<const std::byte*>(address);
    const auto* common = reinterpret_cast<const std::byte*>(common_.data());
    if (at >= common && at < common + common_.size() * sizeof(std::uint64_t)) {
      return fmt::format("byte {} of the common memory", at - common);
    }
    return "a line, a slot, private memory or the abort word";
  }
  void add_places(Memory& memory) const final {
    for (const Rank& rank : ranks_) {
      memory.add_place(rank.lines.get(), sizeof(Lines));
      memory.add_place(rank.slots.data(), rank.slots.size() * sizeof(std::uint64_t));
      memory.add_place(rank.own.data(), rank.own.size() * sizeof(std::uint64_t));
    }
    memory.add_place(common_.data(), common_.size() * sizeof(std::uint64_t));
  }
  const void* abort_word() const final { return &abort_word_; }

 protected:
  AnyTeam& team(int rank) { return *ranks_[static_cast<std::size_t>(rank)].team; }
  std::uint64_t* buffer(int rank, bool is_private, bool is_recv) {
    const auto r = static_cast<std::size_t>(rank);
    if (is_private) return ranks_[r].own.data() + (is_recv ? buffer_count_ : 0);
    return common_.data() + (2 * r + (is_recv ? 1 : 0)) * buffer_count_;
  }
  /// As callers do when a call has failed. No rank waits for another one any more.
  void end_job() { abort_word_.publish(1); }
  static void write(std::uint64_t* to, const Elements& values) {
    Atoms::writes(to, values.size() * sizeof values[0]);
    std::copy(values.begin(), values.end(), to);
  }

 private:
  static constexpr int kSlots = 4;
  static constexpr std::size_t kPageElements = shm::kPageBytes / sizeof(std::uint64_t);
  struct Rank {
    std::unique_ptr<Lines[]> lines;
    Elements slots;  // the boxes of a team of two behind a page
    Elements own;    // private memory: send, recv
    std::unique_ptr<engine::BasicProcess<Atoms>> process;
    std::unique_ptr<AnyTeam> team;
  };

  void make_rank(int number, std::size_t slot_bytes, const engine::ForcedArms& arms) {
    std::vector<engine::BasicPeer<Atoms>> peers;
    std::vector<int> members;
    for (Rank& peer : ranks_) {
      members.push_back(static_cast<int>(members.size()));
      peers.push_back({peer.lines.get(), reinterpret_cast<std::byte*>(peer.slots.data()), &unused_bell_});
    }
    Rank& rank = ranks_[static_cast<std::size_t>(number)];
    rank.process = std::make_unique<engine::BasicProcess<Atoms>>(
        std::move(peers), number, engine::Geometry{slot_bytes, kSlots, 0}, shm::Signals<Atoms>(abort_word_),
        engine::CommonMemory{reinterpret_cast<std::byte*>(common_.data()),
                             common_.size() * sizeof(std::uint64_t)},
        engine::Decisions(arms, kTriedRows));
    rank.process->set_ring_source(
        [&rank] { return reinterpret_cast<std::byte*>(rank.slots.data() + kPageElements); });
    rank.team = std::make_unique<AnyTeam>(*rank.process, members, number, 0);
  }

  std::vector<Rank> ranks_;
  std::size_t buffer_count_;
  Elements common_;  // rank by rank: send, recv
  Atoms::Word<std::uint64_t> abort_word_{};
  shm::Doorbell<Atoms> unused_bell_{};
};

}  // namespace foldlane::model
