// The state of MPI in this process: where it stands between MPI_Init and MPI_Finalize, its job, and the two
// communicators that always exist.
#pragma once

#include <mpi.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <thread>

#include "api/communicator.hpp"
#include "engine/job.hpp"

namespace foldlane::api {

bool is_thread_level(int level) noexcept;

enum class Phase { before_init, active, finalized };

struct World {
  Phase phase;
  engine::Job* job;  // never destroyed at exit: a forked child that exits must not touch the segment
  int thread_level;
  std::thread::id main_thread;
  std::array<Communicator, 2> communicators;  // MPI_COMM_WORLD, MPI_COMM_SELF
  ErrorHandlerSlot file_errhandler;           // of MPI_FILE_NULL
};

extern World world;

/// Null if the handle is no communicator or MPI is not active.
inline Communicator* find_communicator(MPI_Comm comm) noexcept {
  const auto index =
      reinterpret_cast<std::uintptr_t>(comm) - reinterpret_cast<std::uintptr_t>(MPI_COMM_WORLD);
  if (index >= world.communicators.size() || world.communicators[index].team == nullptr) return nullptr;
  return &world.communicators[index];
}

}  // namespace foldlane::api
