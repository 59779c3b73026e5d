// What the library has besides the calls of C: the variables that stand for constants, the calls that only
// Fortran has, and what it tells the C library about Fortran's types.
#include <ISO_Fortran_binding.h>

#include <cstddef>
#include <cstring>

#include "api/fortran/kinds.hpp"
#include "api/fortran/names.hpp"

using namespace foldlane::fortran;

#pragma GCC visibility push(default)
extern "C" {

int foldlane_bottom_;
int foldlane_in_place_;
int foldlane_buffer_automatic_;
int foldlane_status_ignore_[8];
int foldlane_statuses_ignore_[8];
int foldlane_errcodes_ignore_[1];
int foldlane_unweighted_[1];
int foldlane_weights_empty_[1];
char foldlane_argv_null_[1];
char foldlane_argvs_null_[1];

/// Its only effect is that the compiler cannot move accesses of the buffer across the call.
void mpi_f_sync_reg_(void*) {}
FOLDLANE_OLD_NAMES(mpi_f_sync_reg, MPI_F_SYNC_REG)
FOLDLANE_ALIAS(mpi_f_sync_reg_f08ts_, mpi_f_sync_reg_)
FOLDLANE_ALIAS(pmpi_f_sync_reg_, mpi_f_sync_reg_)
FOLDLANE_ALIAS(pmpi_f_sync_reg_f08ts_, mpi_f_sync_reg_)

/// Of the modules, which pass a descriptor: nothing else knows how large the variable is.
void mpi_sizeof_(const CFI_cdesc_t* x, int* size, int* ierror) {
  *size = static_cast<int>(x->elem_len);
  finish(ierror, MPI_SUCCESS);
}
FOLDLANE_ALIAS(pmpi_sizeof_, mpi_sizeof_)

// A status is the same 8 integers as INTEGER array and as TYPE(MPI_Status).
void mpi_status_f2f08_(const int* from, int* to, int* ierror) {
  std::memmove(to, from, sizeof(MPI_Status));
  finish(ierror, MPI_SUCCESS);
}
FOLDLANE_NAMES(mpi_status_f2f08, MPI_STATUS_F2F08)
FOLDLANE_ALIAS(mpi_status_f082f_, mpi_status_f2f08_)
FOLDLANE_NAMES(mpi_status_f082f, MPI_STATUS_F082F)
FOLDLANE_ALIAS(pmpi_status_f2f08_, mpi_status_f2f08_)
FOLDLANE_NAMES(pmpi_status_f2f08, PMPI_STATUS_F2F08)
FOLDLANE_ALIAS(pmpi_status_f082f_, mpi_status_f2f08_)
FOLDLANE_NAMES(pmpi_status_f082f, PMPI_STATUS_F082F)
}
#pragma GCC visibility pop

namespace {

struct Fact {
  const char* key;
  const char* value;
};

// Of gfortran's types, as MPI_Abi_set_fortran_info names them.
constexpr Fact kTypes[] = {{"mpi_logical_size", "4"},
                           {"mpi_integer_size", "4"},
                           {"mpi_real_size", "4"},
                           {"mpi_double_precision_size", "8"},
                           {"mpi_logical1_supported", "true"},
                           {"mpi_logical2_supported", "true"},
                           {"mpi_logical4_supported", "true"},
                           {"mpi_logical8_supported", "true"},
                           {"mpi_logical16_supported", "true"},
                           {"mpi_integer1_supported", "true"},
                           {"mpi_integer2_supported", "true"},
                           {"mpi_integer4_supported", "true"},
                           {"mpi_integer8_supported", "true"},
                           {"mpi_integer16_supported", "true"},
                           {"mpi_real2_supported", "false"},
                           {"mpi_real4_supported", "true"},
                           {"mpi_real8_supported", "true"},
                           {"mpi_real16_supported", "true"},
                           {"mpi_complex4_supported", "false"},
                           {"mpi_complex8_supported", "true"},
                           {"mpi_complex16_supported", "true"},
                           {"mpi_complex32_supported", "true"},
                           {"mpi_double_complex_supported", "true"}};

/// Before the program runs, since MPI_Init may be called from C. The errors are those of another binding that
/// has done the same before: nothing is to be done about them.
[[gnu::constructor]] void describe_types() {
  MPI_Info info = MPI_INFO_NULL;
  if (PMPI_Info_create(&info) != MPI_SUCCESS) return;
  for (const Fact& fact : kTypes) PMPI_Info_set(info, fact.key, fact.value);
  PMPI_Abi_set_fortran_info(info);
  PMPI_Info_free(&info);
  int yes = 1, no = 0;
  PMPI_Abi_set_fortran_booleans(sizeof(int), &yes, &no);
}

}  // namespace
