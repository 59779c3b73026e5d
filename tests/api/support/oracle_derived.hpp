// What the programs with derived datatypes share: making types and operations, and what a function of the
// user must be called with.
#pragma once

#include <string>
#include <vector>

#include "support/oracle_comm.hpp"

namespace foldlane::testing {

inline MPI_Datatype given_type = MPI_DATATYPE_NULL;  // what the functions below must be called with

inline void check_call(MPI_Count length, MPI_Datatype datatype) {
  if (length < 1) give_up("the user's function was called for " + std::to_string(length) + " elements");
  if (datatype != given_type) give_up("the user's function was called with another datatype handle");
}

inline MPI_Datatype committed(MPI_Datatype type) {
  MPI_Type_commit(&type);
  return type;
}

inline MPI_Datatype contiguous(int count, MPI_Datatype of) {
  MPI_Datatype type;
  MPI_Type_contiguous(count, of, &type);
  return committed(type);
}

inline MPI_Datatype resized(MPI_Datatype of, MPI_Aint lower_bound, MPI_Aint extent) {
  MPI_Datatype type;
  MPI_Type_create_resized(of, lower_bound, extent, &type);
  MPI_Type_free(&of);
  return committed(type);
}

inline MPI_Datatype structure(std::vector<int> lengths, std::vector<MPI_Aint> displacements,
                              std::vector<MPI_Datatype> types) {
  MPI_Datatype type;
  MPI_Type_create_struct(static_cast<int>(lengths.size()), lengths.data(), displacements.data(), types.data(),
                         &type);
  return committed(type);
}

inline constexpr std::size_t kCounts[] = {0, 1, 2, 3, 5, 17, 64, 300, 1025, 4097, 20'011};

/// All reductions of the interface; the subject's handles are freed.
template <class T>
void check(Subject<T> subject,
           const std::vector<std::size_t>& counts = {std::begin(kCounts), std::end(kCounts)}) {
  given_type = subject.datatype;
  for (const std::size_t count : counts) CommWalk<T>(subject, MPI_COMM_WORLD, count).run();
  MPI_Type_free(&subject.datatype);
  MPI_Op_free(&subject.op);
}

inline MPI_Op narrow(MPI_User_function* function) {
  MPI_Op op;
  MPI_Op_create(function, 0, &op);
  return op;
}

inline MPI_Op wide(MPI_User_function_c* function) {
  MPI_Op op;
  MPI_Op_create_c(function, 0, &op);
  return op;
}

/// Elements whose memory is a T: the function assigns whole objects, as programs do.
template <class T, T (*kCombine)(const T&, const T&)>
void fold_objects(void* in, void* inout, int* length, MPI_Datatype* datatype) {
  check_call(*length, *datatype);
  for (int i = 0; i < *length; ++i) {
    T& right = static_cast<T*>(inout)[i];
    right = kCombine(static_cast<const T*>(in)[i], right);
  }
}

template <class T, T (*kCombine)(const T&, const T&)>
void fold_objects_wide(void* in, void* inout, MPI_Count* length, MPI_Datatype* datatype) {
  int count = static_cast<int>(*length);
  fold_objects<T, kCombine>(in, inout, &count, datatype);
}

}  // namespace foldlane::testing
