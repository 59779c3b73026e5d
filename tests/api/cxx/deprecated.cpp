// Not to be linked: with -DFOLDLANE_CXX_DEPRECATED a compiler warns here, and says which call of C to use
// instead.
#include <mpi_cxx.hpp>

int size() { return MPI::COMM_WORLD.Get_size(); }
