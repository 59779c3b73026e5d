// The names of the C++ bindings that classes need before they are complete. Included by mpi_cxx.hpp.
#pragma once

#include <mpi.h>

namespace MPI {

typedef MPI_Aint Aint;
typedef MPI_Offset Offset;

class Comm;
class Comm_Null;
class Intracomm;
class Intercomm;
class Cartcomm;
class Graphcomm;
class Distgraphcomm;
class Datatype;
class Errhandler;
class File;
class Group;
class Info;
class Op;
class Request;
class Prequest;
class Status;
class Win;

typedef void User_function(const void* invec, void* inoutvec, int len, const Datatype& datatype);
typedef void Datarep_conversion_function(void* userbuf, Datatype& datatype, int count, void* filebuf,
                                         Offset position, void* extra_state);
typedef void Datarep_extent_function(const Datatype& datatype, Aint& file_extent, void* extra_state);

namespace detail {

/// A callback with the signature of C++ or that of C, as the predefined ones have.
template <class Function, class C_function>
struct Callback {
  Callback(Function* function) : cxx(function), c(nullptr) {}
  Callback(C_function* function) : cxx(nullptr), c(function) {}
  Function* cxx;
  C_function* c;
};

/// The types of callbacks for attributes of Class.
template <class Class, class C_copy, class C_delete>
struct Attributes {
  typedef int Copy_function(const Class& old, int keyval, void* extra_state, void* attribute_val_in,
                            void* attribute_val_out, bool& flag);
  typedef int Delete_function(Class& object, int keyval, void* attribute_val, void* extra_state);
  typedef Callback<Copy_function, C_copy> Copy;
  typedef Callback<Delete_function, C_delete> Delete;
};

}  // namespace detail

typedef detail::Callback<Datarep_conversion_function, MPI_Datarep_conversion_function> Datarep_conversion;

}  // namespace MPI
