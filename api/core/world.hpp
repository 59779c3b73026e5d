// The state of MPI in this process: whether the library can be used (which MPI_Init or a session makes it),
// where the process stands between MPI_Init and MPI_Finalize, and its job.
#pragma once

#include <cstdint>
#include <thread>

#include "engine/job/job.hpp"
#include "shm/sync/atoms.hpp"

namespace foldlane::api {

bool is_thread_level(int level) noexcept;

enum class Phase : std::uint32_t { before_init, active, finalized };

/// Any thread may ask for the phase while another one changes it.
class PhaseWord {
 public:
  operator Phase() const noexcept { return static_cast<Phase>(word_.observe()); }
  void operator=(Phase phase) noexcept { word_.publish(static_cast<std::uint32_t>(phase)); }

 private:
  shm::RealAtoms::Word<std::uint32_t> word_{};  // Phase::before_init
};

struct World {
  PhaseWord phase;    // MPI_Init … MPI_Finalize
  PhaseWord library;  // usable: by MPI_Init or a session; becomes active again with the next session
  engine::Job* job;   // null before the first of them, then never destroyed: sessions may return to it, and a
                      // forked child that exits must not touch the segment
  bool has_threads;   // several at a time may be in the library
  int thread_level;
  std::thread::id main_thread;
};

/// Hidden, so that calls need not load its address.
[[gnu::visibility("hidden")]] extern World world;

namespace reject {

[[noreturn, gnu::cold]] void phase();
[[noreturn, gnu::cold]] void library_phase();

}  // namespace reject

/// MPI_Init or a session has been called and not ended. Calls with a communicator have this from
/// check_communicator.
inline void check_active() {
  if (world.library != Phase::active) [[unlikely]]
    reject::library_phase();
}

/// For calls about what MPI_Init makes.
inline void check_initialized() {
  if (world.phase != Phase::active) [[unlikely]]
    reject::phase();
}

}  // namespace foldlane::api
