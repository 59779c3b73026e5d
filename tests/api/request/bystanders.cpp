// Rooted calls between groups, as requests: the root, the other group, and those beside the root.
#include "support/checked.hpp"

using namespace foldlane::testing;

namespace {

/// Ranks 0 to n-2 on one side, the last one on the other.
MPI_Comm make_sides() {
  const int last = world_size() - 1;
  const bool is_last = my_rank() == last;
  MPI_Comm side, both;
  MPI_Comm_split(MPI_COMM_WORLD, is_last ? 1 : 0, 0, &side);
  MPI_Intercomm_create(side, 0, MPI_COMM_WORLD, is_last ? 0 : last, 0, &both);
  MPI_Comm_free(&side);
  return both;
}

int root_of_this_rank() {
  if (my_rank() == world_size() - 1) return 0;
  return my_rank() == 0 ? MPI_ROOT : MPI_PROC_NULL;
}

template <class Call>
void check_sum(const char* what, const Call& call) {
  begin_case(what);
  const int mine = 40 + my_rank();
  int sum = -1;
  call(&mine, &sum);
  check_that(sum == (my_rank() == 0 ? 40 + world_size() - 1 : -1), what);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm both = make_sides();
  const int root = root_of_this_rank();
  const bool bystander = root == MPI_PROC_NULL;
  const MPI_Datatype type = bystander ? MPI_DATATYPE_NULL : MPI_INT;
  const MPI_Op op = bystander ? MPI_OP_NULL : MPI_SUM;
  const int count = bystander ? -1 : 1;
  check_sum("MPI_Ireduce", [&](const int* in, int* out) {
    MPI_Request request;
    MPI_Ireduce(in, out, count, type, op, root, both, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  });
  check_sum("MPI_Reduce_init", [&](const int* in, int* out) {
    MPI_Request request;
    MPI_Reduce_init(in, out, count, type, op, root, both, MPI_INFO_NULL, &request);
    for (int i = 0; i < 3; ++i) {
      MPI_Start(&request);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Request_free(&request);
  });
  MPI_Comm_free(&both);
  MPI_Finalize();
  return 0;
}
