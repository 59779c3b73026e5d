// Sessions of performance variables, the handles in them, and reading.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <mutex>
#include <vector>

#include "api/core/calls.hpp"
#include "api/core/handle_table.hpp"
#include "api/tool/tool.hpp"
#include "api/tool/tool_pvar_table.hpp"

namespace foldlane::api {
namespace {

struct VariableHandle {
  MPI_T_pvar_session session;
  const PerformanceVariable* variable;
};

struct Session {
  std::vector<MPI_T_pvar_handle> handles;
};

std::mutex contents;  // of all sessions: the tables guard only the handles
HandleTable<MPI_T_pvar_session, Session> sessions;
HandleTable<MPI_T_pvar_handle, VariableHandle> variable_handles;

Session& check_session(MPI_T_pvar_session session) {
  Session* found = sessions.find(session);
  if (found == nullptr) {
    fail(MPI_T_ERR_INVALID_SESSION,
         fmt::format("the session {} does not exist; it may have been freed", fmt::ptr(session)));
  }
  return *found;
}

const PerformanceVariable& check_handle(MPI_T_pvar_session session, MPI_T_pvar_handle handle) {
  check_session(session);
  const VariableHandle* found = variable_handles.find(handle);
  if (found == nullptr || found->session != session) {
    fail(MPI_T_ERR_INVALID_HANDLE,
         fmt::format("the session has no handle {}; it may have been freed", fmt::ptr(handle)));
  }
  return *found->variable;
}

/// Adding a handle must not fail once the handle exists.
void make_room(std::vector<MPI_T_pvar_handle>& handles) {
  if (handles.size() == handles.capacity()) handles.reserve(2 * handles.size() + 1);
}

void copy_value(const PerformanceVariable& variable, void* buffer) {
  if (variable.datatype == MPI_INT) {
    const int value = static_cast<int>(variable.value());
    std::memcpy(buffer, &value, sizeof value);
  } else {
    const unsigned long value = variable.value();
    std::memcpy(buffer, &value, sizeof value);
  }
}

/// What no variable here allows; of all handles of a session it concerns those that do, which are none.
int refuse(Call call, MPI_T_pvar_session session, MPI_T_pvar_handle handle, int error_class,
           const char* reason) {
  return run_tool(call, [&] {
    check_session(session);
    if (handle == MPI_T_PVAR_ALL_HANDLES) return;
    fail(error_class, fmt::format("{} {}", check_handle(session, handle).name, reason));
  });
}

}  // namespace

int t_pvar_session_create(Call call, MPI_T_pvar_session* session) {
  return run_tool(call, [&] {
    check_pointer(session, "session");
    MPI_T_pvar_session made = sessions.emplace();
    if (made == nullptr) fail(MPI_T_ERR_OUT_OF_SESSIONS, "too many sessions exist");
    *session = made;
  });
}

int t_pvar_session_free(Call call, MPI_T_pvar_session* session) {
  return run_tool(call, [&] {
    check_pointer(session, "session");
    const std::lock_guard lock(contents);
    for (MPI_T_pvar_handle handle : check_session(*session).handles) variable_handles.erase(handle);
    sessions.erase(*session);
    *session = MPI_T_PVAR_SESSION_NULL;
  });
}

int t_pvar_handle_alloc(Call call, MPI_T_pvar_session session, int index, void*, MPI_T_pvar_handle* handle,
                        int* count) {
  return run_tool(call, [&] {
    const std::lock_guard lock(contents);
    Session& owner = check_session(session);
    const auto variables = performance_variables();
    check_index(index, variables.size(), "performance variables");
    check_pointer(handle, "handle");
    check_pointer(count, "count");
    make_room(owner.handles);
    MPI_T_pvar_handle made = variable_handles.insert({session, &variables[static_cast<std::size_t>(index)]});
    if (made == nullptr) fail(MPI_T_ERR_OUT_OF_HANDLES, "too many handles of performance variables exist");
    owner.handles.push_back(made);
    *handle = made;
    *count = 1;
  });
}

int t_pvar_handle_free(Call call, MPI_T_pvar_session session, MPI_T_pvar_handle* handle) {
  return run_tool(call, [&] {
    const std::lock_guard lock(contents);
    Session& owner = check_session(session);
    check_pointer(handle, "handle");
    check_handle(session, *handle);
    std::erase(owner.handles, *handle);
    variable_handles.erase(*handle);
    *handle = MPI_T_PVAR_HANDLE_NULL;
  });
}

int t_pvar_read(Call call, MPI_T_pvar_session session, MPI_T_pvar_handle handle, void* buffer) {
  return run_tool(call, [&] {
    const PerformanceVariable& variable = check_handle(session, handle);
    check_pointer(buffer, "buf");
    copy_value(variable, buffer);
  });
}

int t_pvar_start(Call call, MPI_T_pvar_session session, MPI_T_pvar_handle handle) {
  return refuse(call, session, handle, MPI_T_ERR_PVAR_NO_STARTSTOP, "always runs");
}

int t_pvar_stop(Call call, MPI_T_pvar_session session, MPI_T_pvar_handle handle) {
  return refuse(call, session, handle, MPI_T_ERR_PVAR_NO_STARTSTOP, "always runs");
}

int t_pvar_reset(Call call, MPI_T_pvar_session session, MPI_T_pvar_handle handle) {
  return refuse(call, session, handle, MPI_T_ERR_PVAR_NO_WRITE, "is read-only");
}

int t_pvar_write(Call call, MPI_T_pvar_session session, MPI_T_pvar_handle handle, const void*) {
  return run_tool(call, [&] {
    fail(MPI_T_ERR_PVAR_NO_WRITE, fmt::format("{} is read-only", check_handle(session, handle).name));
  });
}

int t_pvar_readreset(Call call, MPI_T_pvar_session session, MPI_T_pvar_handle handle, void*) {
  return run_tool(call, [&] {
    fail(MPI_T_ERR_PVAR_NO_WRITE, fmt::format("{} is read-only", check_handle(session, handle).name));
  });
}

}  // namespace foldlane::api
