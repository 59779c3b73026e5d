// MPI_COMM_WORLD itself is broken: MPI_Finalize ends in time and says so, and the job does not pass for one
// that went well. Arguments: "barrier" (rank 0 makes another call before) or "finalize" (it is MPI_Finalize
// itself that the others do not call).
#include "mismatch_kinds.hpp"

using namespace foldlane::testing;

namespace {

int finalize(MPI_Comm&) { return MPI_Finalize(); }

}  // namespace

int main(int argc, char** argv) {
  start(&argc, &argv);
  const std::string which = argc > 1 ? argv[1] : "";
  begin_case("world: " + which);
  MPI_Comm world = MPI_COMM_WORLD;
  const bool odd = rank_in(world) == 0;
  const Side other = which == "finalize" ? Side{"MPI_Finalize()", finalize} : barrier_side();
  const int code = timed(world, odd ? other.call : small_allreduce);
  expect(class_of(code) == MPI_ERR_NOT_SAME, "the class is " + std::to_string(class_of(code)));
  expect_contains(message_of(code), other.text);
  const int end = timed(world, finalize);
  expect(class_of(end) == MPI_ERR_NOT_SAME, "MPI_Finalize of a broken world: " + message_of(end));
  expect_contains(message_of(end), other.text);
  return 0;
}
