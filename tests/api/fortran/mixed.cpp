// The C++ part of mixed.f90: classes made of what Fortran and C have made, and an operation and an attribute
// for them.
#include <cstdint>
#include <mpi_cxx.hpp>

namespace {

void larger(const void* in, void* inout, int length, const MPI::Datatype&) {
  for (int i = 0; i < length; ++i) {
    const int candidate = static_cast<const int*>(in)[i];
    int& best = static_cast<int*>(inout)[i];
    if (candidate > best) best = candidate;
  }
}

int copies = 0;

int count_copy(const MPI::Comm&, int, void* extra, void* in, void* out, bool& flag) {
  copies += *static_cast<int*>(extra);
  *static_cast<void**>(out) = in;
  flag = true;
  return MPI::SUCCESS;
}

int step = 1;

}  // namespace

extern "C" {

int cxx_operation() {
  MPI::Op op;
  op.Init(larger, true);
  return MPI_Op_toint(op);
}

/// A key whose copies C++ counts, for attributes that Fortran sets.
int cxx_key() { return MPI::Comm::Create_keyval(count_copy, MPI_COMM_NULL_DELETE_FN, &step); }
int cxx_copies() { return copies; }

/// Whether an attribute that Fortran has set is there in C++, also in a copy.
int cxx_finds(int comm, int key, std::int64_t value) {
  MPI::Intracomm original = MPI_Comm_f2c(comm), copy = original.Dup();
  MPI_Aint *found = nullptr, *copied = nullptr;
  const bool ok =
      original.Get_attr(key, &found) && *found == value && copy.Get_attr(key, &copied) && copied == found;
  copy.Free();
  return ok;
}

/// The sum of pairs by an operation and a datatype of Fortran or C, in place.
void cxx_reduces(int comm, int op, int datatype, int* pair) {
  const MPI::Intracomm all = MPI_Comm_f2c(comm);
  all.Allreduce(MPI::IN_PLACE, pair, 1, MPI_Type_f2c(datatype), MPI_Op_f2c(op));
}

/// Whether an error of a communicator of Fortran's comes as an exception, and its handler back to Fortran.
int cxx_catches(int comm) {
  MPI::Intracomm mine = MPI_Comm_f2c(comm);
  mine.Set_errhandler(MPI::ERRORS_THROW_EXCEPTIONS);
  bool caught = false;
  try {
    mine.Bcast(nullptr, -1, MPI::INTEGER, 0);
  } catch (const MPI::Exception& error) {
    caught = error.Get_error_class() == MPI::ERR_COUNT;
  }
  mine.Set_errhandler(MPI::ERRORS_RETURN);
  return caught;
}
}
