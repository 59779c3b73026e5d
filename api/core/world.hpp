// The state of MPI in this process: whether the library can be used (which MPI_Init or a session makes it),
// where the process stands between MPI_Init and MPI_Finalize, its job, and the two communicators of MPI_Init.
#pragma once

#include <mpi.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <thread>

#include "api/objects/communicator.hpp"
#include "engine/job/job.hpp"

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
  std::array<Communicator, 2> communicators;  // MPI_COMM_WORLD, MPI_COMM_SELF
  ErrorHandlerSlot file_errhandler;           // of MPI_FILE_NULL
};

extern World world;

/// Null if the handle is no communicator, or one of MPI_Init outside of MPI_Init … MPI_Finalize.
inline Communicator* find_communicator(MPI_Comm comm) noexcept {
  const auto index =
      reinterpret_cast<std::uintptr_t>(comm) - reinterpret_cast<std::uintptr_t>(MPI_COMM_WORLD);
  if (index >= world.communicators.size()) return communicators.find(comm);
  return world.communicators[index].team == nullptr ? nullptr : &world.communicators[index];
}

}  // namespace foldlane::api
