// A user operation that throws on one rank: its caller gets the exception, the peers an error that names it.
#include <stdexcept>

#include "support/mismatch.hpp"

using namespace foldlane::testing;

namespace {

int thrower;

void sum_or_throw(void* in, void* inout, int* count, MPI_Datatype*) {
  if (rank_in(MPI_COMM_WORLD) == thrower) throw std::runtime_error("from the operation");
  for (int i = 0; i < *count; ++i) static_cast<int*>(inout)[i] += static_cast<int*>(in)[i];
}

/// What the call ended with, or 0 after the exception.
int call_or_catch(MPI_Comm& comm, MPI_Op op, int count) {
  std::vector<int> in(static_cast<std::size_t>(count), 1), out(in.size());
  try {
    return timed(comm,
                 [&](MPI_Comm& on) { return MPI_Allreduce(in.data(), out.data(), count, MPI_INT, op, on); });
  } catch (const std::runtime_error& error) {
    expect(rank_in(comm) == thrower, "an exception on another rank");
    expect(std::string(error.what()) == "from the operation", "another exception");
    return MPI_SUCCESS;
  }
}

void test(int count, MPI_Op op) {
  begin_case("rank " + std::to_string(thrower) + " throws in an allreduce of " + std::to_string(count));
  MPI_Comm comm = duplicate(MPI_COMM_WORLD);
  int code = call_or_catch(comm, op, count);
  if (code == MPI_SUCCESS) code = timed(comm, small_allreduce);
  expect(class_of(code) == MPI_ERR_OTHER, "the class is " + std::to_string(class_of(code)));
  expect_contains(message_of(code), "rank " + std::to_string(thrower) + " gave up");
  expect_works(MPI_COMM_WORLD);
  free_in_time(comm);
}

}  // namespace

int main(int argc, char** argv) {
  start(&argc, &argv);
  MPI_Op op = MPI_OP_NULL;
  MPI_Op_create(sum_or_throw, 1, &op);
  for (const int rank : {0, size_of(MPI_COMM_WORLD) - 1}) {
    thrower = rank;
    for (const int count : {1, 100, 40'000, 500'000}) test(count, op);
  }
  MPI_Op_free(&op);
  begin_case("MPI_Finalize");
  expect(MPI_Finalize() == MPI_SUCCESS, "MPI_Finalize failed");
  return 0;
}
