// MPI_Session_init, MPI_Session_finalize, MPI_Session_get_info. Both ends of a session are local: nobody
// waits for other ranks before there is a communicator with them.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>

#include "api/core/calls.hpp"
#include "api/errors/args.hpp"
#include "api/info/info.hpp"
#include "api/objects/session.hpp"
#include "api/process/membership.hpp"

namespace foldlane::api {
namespace {

struct ThreadLevel {
  int level;
  const char* name;
};
constexpr std::array<ThreadLevel, 4> kThreadLevels{{{MPI_THREAD_SINGLE, "MPI_THREAD_SINGLE"},
                                                    {MPI_THREAD_FUNNELED, "MPI_THREAD_FUNNELED"},
                                                    {MPI_THREAD_SERIALIZED, "MPI_THREAD_SERIALIZED"},
                                                    {MPI_THREAD_MULTIPLE, "MPI_THREAD_MULTIPLE"}}};

/// What is asked for; the highest level if nothing is.
int thread_level_of(const InfoMap& info) {
  const std::string* name = info.find("thread_level");
  if (name == nullptr) return MPI_THREAD_MULTIPLE;
  const auto found = std::find_if(kThreadLevels.begin(), kThreadLevels.end(),
                                  [&](const ThreadLevel& level) { return *name == level.name; });
  if (found != kThreadLevels.end()) return found->level;
  fail(MPI_ERR_INFO_VALUE, fmt::format("thread_level is \"{}\"; it must be MPI_THREAD_SINGLE, "
                                       "MPI_THREAD_FUNNELED, MPI_THREAD_SERIALIZED or MPI_THREAD_MULTIPLE",
                                       *name));
}

const char* name_of_level(int wanted) {
  return std::find_if(kThreadLevels.begin(), kThreadLevels.end(),
                      [&](const ThreadLevel& level) { return level.level == wanted; })
      ->name;
}

MPI_Session new_session(ErrorHandlerPointer handler, int thread_level) {
  const MPI_Session handle = sessions.insert({ErrorHandlerSlot(std::move(handler)), thread_level});
  if (handle == nullptr)
    fail(MPI_ERR_NO_MEM, "too many sessions exist; finalize some with MPI_Session_finalize");
  return handle;
}

}  // namespace

int session_init(Call call, MPI_Info info, MPI_Errhandler errhandler, MPI_Session* session) {
  return run(call, Unborn<MPI_Session>{MPI_SESSION_NULL, errhandler}, [&] {
    ErrorHandlerPointer handler = check_error_handler_for<MPI_Session>(errhandler);
    const int level = thread_level_of(check_info(info));
    check_output(session, "session");
    *session = MPI_SESSION_NULL;
    const MPI_Session made = new_session(std::move(handler), level);
    try {
      join_job(true);
    } catch (const Failure&) {
      sessions.erase(made);
      throw;
    }
    *session = made;
  });
}

int session_finalize(Call call, MPI_Session* session) {
  return run(call, session == nullptr ? MPI_SESSION_NULL : *session, [&] {
    check_session(*check_output(session, "session")).send_buffer.clear();
    sessions.erase(*session);
    *session = MPI_SESSION_NULL;
    leave_job();
  });
}

int session_get_info(Call call, MPI_Session session, MPI_Info* info_used) {
  return run(call, session, [&] {
    const Session& asked = check_session(session);
    check_output(info_used, "info_used");
    InfoMap used;
    used.set("thread_level", name_of_level(asked.thread_level));
    used.set("mpi_memory_alloc_kinds", "mpi,system");
    *info_used = new_info_handle(std::move(used));
  });
}

}  // namespace foldlane::api
