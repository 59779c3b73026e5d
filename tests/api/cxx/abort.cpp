// Comm::Abort of the C++ bindings ends the job.
#include <mpi_cxx.hpp>

int main() {
  MPI::Init();
  if (MPI::COMM_WORLD.Get_rank() == 0) MPI::COMM_WORLD.Abort(3);
  MPI::COMM_WORLD.Barrier();
  MPI::Finalize();
  return 0;
}
