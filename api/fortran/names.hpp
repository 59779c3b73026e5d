// The names by which compilers call a routine `mpi_x_`, the way of gfortran: without underscore, with two, in
// upper case; and mpi_x_f08_, the linker name of mpi_f08's routines without descriptors.
#pragma once

#define FOLDLANE_ALIAS(name, target) decltype(target) name __attribute__((alias(#target)));

#define FOLDLANE_OLD_NAMES(lower, upper) \
  FOLDLANE_ALIAS(lower, lower##_)        \
  FOLDLANE_ALIAS(lower##__, lower##_)    \
  FOLDLANE_ALIAS(upper, lower##_)

/// Forms with large counts are in mpi_f08 only.
#define FOLDLANE_LARGE_NAME(lower, upper) FOLDLANE_ALIAS(lower##_f08_, lower##_)

#define FOLDLANE_NAMES(lower, upper) FOLDLANE_OLD_NAMES(lower, upper) FOLDLANE_LARGE_NAME(lower, upper)
