// MPI_COMM_WORLD itself is broken: MPI_Finalize ends in time and says so; the process is not finalized then,
// and the job does not pass for one that went well. Whoever is slower may see the end of the job first; but
// the first to end has seen the mismatch in both of its calls, and says so: the test demands one such rank.
// Arguments: "barrier" (rank 0 makes another call before) or "finalize" (it is MPI_Finalize itself that the
// others do not call).
#include "support/mismatch_kinds.hpp"

using namespace foldlane::testing;

namespace {

int finalize(MPI_Comm&) { return MPI_Finalize(); }

void expect_mismatch_or_end(int code, const std::string& text) {
  if (class_of(code) == MPI_ERR_PROC_ABORTED) _exit(0);
  expect(class_of(code) == MPI_ERR_NOT_SAME, "the class is " + std::to_string(class_of(code)));
  expect_contains(message_of(code), text);
}

}  // namespace

int main(int argc, char** argv) {
  start(&argc, &argv);
  const std::string which = argc > 1 ? argv[1] : "";
  begin_case("world: " + which);
  MPI_Comm world = MPI_COMM_WORLD;
  const bool odd = rank_in(world) == 0;
  const Side other = which == "finalize" ? Side{"MPI_Finalize()", finalize} : barrier_side();
  const int code = timed(world, odd ? other.call : small_allreduce);
  expect_mismatch_or_end(code, other.text);
  expect_mismatch_or_end(timed(world, finalize), other.text);
  std::puts("both calls end with MPI_ERR_NOT_SAME");
  return 0;
}
