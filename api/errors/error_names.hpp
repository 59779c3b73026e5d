// The error classes of the standard: names and texts.
#pragma once

#include <mpi.h>

namespace foldlane::api {

// Two contiguous blocks: MPI_SUCCESS to MPI_ERR_ABI, and the classes of the tool interface.
inline constexpr int kCallClassCount = MPI_ERR_ABI + 1;
inline constexpr int kToolClassCount = MPI_T_ERR_PVAR_NO_ATOMIC - MPI_T_ERR_CANNOT_INIT + 1;
inline constexpr int kErrorClassCount = kCallClassCount + kToolClassCount;

/// The number of a class among all of them; -1 if the code is no class.
constexpr int class_index(int code) noexcept {
  if (code >= MPI_SUCCESS && code <= MPI_ERR_ABI) return code;
  if (code < MPI_T_ERR_CANNOT_INIT || code > MPI_T_ERR_PVAR_NO_ATOMIC) return -1;
  return kCallClassCount + code - MPI_T_ERR_CANNOT_INIT;
}

constexpr bool is_error_class(int code) noexcept { return class_index(code) >= 0; }

/// "MPI_ERR_COUNT". Both need is_error_class(error_class).
const char* error_name(int error_class) noexcept;
const char* error_text(int error_class) noexcept;

}  // namespace foldlane::api
