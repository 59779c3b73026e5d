// What the calls of the tool interface have in common. Their errors are returned, whatever error handlers
// say.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <new>
#include <string_view>

#include "api/core/call.hpp"
#include "api/errors/raise.hpp"

namespace foldlane::api {

/// Throws MPI_T_ERR_NOT_INITIALIZED outside of MPI_T_init_thread … MPI_T_finalize.
void check_tool_active();

/// Throws MPI_T_ERR_INVALID_INDEX; `things` is what is counted: "control variables".
void check_index(int index, std::size_t count, const char* things);

/// Throws MPI_T_ERR_INVALID.
void check_pointer(const void* pointer, const char* parameter);

/// A result that the caller may not want: then the pointer is null.
template <class T, class Value>
void put(T* result, Value value) {
  if (result != nullptr) *result = value;
}

/// A text the way the tool interface returns them: cut to *length characters with the terminating zero; then
/// *length is what the whole text needs. Without a buffer, or a length of 0, only that.
void put_text(std::string_view text, char* buffer, int* length);

/// The boundary of calls that work at any time.
template <class Body>
int run_tool_any_time(Call call, const Body& body) {
  try {
    body();
    return MPI_SUCCESS;
  } catch (const Failure& failure) {
    return raise_returning(call, failure);
  } catch (const std::bad_alloc&) {
    return raise_returning(call, {MPI_T_ERR_MEMORY, "out of memory"});
  }
}

/// The boundary of all others.
template <class Body>
int run_tool(Call call, const Body& body) {
  return run_tool_any_time(call, [&] {
    check_tool_active();
    body();
  });
}

}  // namespace foldlane::api
