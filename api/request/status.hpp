// The part of an MPI_Status that belongs to the library.
//
//   MPI_internal[0]      1 if the operation was cancelled, else 0
//   MPI_internal[1..2]   the received bytes, as 64 bits
//   MPI_internal[3..4]   unused
//
// Users copy statuses as they like and make them without our help, in Fortran as eight integers: everything
// a status says stands in the status itself.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <cstring>

#include "engine/p2p/envelope.hpp"

namespace foldlane::api {

inline std::int64_t received_bytes(const MPI_Status& status) noexcept {
  std::int64_t bytes;
  std::memcpy(&bytes, &status.MPI_internal[1], sizeof bytes);
  return bytes;
}

inline void set_received_bytes(MPI_Status& status, std::int64_t bytes) noexcept {
  std::memcpy(&status.MPI_internal[1], &bytes, sizeof bytes);
}

/// What a message says of itself. `first`: the member of its channel that is rank 0 to the call.
inline void describe_message(MPI_Status& status, const engine::Envelope& envelope, int first) noexcept {
  status.MPI_SOURCE = static_cast<int>(envelope.source) - first;
  status.MPI_TAG = envelope.tag;
  set_received_bytes(status, static_cast<std::int64_t>(envelope.bytes));
}

inline bool is_cancelled(const MPI_Status& status) noexcept { return status.MPI_internal[0] != 0; }

inline void set_cancelled(MPI_Status& status, bool cancelled) noexcept { status.MPI_internal[0] = cancelled; }

}  // namespace foldlane::api
