// The life of MPI in a process: initialization, finalization, abort, thread levels.
#include <fmt/format.h>

#include "api/attributes/attribute_calls.hpp"
#include "api/core/calls.hpp"
#include "api/errors/args.hpp"
#include "api/objects/communicator.hpp"
#include "api/op/mismatch.hpp"
#include "api/p2p/arguments.hpp"
#include "api/process/leftovers.hpp"
#include "api/process/membership.hpp"
#include "api/statistics/recorder.hpp"

namespace foldlane::api {
namespace {

void watch_predefined_communicators() {
  for (const Communicator& communicator : predefined_communicators) recorder->watch(communicator);
}

void start(int thread_level) {
  if (world.phase == Phase::active)
    fail(MPI_ERR_OTHER, "called a second time; a program initializes MPI once");
  if (world.phase == Phase::finalized)
    fail(MPI_ERR_OTHER, "called after MPI_Finalize; MPI cannot start again");
  world.main_thread = std::this_thread::get_id();
  world.thread_level = thread_level;
  join_job(thread_level == MPI_THREAD_MULTIPLE);
  require(world.job->await(world.job->world().members()));
  predefined_communicators[0].team = &world.job->world();
  predefined_communicators[1].team = &world.job->self();
  if (recorder != nullptr) watch_predefined_communicators();
  world.phase = Phase::active;
}

// MPI still works while the functions of the program run.
void delete_attributes() {
  for (MPI_Comm comm : {MPI_COMM_SELF, MPI_COMM_WORLD}) {
    check_callbacks(check_communicator(comm).attributes.destroy(comm));
  }
}

// Everybody has come to MPI_Finalize: what was not received by now never will be.
void end_messages(Communicator& communicator, MPI_Comm comm) {
  open_channel(communicator, comm);  // so that what has come has a name
  if (communicator.team->size() > 1) open_collective_channel(communicator, comm);
  messenger().close(*communicator.team);
  communicator.channel.publish(nullptr);
  communicator.collective_channel.publish(nullptr);
}

// The same for the senders: what was received has left the buffers.
void give_send_buffers_back() {
  world.job->drive();
  process_send_buffer.detach();
  for (Communicator& communicator : predefined_communicators) communicator.send_buffer.detach();
}

void stop() {
  check_initialized();
  delete_attributes();
  engine::Team& everybody = world.job->world();
  require(everybody, engine::barrier(everybody, engine::Call::finalize));
  give_send_buffers_back();
  report_active_requests();
  for (MPI_Comm comm : {MPI_COMM_SELF, MPI_COMM_WORLD}) end_messages(check_communicator(comm), comm);
  for (Communicator& communicator : predefined_communicators) communicator.team = nullptr;
  world.phase = Phase::finalized;
  leave_job();
}

}  // namespace

int init(Call call, int*, char***) {
  return run(call, [] { start(MPI_THREAD_SINGLE); });
}

int init_thread(Call call, int*, char***, int required, int* provided) {
  return run(call, [&] {
    if (!is_thread_level(required)) fail(MPI_ERR_ARG, fmt::format("{} is not a thread level", required));
    check_output(provided, "provided");
    start(required);
    *provided = world.thread_level;
  });
}

int finalize(Call call) {
  return run(call, [] { stop(); });
}

int initialized(Call call, int* flag) {
  return run(call, [&] { *check_output(flag, "flag") = world.phase != Phase::before_init; });
}

int finalized(Call call, int* flag) {
  return run(call, [&] { *check_output(flag, "flag") = world.phase == Phase::finalized; });
}

int abort(Call call, MPI_Comm comm, int code) {
  const Communicator* communicator = find_communicator(comm);
  const std::string name = communicator != nullptr ? name_of(*communicator) : "";
  terminate(code, fmt::format("{}{}{}{}: the program ends the job with code {}\n", line_prefix(), call.name,
                              name.empty() ? "" : " on ", name, code));
}

int is_thread_main(Call call, int* flag) {
  return run(call, [&] {
    check_initialized();
    *check_output(flag, "flag") = std::this_thread::get_id() == world.main_thread;
  });
}

int query_thread(Call call, int* provided) {
  return run(call, [&] {
    check_initialized();
    *check_output(provided, "provided") = world.thread_level;
  });
}

// The standard reserves this call for profiling tools; the library itself ignores it.
int pcontrol(Call, int) { return MPI_SUCCESS; }

}  // namespace foldlane::api
