// All that a process has of the host layer, from the host's MPI_Init to its MPI_Finalize.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <utility>

#include "accelerated_calls.h"
#include "api/host/communicators.hpp"
#include "api/host/explanation.hpp"
#include "api/host/founding.hpp"
#include "api/host/host.hpp"
#include "api/host/reductions.hpp"
#include "api/host/stub.h"
#include "engine/job/job.hpp"

namespace foldlane::host {

class Accelerator {
 public:
  /// Collective over MPI_COMM_WORLD. Null if the host keeps everything. `calls` are the stub's.
  static std::unique_ptr<Accelerator> start(const Host& host, foldlane_function* calls);

  const Host& host() const noexcept { return host_; }
  Communicators& communicators() noexcept { return communicators_; }
  const Reductions& reductions() const noexcept { return reductions_; }
  engine::Messenger& messenger() noexcept { return job_->messenger(); }
  /// In MPI_COMM_WORLD.
  int rank() const noexcept { return communicators_.rank(); }

  /// The host's own function of an intercepted call.
  template <class... Arguments>
  int pass_on(foldlane_call call, Arguments... arguments) const noexcept {
    return reinterpret_cast<int (*)(Arguments...)>(originals_[call])(arguments...);
  }

  /// When a call begins, for its note; nobody reads a clock unless somebody wants an explanation.
  std::uint64_t begin_ns() const noexcept { return explains_ ? Explanation::now_ns() : 0; }
  void note_here(foldlane_call call, std::uint64_t bytes, std::uint64_t begun_ns) noexcept {
    if (explains_) [[unlikely]]
      explanation_.note_here(call, bytes, Explanation::now_ns() - begun_ns);
  }
  void note_from_other_nodes(std::uint64_t bytes) noexcept { explanation_.note_from_other_nodes(bytes); }
  void note_host(foldlane_call call, Reason reason, std::uint64_t begun_ns) noexcept {
    if (explains_) [[unlikely]]
      explanation_.note_host(call, reason, Explanation::now_ns() - begun_ns);
  }

 private:
  Accelerator(const Host& host, foldlane_function* calls, std::unique_ptr<HostProgress> progress,
              Founded founded);
  bool allow_threads();
  void end();

  Host host_;
  foldlane_function* calls_;
  std::array<foldlane_function, FOLDLANE_CALLS> originals_;
  std::unique_ptr<HostProgress> progress_;
  std::unique_ptr<engine::Job> job_;
  Handle node_comm_;
  Reductions reductions_;
  bool explains_;
  Explanation explanation_;
  Communicators communicators_;
};

/// Lets the stub's calls come here. The accelerator must outlive them.
void take_calls(Accelerator& accelerator, foldlane_function* calls);
/// Those of them that only move data.
void take_moves(foldlane_function* calls);

}  // namespace foldlane::host
