// This process's membership in a job: joins the segment it was started with (or makes a job of one rank),
// owns the world team and the rank's heap window.
#pragma once

#include <cstddef>
#include <memory>

#include "engine/founding.hpp"
#include "engine/team.hpp"
#include "shm/layout.hpp"
#include "shm/result.hpp"

namespace foldlane::engine {

/// Lets other threads and processes run, for callers that poll.
void yield() noexcept;

class Job {
 public:
  /// Reads FOLDLANE_RANK/SIZE/SEGMENT_FD; without them the job has one rank. Blocks until every rank has
  /// joined. Errors: contradictory environment, damaged segment, memory that cannot be committed (named in
  /// bytes), a rank that ended before joining, a second join under the same rank.
  static shm::Result<std::unique_ptr<Job>> join();
  ~Job();

  int rank() const noexcept;
  int size() const noexcept;
  Team& world() noexcept;
  Team& self() noexcept;  // the team of this rank alone
  Founding& founding() noexcept;

  /// From now on several threads may call at a time.
  void allow_threads();

  /// Memory inside the segment, committed, aligned to a page; zero bytes give a unique pointer.
  shm::Result<void*> allocate(std::size_t bytes);
  /// Error (invalid) if `pointer` is not the start of a live allocation.
  shm::Result<void> deallocate(void* pointer);

  /// Collective over the world: waits for all, then marks this rank finalized.
  shm::Result<void> finalize();

  /// Tells the launcher (if there is one) why this process is about to exit. Never blocks.
  void announce_abort(int code) noexcept;

  /// What determines the sizes in this process's segment; known before join and after the end.
  static shm::SegmentShape shape();

  /// True under a launcher, which then reports the culprit of a failure itself. Also before join.
  static bool launched() noexcept;

 private:
  struct State;
  explicit Job(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace foldlane::engine
