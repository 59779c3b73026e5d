// The calls that take functions which need a record (callbacks.hpp), by their two names each.
#include <cstddef>
#include <memory>

#include "api/fortran/callbacks.hpp"
#include "api/fortran/names.hpp"
#include "api/fortran/text.hpp"

namespace foldlane::fortran {
namespace {

template <class Handle, class Integer>
void create_keyval(auto* c_function, Procedure* copy, Procedure* destroy, int* keyval,
                   const Integer* extra_state, int* ierror) {
  const AttributeFunctions<Handle, Integer> functions(copy, destroy, *extra_state);
  finish(ierror, c_function(functions.copy(), functions.destroy(), keyval, functions.extra_state()));
}

void grequest_start(auto* c_function, Procedure* query, Procedure* free, Procedure* cancel,
                    const MPI_Aint* extra_state, int* request, int* ierror) {
  auto functions = std::make_unique<GrequestFunctions>(query, free, cancel, *extra_state);
  const int code = c_function(GrequestFunctions::query, GrequestFunctions::free, GrequestFunctions::cancel,
                              functions.get(), HandleOut<MPI_Request>(request));
  if (code == MPI_SUCCESS) functions.release();
  finish(ierror, code);
}

template <class Count>
void register_datarep(auto* c_function, const char* name, std::size_t length, const DatarepFunctions& given,
                      int* ierror) {
  auto functions = std::make_unique<DatarepFunctions>(given);
  const int code = c_function(Text(name, length, Trim::end), functions->reading<Count>(),
                              functions->writing<Count>(), DatarepFunctions::extent, functions.get());
  if (code == MPI_SUCCESS) functions.release();  // lasts as long as the process
  finish(ierror, code);
}

}  // namespace
}  // namespace foldlane::fortran

using namespace foldlane::fortran;

#define FOLDLANE_KEYVAL_CALL(lower, Name, Handle, Integer)                                                   \
  void lower##_(Procedure* copy, Procedure* destroy, int* keyval, const Integer* extra_state, int* ierror) { \
    create_keyval<Handle>(Name, copy, destroy, keyval, extra_state, ierror);                                 \
  }
#define FOLDLANE_GREQUEST_CALL(lower, Name)                                                                 \
  void lower##_(Procedure* query_fn, Procedure* free_fn, Procedure* cancel_fn, const MPI_Aint* extra_state, \
                int* request, int* ierror) {                                                                \
    grequest_start(Name, query_fn, free_fn, cancel_fn, extra_state, request, ierror);                       \
  }
#define FOLDLANE_DATAREP_CALL(lower, Name, Count)                                                \
  void lower##_(const char* datarep, Procedure* read, Procedure* write, Procedure* extent,       \
                const MPI_Aint* extra_state, int* ierror, std::size_t length) {                  \
    register_datarep<Count>(Name, datarep, length, {read, write, extent, *extra_state}, ierror); \
  }
#define FOLDLANE_CALLBACK_CALLS(p, P)                                                                \
  FOLDLANE_KEYVAL_CALL(p##mpi_comm_create_keyval, P##MPI_Comm_create_keyval, MPI_Comm, MPI_Aint)     \
  FOLDLANE_KEYVAL_CALL(p##mpi_type_create_keyval, P##MPI_Type_create_keyval, MPI_Datatype, MPI_Aint) \
  FOLDLANE_KEYVAL_CALL(p##mpi_win_create_keyval, P##MPI_Win_create_keyval, MPI_Win, MPI_Aint)        \
  FOLDLANE_KEYVAL_CALL(p##mpi_keyval_create, P##MPI_Keyval_create, MPI_Comm, int)                    \
  FOLDLANE_GREQUEST_CALL(p##mpi_grequest_start, P##MPI_Grequest_start)                               \
  FOLDLANE_DATAREP_CALL(p##mpi_register_datarep, P##MPI_Register_datarep, int)                       \
  FOLDLANE_DATAREP_CALL(p##mpi_register_datarep_c, P##MPI_Register_datarep_c, MPI_Count)

#define FOLDLANE_NAMES_OF_CALLBACK_CALLS(p, P)                         \
  FOLDLANE_NAMES(p##mpi_comm_create_keyval, P##MPI_COMM_CREATE_KEYVAL) \
  FOLDLANE_NAMES(p##mpi_type_create_keyval, P##MPI_TYPE_CREATE_KEYVAL) \
  FOLDLANE_NAMES(p##mpi_win_create_keyval, P##MPI_WIN_CREATE_KEYVAL)   \
  FOLDLANE_NAMES(p##mpi_keyval_create, P##MPI_KEYVAL_CREATE)           \
  FOLDLANE_NAMES(p##mpi_grequest_start, P##MPI_GREQUEST_START)         \
  FOLDLANE_NAMES(p##mpi_register_datarep, P##MPI_REGISTER_DATAREP)     \
  FOLDLANE_LARGE_NAME(p##mpi_register_datarep_c, P##MPI_REGISTER_DATAREP_C)

#pragma GCC visibility push(default)
extern "C" {
FOLDLANE_CALLBACK_CALLS(, )
FOLDLANE_CALLBACK_CALLS(p, P)
FOLDLANE_NAMES_OF_CALLBACK_CALLS(, )
FOLDLANE_NAMES_OF_CALLBACK_CALLS(p, P)
}
#pragma GCC visibility pop
