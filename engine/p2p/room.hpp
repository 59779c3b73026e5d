// The room for messages that nobody has asked for yet: about 16 MiB of this rank's memory. Then their senders
// are told to keep what they send. Used under the messenger's lock, but for what says otherwise.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/p2p/message_counts.hpp"
#include "engine/team/process.hpp"
#include "shm/sync/atoms.hpp"

namespace foldlane::engine {

class Room {
 public:
  using Word = shm::RealAtoms::Word<std::uint32_t>;

  Room(const BasicProcess<shm::RealAtoms>& process, int rank) noexcept : process_(process), rank_(rank) {}
  Room(const Room&) = delete;
  Room& operator=(const Room&) = delete;

  /// A message is kept, or is not any more, that takes so much memory. `full` tells its sender.
  void count_in(std::size_t bytes, int from, Word& full);
  void count_out(std::size_t bytes) noexcept;

  /// Ranks are told to keep what they send. Any thread may ask.
  bool holds_back() const noexcept { return holds_back_.observe() != 0; }
  std::vector<int> held_back() const;
  /// This rank waits, maybe for one of them: lift_limit() is to let them go on. Any thread may say so.
  void let_go_on() noexcept { is_to_lift_.publish(1); }
  /// If that has been said, takes in twice as much. True if it made any room.
  bool lift_limit() noexcept;

  /// Counts it if this rank sleeps.
  void note_sleep() noexcept;
  /// Of what is received, what the room knows.
  ReceivedCounts counts() const noexcept {
    return {
        .unexpected_messages = kept_, .unexpected_bytes = kept_bytes_, .sleeps = sleeps_, .lifts = lifts_};
  }

 private:
  static constexpr std::uint64_t kUsualLimit = 16 << 20;
  struct HeldBack {
    int rank;
    Word* full;
  };

  bool make() noexcept;

  const BasicProcess<shm::RealAtoms>& process_;
  int rank_;
  Tide kept_;
  Tide kept_bytes_;
  std::uint64_t limit_ = kUsualLimit;
  std::vector<HeldBack> held_back_;
  Word holds_back_{};  // whether there are any
  Word is_to_lift_{};
  std::uint64_t sleeps_ = 0;
  std::uint64_t lifts_ = 0;
};

}  // namespace foldlane::engine
