// What other MPIs are known to do wrong, so that the oracle can be tried with them. None of it is excused
// here otherwise.
#pragma once

#include <mpi.h>

#include <algorithm>

#include "matching/draft.hpp"

namespace foldlane::matching {

#ifdef MPICH_NUMVERSION
inline constexpr bool kIsOldMpich = MPICH_NUMVERSION < 40100000;
#else
inline constexpr bool kIsOldMpich = false;
#endif

/// MPICH 4.0 leaves a status of zeros for a nonblocking receive from MPI_PROC_NULL.
inline constexpr bool kForgetsNobody = kIsOldMpich;

/// MPICH 4.0 sends a large MPI_Bsend of a type with gaps so that its receive fails with MPI_ERR_TRUNCATE.
inline bool has_defect(const Program& program) {
  if (!kIsOldMpich) return false;
  const auto fails = [&program](const Call& call) {
    if (!call.sends() || call.mode != Mode::buffered || call.message == kNone) return false;
    const Message& m = program.message(call.message);
    return m.units * bytes_of(m.unit) > 4096;
  };
  return std::any_of(program.scripts.begin(), program.scripts.end(),
                     [&](const Script& script) { return std::any_of(script.begin(), script.end(), fails); });
}

}  // namespace foldlane::matching
