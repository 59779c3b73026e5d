// Which calls programs make that know several: what the environment wishes, and what the MPI can.
#pragma once

#include <mpi.h>

#include <cstdlib>
#include <string_view>

namespace foldlane::testing {

/// FOLDLANE_TEST_FORMS: in which forms they make them.
inline std::string_view wished_forms() {
  const char* const wish = std::getenv("FOLDLANE_TEST_FORMS");
  return wish == nullptr ? "" : wish;
}
/// As where the blocking calls alone are Foldlane's.
inline bool are_all_blocking() { return wished_forms() == "blocking"; }

/// MPI_Scatterv of Open MPI 4 truncates messages there.
#ifdef OPEN_MPI
inline constexpr bool kScattersBetweenGroups = false;
#else
inline constexpr bool kScattersBetweenGroups = true;
#endif

/// Open MPI 4 lacks half of these calls, and MPICH 4 confuses blocks of ranks that give each other several.
#if defined(OPEN_MPI) || defined(MPICH)
inline constexpr bool kMovesAmongNeighbours = false;
#else
inline constexpr bool kMovesAmongNeighbours = true;
#endif

}  // namespace foldlane::testing
