// Where nobody watches the ranks, they watch each other: who waits, for anything, now and then looks for all
// whether a rank has died (shm/job/life_lines.hpp), or the launcher.
#pragma once

#include <cstdint>

#include "engine/identity/launcher_process.hpp"
#include "engine/progress/foreign_progress.hpp"
#include "shm/segment/segment.hpp"

namespace foldlane::engine {

class PeerWatch final : public ForeignProgress {
 public:
  /// All ranks must have taken their life lines.
  PeerWatch(shm::Segment& segment, int rank, LauncherProcess launcher) noexcept;

  void go_on() noexcept override;

 private:
  shm::Segment& segment_;
  int rank_;
  LauncherProcess launcher_;
  std::uint64_t between_looks_ms_;
};

}  // namespace foldlane::engine
