#include "matching/mpi/completion.hpp"

#include <numeric>

namespace foldlane::matching {

bool complete_once(Which which, bool waits, Requests& r) {
  int flag = 1, index = 0;
  const int size = static_cast<int>(r.handles.size());
  MPI_Request* const handles = r.handles.data();
  MPI_Status* const statuses = r.statuses.data();
  std::iota(r.indices.begin(), r.indices.end(), 0);
  r.count = size;
  switch (which) {
    case Which::one:
      waits ? MPI_Wait(handles, statuses) : MPI_Test(handles, &flag, statuses);
      break;
    case Which::all:
      waits ? MPI_Waitall(size, handles, statuses) : MPI_Testall(size, handles, &flag, statuses);
      break;
    case Which::any:
      waits ? MPI_Waitany(size, handles, &index, statuses)
            : MPI_Testany(size, handles, &index, &flag, statuses);
      r.indices[0] = index;
      r.count = index == MPI_UNDEFINED ? 0 : 1;
      break;
    case Which::some:
      waits ? MPI_Waitsome(size, handles, &r.count, r.indices.data(), statuses)
            : MPI_Testsome(size, handles, &r.count, r.indices.data(), statuses);
      flag = r.count != 0;
      if (r.count == MPI_UNDEFINED) r.count = 0;
      break;
  }
  if (flag == 0) r.count = 0;
  return flag != 0;
}

}  // namespace foldlane::matching
