// How the ranks of a host's job become a job of ours.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "api/host/host.hpp"
#include "engine/identity/launcher_process.hpp"
#include "engine/job/job.hpp"
#include "engine/progress/foreign_progress.hpp"
#include "shm/sync/atoms.hpp"

namespace foldlane::host {

/// Polls the host, on a communicator of ours: what the program has under way moves, and nothing is taken from
/// it. Now and then it looks at the launcher, whose end is the process's: MPICH would wait for ever.
class HostProgress final : public engine::ForeignProgress {
 public:
  explicit HostProgress(const Host& host) : host_(host), launcher_(engine::foreign_launcher()) {}
  void poll_on(Handle comm) noexcept { comm_ = comm; }
  void go_on() noexcept override;

 private:
  const Host& host_;
  Handle comm_ = 0;
  engine::LauncherProcess launcher_;
  shm::RealAtoms::Word<std::int64_t> looked_{};  // at the launcher, on a steady clock
};

/// Collective over MPI_COMM_WORLD: either each rank gets the job of the ranks on its node, in their order, or
/// none does, and one of them says why.
struct Founded {
  std::unique_ptr<engine::Job> job;  // null: the host has everything
  /// Has the ranks of the node. Polls of the host go there; the caller owns it from then on.
  Handle node_comm = 0;
  std::vector<int> nodes;  // of each rank of MPI_COMM_WORLD: the first one on its node
};
Founded found_job(const Host& host, HostProgress& progress);

/// One line, on stderr.
void say(const std::string& line);
/// Ends the job, once its launcher has read why.
[[gnu::cold, noreturn]] void abort_job(const Host& host, int code);

}  // namespace foldlane::host
