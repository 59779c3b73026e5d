// The room for messages that nobody has asked for yet: about so much of this rank's memory as the user says.
// Then their senders are told to keep what they send. Used under the messenger's lock, but for what says
// otherwise.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "engine/p2p/message_counts.hpp"
#include "engine/team/process.hpp"
#include "shm/base/result.hpp"
#include "shm/sync/atoms.hpp"

namespace foldlane::engine {

/// Two thousand messages of 8 KiB, the longest whose data are kept.
inline constexpr std::uint64_t kUsualUnexpectedLimit = 16 << 20;
/// Eight of them. Of less senders would be told with nearly each.
inline constexpr std::uint64_t kLeastUnexpectedLimit = 64 << 10;
/// Reads what shm::kUnexpectedLimitVariable holds: bytes. "" is the usual limit. Errors: invalid.
shm::Result<std::uint64_t> parse_unexpected_limit(std::string_view text);

class Room {
 public:
  using Word = shm::RealAtoms::Word<std::uint32_t>;

  Room(const BasicProcess<shm::RealAtoms>& process, int rank, std::uint64_t usual_limit) noexcept
      : process_(process), rank_(rank), usual_limit_(usual_limit) {}
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
  struct HeldBack {
    int rank;
    Word* full;
  };

  bool make() noexcept;

  const BasicProcess<shm::RealAtoms>& process_;
  int rank_;
  Tide kept_;
  Tide kept_bytes_;
  const std::uint64_t usual_limit_;
  std::uint64_t limit_ = usual_limit_;
  std::vector<HeldBack> held_back_;
  Word holds_back_{};  // whether there are any
  Word is_to_lift_{};
  std::uint64_t sleeps_ = 0;
  std::uint64_t lifts_ = 0;
};

}  // namespace foldlane::engine
