// What launcher and ranks tell each other through the environment and the segment: who is attached, who has
// finished, who is dead. The launcher's half is JobMonitor; a rank's half is in engine/process.hpp.
#pragma once

#include <cstdint>
#include <string>

#include "shm/segment.hpp"

namespace foldlane::shm {

inline constexpr char kRankVariable[] = "FOLDLANE_RANK";
inline constexpr char kSizeVariable[] = "FOLDLANE_SIZE";
inline constexpr char kSegmentVariable[] = "FOLDLANE_SEGMENT_FD";

enum class RankState : std::uint32_t {
  absent = 0,    // has not called Init (yet)
  attached = 1,
  finalized = 2,
  aborted = 3,   // gave up on purpose: MPI_Abort or a fatal error; abort_code tells
};

struct RankReport {
  RankState state;
  int abort_code;  // meaningful when aborted
};

/// Why the launcher declares a rank failed.
enum class Cause : std::uint32_t {
  signal = 1,    // detail = signal number
  exit = 2,      // detail = exit code; the rank ended without finalizing, or with a failure
  timeout = 3,   // detail = seconds
  interrupt = 4, // detail = signal number sent to the launcher
};

struct Failure {
  int rank;  // -1: the whole job (timeout, interrupt)
  Cause cause;
  int detail;
};

/// "rank 2 was killed by signal 9 (Killed)", "rank 1 ended with exit code 3 before MPI_Finalize", …
std::string describe(const Failure& failure);

/// The launcher's eye and voice in the segment. Never blocks.
class JobMonitor {
 public:
  explicit JobMonitor(Segment& segment) : segment_(segment) {}

  RankReport report(int rank) const noexcept;

  /// Sets the abort word (first call wins) and wakes every waiting rank: all waits return peer_failed.
  void declare(const Failure& failure) noexcept;

  /// A rank process has ended normally; a peer that waits for it to attach must not wait for ever.
  void declare_ended(int rank) noexcept;

 private:
  Segment& segment_;
};

}  // namespace foldlane::shm
