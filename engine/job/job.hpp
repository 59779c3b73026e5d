// This process's membership in a job: joins the segment it was started with (or makes a job of one rank),
// owns the world team and the rank's heap window.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engine/deadlock/deadlock_watch.hpp"
#include "engine/job/areas.hpp"
#include "engine/job/environment.hpp"
#include "engine/job/founding.hpp"
#include "engine/p2p/messenger.hpp"
#include "engine/team/team.hpp"
#include "shm/base/result.hpp"

namespace foldlane::engine {

/// Lets other threads and processes run, for callers that poll.
void yield() noexcept;

struct Launcher;

class Job {
 public:
  /// Reads FOLDLANE_RANK/SIZE/SEGMENT_FD. Without them, and without those of a foreign launcher
  /// (engine/identity/launchers.hpp), the job has one rank. Under our launcher it does not wait for other
  /// ranks, which must not be communicated with before await(). Errors: contradictory environment, damaged
  /// segment, memory that cannot be committed (named in bytes), a second join under the same rank. With
  /// FOLDLANE_SHARED_HEAP what the program allocates from now on lies in the segment, and the Job must live
  /// until the process ends.
  static shm::Result<std::unique_ptr<Job>> join();
  /// As this rank of the job that the segment is made for.
  static shm::Result<std::unique_ptr<Job>> join(shm::Segment segment, int rank, const Settings& settings);
  ~Job();

  int rank() const noexcept;
  int size() const noexcept;
  Team& world() noexcept;
  Team& self() noexcept;  // the team of this rank alone
  Founding& founding() noexcept;
  Messenger& messenger() noexcept { return messenger_; }

  /// Blocks until these ranks have joined. Error: one has ended before.
  shm::Result<void> await(const std::vector<int>& ranks) const;

  /// From now on several threads may call at a time. Not while another thread is in a call of a team.
  void allow_threads();

  /// Goes on with everything that is under way, without blocking. Where ranks share CPUs it leaves this one
  /// to them if nothing moved: a program that asks again and again would keep it from those it waits for.
  void drive();
  /// Goes on with everything that is under way until `done()`. Any thread.
  template <class Done>
  void wait_until(const Done& done, const WaitDescriber& describe = {}) {
    process().progress().wait_until(done, describe);
  }
  /// `done()` of some thread may be true now.
  void wake_waiting() noexcept { process().progress().wake(); }
  Process& process() noexcept { return process_; }

  /// Memory inside the segment, committed, aligned to a page; zero bytes give a unique pointer.
  shm::Result<void*> allocate(std::size_t bytes);
  /// Error (invalid) if `pointer` is not the start of a live allocation.
  shm::Result<void> deallocate(void* pointer);

  /// What looks for ranks that wait for each other, unless FOLDLANE_DEADLOCK says off.
  DeadlockWatch& deadlock_watch() noexcept;

  /// What a rank keeps for statistics; none unless the launcher was asked for them.
  std::vector<CommunicatorRecord*> communicator_records(int rank) const noexcept;
  /// Makes this rank's table so long, if there is room and memory. One thread at a time.
  void grow_communicator_records(std::size_t records);

  /// This process may end now. Not collective: what its peers still read of it stays in the segment.
  void leave() noexcept;
  /// After leave(): this rank takes part again.
  void return_again() noexcept;

  /// Tells the launcher (if there is one), or the peers, why this process is about to exit. Never blocks.
  void announce_abort(int code) noexcept;

  /// Of this process's segment; known before join and after the end.
  static Capacity capacity();

 private:
  struct State;
  static shm::Result<std::unique_ptr<Job>> join_under(const Launcher& launcher);
  explicit Job(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
  Process& process_;  // of the state
  Messenger& messenger_;
};

/// If a rank has aborted the job.
std::optional<int> code_of_abort(const Process& process) noexcept;

}  // namespace foldlane::engine
