#include "api/fortran/predefined_callbacks.hpp"

#include "api/fortran/names.hpp"

// Where C has a number for a function, Fortran has a procedure; its name in upper case is a macro of C.
#undef MPI_COMM_DUP_FN
#undef MPI_COMM_NULL_COPY_FN
#undef MPI_COMM_NULL_DELETE_FN
#undef MPI_CONVERSION_FN_NULL
#undef MPI_CONVERSION_FN_NULL_C
#undef MPI_DUP_FN
#undef MPI_NULL_COPY_FN
#undef MPI_NULL_DELETE_FN
#undef MPI_TYPE_DUP_FN
#undef MPI_TYPE_NULL_COPY_FN
#undef MPI_TYPE_NULL_DELETE_FN
#undef MPI_WIN_DUP_FN
#undef MPI_WIN_NULL_COPY_FN
#undef MPI_WIN_NULL_DELETE_FN

#define FOLDLANE_DUPLICATION(lower, upper, Integer)                                            \
  void lower##_(int*, int*, Integer*, const Integer* in, Integer* out, int* flag, int* code) { \
    *out = *in;                                                                                \
    *flag = 1;                                                                                 \
    *code = MPI_SUCCESS;                                                                       \
  }                                                                                            \
  FOLDLANE_OLD_NAMES(lower, upper)
#define FOLDLANE_NULL_COPY(lower, upper, Integer)                                       \
  void lower##_(int*, int*, Integer*, const Integer*, Integer*, int* flag, int* code) { \
    *flag = 0;                                                                          \
    *code = MPI_SUCCESS;                                                                \
  }                                                                                     \
  FOLDLANE_OLD_NAMES(lower, upper)
#define FOLDLANE_NULL_DELETE(lower, upper, Integer)                                 \
  void lower##_(int*, int*, Integer*, Integer*, int* code) { *code = MPI_SUCCESS; } \
  FOLDLANE_OLD_NAMES(lower, upper)
#define FOLDLANE_NULL_CONVERSION(lower, upper, Count)                                                   \
  void lower##_(void*, int*, Count*, void*, MPI_Offset*, MPI_Aint*, int* code) { *code = MPI_SUCCESS; } \
  FOLDLANE_OLD_NAMES(lower, upper)

#pragma GCC visibility push(default)
extern "C" {
FOLDLANE_DUPLICATION(mpi_dup_fn, MPI_DUP_FN, int)
FOLDLANE_DUPLICATION(mpi_comm_dup_fn, MPI_COMM_DUP_FN, MPI_Aint)
FOLDLANE_DUPLICATION(mpi_type_dup_fn, MPI_TYPE_DUP_FN, MPI_Aint)
FOLDLANE_DUPLICATION(mpi_win_dup_fn, MPI_WIN_DUP_FN, MPI_Aint)
FOLDLANE_NULL_COPY(mpi_null_copy_fn, MPI_NULL_COPY_FN, int)
FOLDLANE_NULL_COPY(mpi_comm_null_copy_fn, MPI_COMM_NULL_COPY_FN, MPI_Aint)
FOLDLANE_NULL_COPY(mpi_type_null_copy_fn, MPI_TYPE_NULL_COPY_FN, MPI_Aint)
FOLDLANE_NULL_COPY(mpi_win_null_copy_fn, MPI_WIN_NULL_COPY_FN, MPI_Aint)
FOLDLANE_NULL_DELETE(mpi_null_delete_fn, MPI_NULL_DELETE_FN, int)
FOLDLANE_NULL_DELETE(mpi_comm_null_delete_fn, MPI_COMM_NULL_DELETE_FN, MPI_Aint)
FOLDLANE_NULL_DELETE(mpi_type_null_delete_fn, MPI_TYPE_NULL_DELETE_FN, MPI_Aint)
FOLDLANE_NULL_DELETE(mpi_win_null_delete_fn, MPI_WIN_NULL_DELETE_FN, MPI_Aint)
FOLDLANE_NULL_CONVERSION(mpi_conversion_fn_null, MPI_CONVERSION_FN_NULL, int)
FOLDLANE_NULL_CONVERSION(mpi_conversion_fn_null_c, MPI_CONVERSION_FN_NULL_C, MPI_Count)
}
#pragma GCC visibility pop

namespace foldlane::fortran {
namespace {

template <class... Functions>
bool is_one_of(Procedure* procedure, Functions*... functions) noexcept {
  return ((procedure == reinterpret_cast<Procedure*>(functions)) || ...);
}

}  // namespace

bool is_duplication(Procedure* copy) noexcept {
  return is_one_of(copy, mpi_dup_fn_, mpi_comm_dup_fn_, mpi_type_dup_fn_, mpi_win_dup_fn_);
}
bool is_null_copy(Procedure* copy) noexcept {
  return is_one_of(copy, mpi_null_copy_fn_, mpi_comm_null_copy_fn_, mpi_type_null_copy_fn_,
                   mpi_win_null_copy_fn_);
}
bool is_null_delete(Procedure* destroy) noexcept {
  return is_one_of(destroy, mpi_null_delete_fn_, mpi_comm_null_delete_fn_, mpi_type_null_delete_fn_,
                   mpi_win_null_delete_fn_);
}
bool is_null_conversion(Procedure* conversion) noexcept {
  return is_one_of(conversion, mpi_conversion_fn_null_, mpi_conversion_fn_null_c_);
}

}  // namespace foldlane::fortran
