#include "api/process/membership.hpp"

#include <memory>
#include <mutex>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "api/core/checks.hpp"
#include "api/core/failure.hpp"
#include "api/core/world.hpp"
#include "api/info/info_environment.hpp"
#include "api/objects/communicator.hpp"
#include "api/op/op.hpp"
#include "api/p2p/lost_messages.hpp"
#include "api/process/deadlock.hpp"
#include "api/process/leftovers.hpp"
#include "api/replay/outcomes.hpp"
#include "api/statistics/recorder.hpp"
#include "engine/job/progress_thread.hpp"

namespace foldlane::api {
namespace {

std::mutex mutex;
int users = 0;

void attach() {
  read_checks();
  auto job = engine::Job::join();
  if (!job.ok()) fail(job.error());
  resolve_reductions();
  environment_info();  // while the working directory is the one the process was started in
  world.job = job.value().release();
  world.job->messenger().set_lost_and_found(report_lost_messages);
  watch_for_deadlocks();
  start_recorder();
  report_leaks_at_exit();
}

// Without threads only MPI_Init can be a user. Its main thread is not in a call while it is here; from
// MPI_THREAD_SERIALIZED on, the program sees to it that nobody is.
bool others_may_be_in_a_call() {
  return users > 0 && world.thread_level != MPI_THREAD_SERIALIZED &&
         world.main_thread != std::this_thread::get_id();
}

void allow_threads() {
  if (world.has_threads) return;
  if (others_may_be_in_a_call()) {
    fail(MPI_ERR_OTHER,
         "the first session must be initialized by the thread that initialized MPI, because that did not ask "
         "for MPI_THREAD_MULTIPLE");
  }
  world.job->allow_threads();
  world.has_threads = true;
}

// Of communicators that the program did not free. Their members may still be reading what this process sent,
// and have to be asked before its memory is used again in another session.
std::vector<OwnedTeam>& left_over() {
  static auto& teams = *new std::vector<OwnedTeam>;
  return teams;
}

// A program that ends without MPI_Finalize leaves it running.
engine::ProgressThread* helper = nullptr;

void start_helper() {
  try {
    helper = new engine::ProgressThread(*world.job);
  } catch (const std::system_error& error) {
    fail(MPI_ERR_OTHER, std::string("starting the progress thread: ") + error.what());
  }
}

void drop_communicators() {
  communicators.for_each([](Communicator& communicator) {
    if (communicator.owned_team != nullptr) left_over().push_back(std::move(communicator.owned_team));
  });
  communicators.clear();
}

}  // namespace

void join_job(bool threads) {
  const std::lock_guard lock(mutex);
  if (world.job == nullptr) {
    attach();
  } else if (users == 0) {
    world.job->return_again();
  }
  const bool has_helper = engine::ProgressThread::is_wanted();
  open_journal(threads);
  if (threads || has_helper) allow_threads();
  if (has_helper && helper == nullptr) start_helper();
  ++users;
  world.library = Phase::active;
}

void leave_job() {
  const std::lock_guard lock(mutex);
  if (--users > 0) return;
  process_send_buffer.clear();
  report_leaks();
  delete std::exchange(helper, nullptr);
  drop_communicators();
  world.job->messenger().tell_lost();
  flush_journal();
  world.library = Phase::finalized;
  world.job->leave();
}

}  // namespace foldlane::api
