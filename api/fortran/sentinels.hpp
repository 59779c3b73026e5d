// The variables whose addresses mean something to Fortran programs: variables of the modules, and common
// blocks with mpif.h, which the linker makes one with these; gfortran aligns those so. A program's own copy
// takes the place of the library's, so they are only ever compared by their address.
#pragma once

extern "C" {
alignas(32) extern int foldlane_bottom_;
alignas(32) extern int foldlane_in_place_;
alignas(32) extern int foldlane_buffer_automatic_;
alignas(32) extern int foldlane_status_ignore_[8];
alignas(32) extern int foldlane_statuses_ignore_[8];
alignas(32) extern int foldlane_errcodes_ignore_[1];
alignas(32) extern int foldlane_unweighted_[1];
alignas(32) extern int foldlane_weights_empty_[1];
alignas(32) extern char foldlane_argv_null_[1];
alignas(32) extern char foldlane_argvs_null_[1];
}
