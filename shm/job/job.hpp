// What launcher and ranks tell each other through the environment and the segment: who is attached, who has
// finished, who is dead. The launcher's half is JobMonitor; a rank's half is engine/job/job.hpp.
#pragma once

#include <cstdint>
#include <string>

#include "shm/segment/segment.hpp"

namespace foldlane::shm {

inline constexpr char kRankVariable[] = "FOLDLANE_RANK";
inline constexpr char kSizeVariable[] = "FOLDLANE_SIZE";
inline constexpr char kSegmentVariable[] = "FOLDLANE_SEGMENT_FD";
inline constexpr char kProgressThreadVariable[] = "FOLDLANE_PROGRESS_THREAD";
inline constexpr char kDeadlockVariable[] = "FOLDLANE_DEADLOCK";
inline constexpr char kDeadlockHasteVariable[] = "FOLDLANE_DEADLOCK_HASTE";      // for tests
inline constexpr char kUnexpectedLimitVariable[] = "FOLDLANE_UNEXPECTED_LIMIT";  // bytes
inline constexpr char kRecordVariable[] = "FOLDLANE_RECORD";
inline constexpr char kReplayVariable[] = "FOLDLANE_REPLAY";

/// In this order, as a rank lives.
enum class RankState : std::uint64_t {
  absent = 0,    // has not called Init (yet)
  joining = 1,   // is committing its partition
  attached = 2,  // may be waited for and waits for others
  finalized = 3,
  aborted = 4,  // gave up on purpose; abort_code tells
};

struct RankReport {
  RankState state;
  int abort_code;  // meaningful when aborted
};

/// Why the launcher declares a rank, or the job, failed.
enum class Cause : std::uint16_t {
  signal = 1,        // detail = signal number
  exit = 2,          // detail = exit code, not zero
  unfinalized = 3,   // ended with exit code 0 after joining, without finalizing
  never_joined = 4,  // ended with exit code 0 without joining, while others have joined
  aborted = 5,       // detail = abort code
  timeout = 6,       // detail = seconds
  interrupt = 7,     // detail = signal number sent to the launcher
  lost = 8,          // ended without finalizing, and nobody was there to see how
  orphaned = 9,      // the launcher has ended before the job
};

struct Failure {
  int rank;  // -1: the whole job (timeout, interrupt, orphaned)
  Cause cause;
  int detail;  // 0 to 65535
};

/// "rank 2 was killed by signal 9 (Killed)", "rank 1 ended with exit code 3", …
std::string describe(const Failure& failure);

/// A failure as the abort word carries it; never zero.
std::uint64_t pack(const Failure& failure) noexcept;
Failure unpack(std::uint64_t abort_word) noexcept;

/// The launcher's eye and voice in the segment. Never blocks.
class JobMonitor {
 public:
  explicit JobMonitor(Segment& segment) : segment_(segment) {}

  RankReport report(int rank) const noexcept;

  /// Sets the abort word (first call wins) and wakes every waiting rank: all waits return peer_failed.
  void declare(const Failure& failure) noexcept;

  /// A rank has died: waits that can depend on it end, those of other teams go on. declare() does this, too,
  /// for a failure of a rank; which of the two a death comes to is the launcher's policy.
  void declare_dead(const Failure& failure) noexcept;

  /// A rank process has ended normally; a peer that waits for it to attach must not wait for ever.
  void declare_ended(int rank) noexcept;

 private:
  void ring_all() noexcept;

  Segment& segment_;
};

}  // namespace foldlane::shm
