// Constants of the C++ bindings are there before any code of the program runs, and after MPI has ended.
#include <unistd.h>  // as programs do that use MPI::SEEK_SET and lseek

#include <mpi_cxx.hpp>

#include "support/expect.h"

namespace {

/// The first thing that runs in this program.
struct First {
  First()
      : world(MPI::COMM_WORLD == MPI_COMM_WORLD),
        others(MPI::INT == MPI_INT && MPI::SUM == MPI_SUM && MPI::COMM_NULL == MPI_COMM_NULL &&
               MPI::FILE_NULL == MPI_FILE_NULL && MPI::ERRORS_RETURN == MPI_ERRORS_RETURN &&
               MPI::GROUP_EMPTY == MPI_GROUP_EMPTY && MPI::REQUEST_NULL == MPI_REQUEST_NULL) {}
  bool world, others;
};
__attribute__((init_priority(101))) First first;

// Copies in static initialisers, and classes of the program that are made from constants.
MPI::Intracomm self = MPI::COMM_SELF;
MPI::Intercomm none = MPI::COMM_NULL;
const MPI::Datatype types[] = {MPI::INT, MPI::DOUBLE, MPI::BOOL};
struct Solver : MPI::Intracomm {
  explicit Solver(const MPI::Intracomm& comm) : Intracomm(comm) {}
} solver(MPI::COMM_WORLD);
constexpr MPI::Op at_compile_time = MPI::SUM;

}  // namespace

int main() {
  expect(first.world && first.others);
  expect(MPI::Init_thread(MPI::THREAD_SINGLE) >= MPI::THREAD_SINGLE);
  expect(self.Get_size() == 1 && none == MPI::COMM_NULL && types[2].Get_size() == 1);
  expect(solver.Get_size() == MPI::COMM_WORLD.Get_size() && at_compile_time.Is_commutative());
  expect(MPI::SEEK_END == MPI_SEEK_END && lseek(-1, 0, SEEK_SET) == -1 && SEEK_SET == 0 && SEEK_END == 2);
  expect(MPI::ERR_RANK == MPI_ERR_RANK && MPI::TAG_UB == MPI_TAG_UB && MPI::IN_PLACE == MPI_IN_PLACE);
  MPI::Finalize();
  expect(MPI::Is_finalized() && MPI::COMM_WORLD == MPI_COMM_WORLD);
  return 0;
}
