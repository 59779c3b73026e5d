// The checks of arguments, one per error class. The good case is a compare inline; the bad case throws a
// Failure that says what was given and what is allowed. Comes with run() and check_active(), which the same
// calls need.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "api/core/world.hpp"
#include "api/errors/raise.hpp"

namespace foldlane::api {

namespace reject {

[[noreturn, gnu::cold]] void negative_count(std::int64_t count);
[[noreturn, gnu::cold]] void root(int root, int size);
[[noreturn, gnu::cold]] void buffer(const void* buffer, const char* parameter);
[[noreturn, gnu::cold]] void overlap();
[[noreturn, gnu::cold]] void output(const char* parameter);

}  // namespace reject

inline void check_root(int root, int size) {
  if (root < 0 || root >= size) [[unlikely]]
    reject::root(root, size);
}

/// Null (which is also MPI_BOTTOM: a predefined datatype has no absolute address), MPI_IN_PLACE and
/// MPI_BUFFER_AUTOMATIC are none.
inline bool is_memory(const void* buffer) noexcept {
  return reinterpret_cast<std::uintptr_t>(buffer) > reinterpret_cast<std::uintptr_t>(MPI_BUFFER_AUTOMATIC);
}

/// Without bytes only MPI_IN_PLACE is an error.
inline void check_buffer(const void* buffer, std::size_t bytes, const char* parameter) {
  if (!is_memory(buffer) && (bytes != 0 || buffer == MPI_IN_PLACE)) [[unlikely]] {
    reject::buffer(buffer, parameter);
  }
}

inline void check_disjoint(const void* send, std::size_t send_bytes, const void* recv,
                           std::size_t recv_bytes) {
  const auto from = reinterpret_cast<std::uintptr_t>(send);
  const auto to = reinterpret_cast<std::uintptr_t>(recv);
  // Unsigned differences: each is small only if the second address is inside the first range. Without bytes
  // nothing overlaps.
  if (send_bytes == 0 || recv_bytes == 0) return;
  if (to - from < send_bytes || from - to < recv_bytes) [[unlikely]]
    reject::overlap();
}

/// The buffers of a call that has no "in place".
inline void check_separate_buffers(const void* in, std::size_t in_bytes, const void* out,
                                   std::size_t out_bytes, const char* in_name = "sendbuf",
                                   const char* out_name = "recvbuf") {
  check_buffer(in, in_bytes, in_name);
  check_buffer(out, out_bytes, out_name);
  check_disjoint(in, in_bytes, out, out_bytes);
}

/// The buffers of a call whose send buffer may be MPI_IN_PLACE. Returns where the input is: in place, recv
/// itself.
inline const void* check_buffers(const void* send, std::size_t send_bytes, const void* recv,
                                 std::size_t recv_bytes) {
  if (send == MPI_IN_PLACE) {
    check_buffer(recv, send_bytes, "recvbuf");
    return recv;
  }
  check_separate_buffers(send, send_bytes, recv, recv_bytes);
  return send;
}

/// A pointer the result goes to.
template <class T>
T* check_output(T* pointer, const char* parameter) {
  if (pointer == nullptr) [[unlikely]]
    reject::output(parameter);
  return pointer;
}

/// Copies at most capacity - 1 characters and the terminating zero.
void copy_text(std::string_view text, std::size_t capacity, char* string, int* length);

}  // namespace foldlane::api
