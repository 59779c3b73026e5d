// The copy and delete functions that MPI defines, as procedures of Fortran: passed to a call they become
// those of C.
#pragma once

#include "api/fortran/kinds.hpp"

namespace foldlane::fortran {

bool is_duplication(Procedure* copy) noexcept;
bool is_null_copy(Procedure* copy) noexcept;
bool is_null_delete(Procedure* destroy) noexcept;
bool is_null_conversion(Procedure* conversion) noexcept;

}  // namespace foldlane::fortran
