// What can be asked about a communicator, and its hints.
#include <fmt/format.h>

#include "api/core/calls.hpp"
#include "api/errors/args.hpp"
#include "api/group/group.hpp"
#include "api/group/group_sets.hpp"
#include "api/info/info.hpp"
#include "api/objects/communicator.hpp"

namespace foldlane::api {
namespace {

const Communicator& check_inter(MPI_Comm comm) {
  const Communicator& communicator = check_communicator(comm);
  if (!communicator.is_inter) fail(MPI_ERR_COMM, "the communicator is not an intercommunicator");
  return communicator;
}

int compare(const Group& left, const Group& right) {
  if (left.ranks == right.ranks) return MPI_CONGRUENT;
  return same_members(left.ranks, right.ranks) ? MPI_SIMILAR : MPI_UNEQUAL;
}

int compare(const Communicator& left, const Communicator& right) {
  if (left.is_inter != right.is_inter) return MPI_UNEQUAL;
  const int local = compare(*group_of(left), *group_of(right));
  if (!left.is_inter || local == MPI_UNEQUAL) return local;
  const int remote = compare(*left.remote_group, *right.remote_group);
  if (remote == MPI_UNEQUAL || remote == local) return remote;
  return MPI_SIMILAR;
}

}  // namespace

int comm_rank(Call call, MPI_Comm comm, int* rank) {
  return run(call, comm, [&] {
    const Communicator& communicator = check_communicator(comm);
    *check_output(rank, "rank") = communicator.rank();
  });
}

int comm_size(Call call, MPI_Comm comm, int* size) {
  return run(call, comm, [&] {
    const Communicator& communicator = check_communicator(comm);
    *check_output(size, "size") = communicator.size();
  });
}

int comm_test_inter(Call call, MPI_Comm comm, int* flag) {
  return run(call, comm, [&] {
    const Communicator& communicator = check_communicator(comm);
    *check_output(flag, "flag") = communicator.is_inter;
  });
}

int comm_remote_size(Call call, MPI_Comm comm, int* size) {
  return run(call, comm, [&] {
    const Communicator& communicator = check_inter(comm);
    *check_output(size, "size") = communicator.remote_group->size();
  });
}

int comm_remote_group(Call call, MPI_Comm comm, MPI_Group* group) {
  return run(call, comm, [&] {
    const Communicator& communicator = check_inter(comm);
    *check_output(group, "group") = new_group_handle(communicator.remote_group);
  });
}

int comm_compare(Call call, MPI_Comm comm1, MPI_Comm comm2, int* result) {
  return run(call, comm1, [&] {
    const Communicator& left = check_communicator(comm1);
    const Communicator& right = check_communicator(comm2);
    *check_output(result, "result") = &left == &right ? MPI_IDENT : compare(left, right);
  });
}

int comm_set_info(Call call, MPI_Comm comm, MPI_Info info) {
  return run(call, comm, [&] {
    Communicator& communicator = check_communicator(comm);
    set_hints(communicator, check_info(info));
  });
}

int comm_get_info(Call call, MPI_Comm comm, MPI_Info* info_used) {
  return run(call, comm, [&] {
    const Communicator& communicator = check_communicator(comm);
    check_output(info_used, "info_used");
    *info_used = new_info_handle(hints_of(communicator));
  });
}

}  // namespace foldlane::api
