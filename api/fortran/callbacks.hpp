// Functions of Fortran programs that C calls.
//
// Operations and error handlers need nothing: Fortran takes handles and lengths by reference, as C passes
// them there, and on a little-endian machine the INTEGER of a handle is the first half of the pointer. The
// others take by reference what C passes by value, and return their code in an argument; a record with the
// program's functions stands for their extra state.
#pragma once

#include <mpi.h>

#include <bit>

#include "api/fortran/kinds.hpp"

namespace foldlane::fortran {

static_assert(std::endian::native == std::endian::little, "the INTEGER of a handle must come first");

/// The copy and delete functions of an attribute key, with values of type `Integer`: MPI_Aint, or int for
/// MPI_Keyval_create.
template <class Handle, class Integer>
class AttributeFunctions {
 public:
  using Copy = int(Handle, int, void*, void*, void*, int*);
  using Delete = int(Handle, int, void*, void*);

  AttributeFunctions(Procedure* fortran_copy, Procedure* fortran_delete, Integer extra_state);

  /// For C: a function of the ABI if it is one of those, else one that calls the program's.
  Copy* copy() const noexcept { return copy_; }
  Delete* destroy() const noexcept { return destroy_; }
  void* extra_state() const noexcept { return record_; }

 private:
  Copy* copy_;
  Delete* destroy_;
  void* record_;
};

/// The functions of a generalized request. It owns itself from begun() on, until MPI frees the request.
class GrequestFunctions {
 public:
  GrequestFunctions(Procedure* query_fn, Procedure* free_fn, Procedure* cancel_fn, MPI_Aint extra_state)
      : query_(query_fn), free_(free_fn), cancel_(cancel_fn), extra_state_(extra_state) {}

  static int query(void* self, MPI_Status* status);
  static int free(void* self);
  static int cancel(void* self, int complete);

 private:
  Procedure* query_;
  Procedure* free_;
  Procedure* cancel_;
  MPI_Aint extra_state_;
};

/// The functions of a data representation, which lasts as long as the process.
class DatarepFunctions {
 public:
  DatarepFunctions(Procedure* read_fn, Procedure* write_fn, Procedure* extent_fn, MPI_Aint extra_state)
      : read_(read_fn), write_(write_fn), extent_(extent_fn), extra_state_(extra_state) {}

  template <class Count>
  using Conversion = int(void*, MPI_Datatype, Count, void*, MPI_Offset, void*);

  /// Null if the data needs no conversion.
  template <class Count>
  Conversion<Count>* reading() const noexcept;
  template <class Count>
  Conversion<Count>* writing() const noexcept;
  static int extent(MPI_Datatype datatype, MPI_Aint* bytes, void* self);

 private:
  template <class Count, Procedure* DatarepFunctions::*kFunction>
  static int convert(void* user, MPI_Datatype datatype, Count count, void* file, MPI_Offset position,
                     void* self);

  Procedure* read_;
  Procedure* write_;
  Procedure* extent_;
  MPI_Aint extra_state_;
};

}  // namespace foldlane::fortran
