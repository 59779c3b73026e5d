// A question of the Fortran library, which makes datatypes of the program's: MPI has none that raises no
// error.
#pragma once

#include <mpi.h>

extern "C" {

/// Whether calls that communicate would take the datatype: it exists and is committed.
[[gnu::visibility("default")]] int foldlane_is_sound_datatype(MPI_Datatype datatype) noexcept;
}
