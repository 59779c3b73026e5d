// MPI_Topo_test, MPI_Comm_get_parent: local questions that programs ask of every communicator.
#include "api/core/calls.hpp"
#include "api/errors/args.hpp"
#include "api/objects/communicator.hpp"

namespace foldlane::api {
namespace {

struct Kind {
  int operator()(const Cartesian&) const { return MPI_CART; }
  int operator()(const Graph&) const { return MPI_GRAPH; }
  int operator()(const DistGraph&) const { return MPI_DIST_GRAPH; }
};

}  // namespace

int topo_test(Call call, MPI_Comm comm, int* status) {
  return run(call, comm, [&] {
    const Communicator& communicator = check_communicator(comm);
    *check_output(status, "status") =
        communicator.topology == nullptr ? MPI_UNDEFINED : std::visit(Kind(), communicator.topology->graph);
  });
}

int comm_get_parent(Call call, MPI_Comm* parent) {
  return run(call, [&] {
    check_active();
    *check_output(parent, "parent") = MPI_COMM_NULL;  // nobody was spawned
  });
}

}  // namespace foldlane::api
