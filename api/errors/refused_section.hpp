// An error of the Fortran library, raised as the C library raises its own.
#pragma once

#include <mpi.h>

extern "C" {

/// A buffer of the call is an array section that nothing in C describes. Returns the code if the handler
/// does.
[[gnu::visibility("default")]] int foldlane_refuse_section(const char* call, MPI_Comm comm);
}
