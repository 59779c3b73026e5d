// Of programs with memory that nobody may read.
#pragma once

#include <mpi.h>
#include <sys/mman.h>

#include <cstddef>
#include <string>

#include "support/expect.h"

namespace foldlane::tests {

/// Whole pages, which mprotect can take away.
inline char* map_pages(std::size_t bytes) {
  void* const pages = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  expect(pages != MAP_FAILED);
  return static_cast<char*>(pages);
}

inline std::string text_of(int code) {
  char text[MPI_MAX_ERROR_STRING];
  int length = 0;
  MPI_Error_string(code, text, &length);
  return {text, static_cast<std::size_t>(length)};
}

}  // namespace foldlane::tests
