// What programs about messages share: contents that say where they come from, and sizes around every way that
// a message can take.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "support/checked.hpp"

namespace foldlane::testing {

/// In a cell (up to 96 bytes), a short block (2 KiB), a long one (8 KiB), boxes that need not be used twice
/// (128 KiB), and those that are.
inline constexpr int kSizes[] = {0,    1,    31,   32,   33,      95,      96,      97,
                                 2048, 2049, 8192, 8193, 100'000, 131'072, 131'073, 1'000'003};

/// The bytes of message number `tag` from `source`.
inline std::vector<unsigned char> content(int source, int tag, std::size_t bytes) {
  std::vector<unsigned char> made(bytes);
  const std::uint64_t start = scramble(static_cast<std::uint64_t>(source), static_cast<std::uint64_t>(tag));
  for (std::size_t i = 0; i < bytes; ++i) made[i] = static_cast<unsigned char>((start + i * 7) >> (i % 8));
  return made;
}

/// In the place where it is: who holds its address sees it.
template <class T>
void refill(std::vector<T>& memory, const std::vector<T>& values) {
  std::copy(values.begin(), values.end(), memory.begin());
}

inline void check_content(const std::vector<unsigned char>& got, int source, int tag) {
  ++compared_calls;
  const std::vector<unsigned char> expected = content(source, tag, got.size());
  if (got == expected) return;
  std::size_t i = 0;
  while (got[i] == expected[i]) ++i;
  give_up("byte " + std::to_string(i) + " of " + std::to_string(got.size()) + " from rank " +
          std::to_string(source) + " with tag " + std::to_string(tag) + " is wrong");
}

inline void check_status(const MPI_Status& status, int source, int tag, std::size_t bytes) {
  MPI_Count count = -1, elements = -1;
  int cancelled = -1;
  MPI_Get_count_c(&status, MPI_BYTE, &count);
  MPI_Get_elements_c(&status, MPI_BYTE, &elements);
  MPI_Test_cancelled(&status, &cancelled);
  if (status.MPI_SOURCE == source && status.MPI_TAG == tag && count == static_cast<MPI_Count>(bytes) &&
      elements == count && cancelled == 0)
    return;
  give_up("the status says " + std::to_string(count) + " bytes from " + std::to_string(status.MPI_SOURCE) +
          " with tag " + std::to_string(status.MPI_TAG) + " instead of " + std::to_string(bytes) + " from " +
          std::to_string(source) + " with tag " + std::to_string(tag));
}

/// Receives as MPI_Recv does, and checks everything.
inline void receive_checked(MPI_Comm comm, int source, int tag, int bytes) {
  std::vector<unsigned char> got(static_cast<std::size_t>(bytes));
  MPI_Status status{};
  check_that(MPI_Recv(got.data(), bytes, MPI_BYTE, source, tag, comm, &status) == MPI_SUCCESS,
             "MPI_Recv failed");
  check_status(status, source, tag, got.size());
  check_content(got, source, tag);
}

inline void send_checked(MPI_Comm comm, int dest, int tag, int bytes) {
  int own = -1;
  MPI_Comm_rank(comm, &own);
  const std::vector<unsigned char> data = content(own, tag, static_cast<std::size_t>(bytes));
  check_that(MPI_Send(data.data(), bytes, MPI_BYTE, dest, tag, comm) == MPI_SUCCESS, "MPI_Send failed");
}

inline void expect_error(int got, int expected, std::initializer_list<std::string> says) {
  check_that(got == expected, "another error class was expected");
  char text[MPI_MAX_ERROR_STRING];
  int length = 0;
  MPI_Error_string(got, text, &length);
  for (const std::string& part : says) {
    if (std::string(text).find(part) == std::string::npos)
      give_up("\"" + part + "\" is not in: " + std::string(text));
  }
}

/// Runs `test` on a fresh duplicate of MPI_COMM_WORLD, on which errors are returned.
template <class Test>
void on_duplicate(const char* name, const Test& test) {
  begin_case(name);
  MPI_Comm comm = duplicate(MPI_COMM_WORLD);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  test(comm);
  int flag = -1;
  MPI_Barrier(comm);
  MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &flag, MPI_STATUS_IGNORE);
  check_that(flag == 0, "a message is left over");
  MPI_Comm_free(&comm);
}

}  // namespace foldlane::testing
