#include "api/collective/rooted.hpp"

#include <fmt/format.h>

#include "api/core/failure.hpp"
#include "api/errors/args.hpp"
#include "api/group/group.hpp"

namespace foldlane::api {

engine::Part check_part(const Communicator& inter, int root) {
  if (root == MPI_ROOT) return {engine::Part::root, 0};
  if (root == MPI_PROC_NULL) return {engine::Part::bystander, 0};
  if (root >= 0 && root < inter.remote_group->size()) return {engine::Part::partner, root};
  fail(MPI_ERR_ROOT,
       fmt::format("root is {}; on an intercommunicator it is MPI_ROOT, MPI_PROC_NULL, or a rank of the "
                   "remote group, 0 to {}",
                   root, inter.remote_group->size() - 1));
}

RootedPart check_rooted_part(const Communicator& communicator, int root) {
  if (!communicator.is_inter) {
    check_root(root, communicator.team->size());
    return {communicator.team->rank() == root, true, root};
  }
  const engine::Part part = check_part(communicator, root);
  const bool has_block = part.role == engine::Part::partner;
  return {part.role == engine::Part::root, has_block,
          has_block ? communicator.sides().remote.first + part.root_position : 0};
}

}  // namespace foldlane::api
