// The error classes of the standard: names and texts.
#pragma once

#include <mpi.h>

namespace foldlane::api {

// The classes are contiguous from MPI_SUCCESS to MPI_ERR_ABI.
inline constexpr int kErrorClassCount = MPI_ERR_ABI + 1;

inline bool is_error_class(int code) noexcept { return code >= 0 && code < kErrorClassCount; }

/// "MPI_ERR_COUNT". Both need is_error_class(error_class).
const char* error_name(int error_class) noexcept;
const char* error_text(int error_class) noexcept;

}  // namespace foldlane::api
