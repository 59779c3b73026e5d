// Statistics of this rank's collective calls, for `mpiexec --stats`. Calls ask for the recorder once; where
// there is none they do nothing else.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

#include "api/objects/communicator.hpp"
#include "api/statistics/communicator_log.hpp"
#include "engine/job/job.hpp"
#include "shm/sync/ticks.hpp"

namespace foldlane::api {

class Recorder {
 public:
  std::uint64_t now() const noexcept { return ticks_.now(); }

  /// A communicator that no call has been made on: calls on it are recorded from now on.
  void watch(const Communicator& communicator);
  void rename(const Communicator& communicator, const std::string& name);

  /// Of a communicator's team.
  const std::shared_ptr<CommunicatorLog>& log_of(const engine::Team& team);

  CallFacts facts_of(CommunicatorLog& log, engine::Team& team, const engine::Collective& call,
                     engine::Form form);
  /// A call begins, as of `now`. Returns its number.
  std::uint64_t enter(CommunicatorLog& log, std::uint64_t now);
  void leave(CommunicatorLog& log, std::uint64_t number, const CallFacts& facts, const CallTimes& times,
             engine::Route route);

 private:
  /// With one thread in the library there is nothing to lock.
  std::unique_lock<std::mutex> lock();
  engine::CommunicatorRecord& take_record();

  shm::Ticks ticks_ = shm::Ticks::of_this_machine();
  std::size_t used_ = 1;  // records; the first is for communicators that get none
  /// Of a communicator that is gone as long as no other team lies where its one lay.
  std::unordered_map<const engine::Team*, std::shared_ptr<CommunicatorLog>> logs_;
  const engine::Team* last_team_ = nullptr;
  const std::shared_ptr<CommunicatorLog>* last_log_ = nullptr;
  std::mutex mutex_;
};

/// Null: no statistics are wanted. Hidden like `world`.
[[gnu::visibility("hidden")]] extern Recorder* recorder;

/// After the job is joined.
void start_recorder();

}  // namespace foldlane::api
