// A program in C and C++ that shares communicators, datatypes, operations, attributes and error handlers.
// Compiled with -DFOLDLANE_CXX_BINDINGS: mpi.h brings the C++ bindings.
#include "mixed.h"

#include <mpi.h>

#include "support/expect.h"

namespace {

int copies = 0;

int copy(const MPI::Comm& comm, int, void*, void* in, void* out, bool& flag) {
  expect(!comm.Is_inter());
  ++copies;
  *static_cast<void**>(out) = in;
  flag = true;
  return MPI::SUCCESS;
}
int forget(MPI::Comm&, int, void*, void*) { return MPI::SUCCESS; }

/// The first and the third of each four ints; C gives the op a type of C++ here.
void add_pairs(const void* in, void* inout, int len, const MPI::Datatype& type) {
  int integers = 0, addresses = 0, types = 0, combiner = 0;
  type.Get_envelope(integers, addresses, types, combiner);
  expect(combiner == MPI::COMBINER_VECTOR);
  for (int i = 0; i < 3 * len; i += 2) static_cast<int*>(inout)[i] += static_cast<const int*>(in)[i];
}

void c_uses_what_cxx_made() {
  static const int value = 42;
  MPI::Intracomm comm = MPI::COMM_WORLD.Dup();
  MPI::Datatype pair = MPI::INT.Create_vector(2, 1, 2);
  MPI::Op op;
  int keyval = MPI::Comm::Create_keyval(copy, forget, nullptr);
  pair.Commit();
  op.Init(add_pairs, true);
  comm.Set_attr(keyval, &value);
  c_uses(comm, pair, op, keyval);
  expect(copies == 1);
  MPI::Comm::Free_keyval(keyval);
  comm.Free();
  pair.Free();
  op.Free();
}

void cxx_uses_what_c_made() {
  MPI::Intracomm comm = c_communicator();
  MPI::Datatype pair = c_datatype();
  MPI::Op op = c_operation();
  int keyval = c_keyval(), numbers[2] = {1, 2}, *found = nullptr;
  expect(comm.Get_rank() == comm.Get_size() - 1 - MPI::COMM_WORLD.Get_rank() && pair.Get_size() == 8);
  comm.Allreduce(MPI::IN_PLACE, numbers, 2, MPI::INT, op);
  expect(numbers[0] == comm.Get_size() && numbers[1] == 2 * comm.Get_size());
  comm.Set_attr(keyval, &c_value);
  MPI::Intracomm copy = comm.Dup();
  expect(copy.Get_attr(keyval, &found) && found == &c_value);
  for (MPI::Intracomm* each : {&comm, &copy}) each->Free();
  MPI::Comm::Free_keyval(keyval);
  pair.Free();
  op.Free();
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI::COMM_SELF.Set_errhandler(MPI::ERRORS_THROW_EXCEPTIONS);
  c_uses_what_cxx_made();
  cxx_uses_what_c_made();
  MPI::Finalize();
  return 0;
}
