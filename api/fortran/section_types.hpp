// A section of an array as a datatype.
#pragma once

#include <mpi.h>

#include "api/fortran/sections.hpp"

namespace foldlane::fortran {

/// Where the first `count` elements of `datatype` lie that the section has in array order, committed.
/// MPI_DATATYPE_NULL if `datatype` does not divide the section's elements, its own elements do not lie one
/// after the other, or it is none that the call takes, which says so itself.
MPI_Datatype section_type(const Strides& section, MPI_Count count, MPI_Datatype datatype);

/// The same of partitions of `count` elements each, as an element per partition. MPI_DATATYPE_NULL also if
/// they do not all look alike, at equal steps.
MPI_Datatype partition_type(const Strides& section, int partitions, MPI_Count count, MPI_Datatype datatype);

}  // namespace foldlane::fortran
