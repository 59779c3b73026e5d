// MPI_T_init_thread, MPI_T_finalize, and the checks of the tool interface.
#include "api/tool/tool.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>

#include "api/core/calls.hpp"
#include "api/core/world.hpp"
#include "shm/sync/atoms.hpp"

namespace foldlane::api {
namespace {

std::mutex users_change;
shm::RealAtoms::Word<int> users{};  // MPI_T_init_thread without their MPI_T_finalize

}  // namespace

void check_tool_active() {
  if (users.observe() == 0)
    fail(MPI_T_ERR_NOT_INITIALIZED, "called outside of MPI_T_init_thread … MPI_T_finalize");
}

void check_index(int index, std::size_t count, const char* things) {
  if (index >= 0 && static_cast<std::size_t>(index) < count) return;
  fail(MPI_T_ERR_INVALID_INDEX, fmt::format("the index is {}; there are {} {}", index, count, things));
}

void check_pointer(const void* pointer, const char* parameter) {
  if (pointer == nullptr) fail(MPI_T_ERR_INVALID, fmt::format("{} is null", parameter));
}

void put_text(std::string_view text, char* buffer, int* length) {
  if (length == nullptr) return;
  if (*length < 0) fail(MPI_T_ERR_INVALID, fmt::format("the length of a buffer is {}", *length));
  if (buffer != nullptr && *length > 0) {
    const std::size_t kept = std::min(text.size(), static_cast<std::size_t>(*length) - 1);
    std::copy_n(text.data(), kept, buffer);
    buffer[kept] = '\0';
  }
  *length = static_cast<int>(text.size()) + 1;
}

int t_init_thread(Call call, int required, int* provided) {
  return run_tool_any_time(call, [&] {
    if (!is_thread_level(required)) {
      fail(MPI_T_ERR_INVALID, fmt::format("{} is not a thread level", required));
    }
    check_pointer(provided, "provided");
    *provided = required;  // the calls of the tool interface are thread-safe even where others are not
    const std::lock_guard lock(users_change);
    users.publish(users.peek() + 1);
  });
}

int t_finalize(Call call) {
  return run_tool(call, [] {
    const std::lock_guard lock(users_change);
    check_tool_active();  // another thread may have been faster
    users.publish(users.peek() - 1);
  });
}

}  // namespace foldlane::api
