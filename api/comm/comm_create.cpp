// MPI_Comm_create, MPI_Comm_create_group, MPI_Comm_create_from_group.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "api/comm/founding_key.hpp"
#include "api/comm/new_communicator.hpp"
#include "api/comm/sole_call.hpp"
#include "api/core/calls.hpp"
#include "api/errors/args.hpp"
#include "api/group/group.hpp"
#include "api/group/group_sets.hpp"
#include "api/info/info.hpp"
#include "api/op/mismatch.hpp"

namespace foldlane::api {
namespace {

constexpr int kOutside = -1;

void check_subgroup(const Group& group, const Group& of) {
  if (without(group.ranks, of.ranks).empty()) return;
  fail(MPI_ERR_GROUP, "the group has a member that is not in the communicator's group");
}

/// Who is in the new group of one side: every member shows its position in the group that it passed.
std::vector<int> members_of_side(const engine::Team& team, const std::vector<int>& positions,
                                 const engine::Members& side) {
  std::vector<std::pair<int, int>> found;
  for (int member = side.first; member < side.first + side.count; ++member) {
    const int position = positions[static_cast<std::size_t>(member)];
    if (position != kOutside) found.emplace_back(position, team.members()[static_cast<std::size_t>(member)]);
  }
  std::sort(found.begin(), found.end());
  std::vector<int> ranks;
  ranks.reserve(found.size());
  for (const auto& [position, rank] : found) ranks.push_back(rank);
  return ranks;
}

MPI_Comm create_inter(const Communicator& from, const GroupRef& group) {
  engine::Team& team = *from.team;
  const int own = group->rank == MPI_UNDEFINED ? kOutside : group->rank;
  const std::vector<int> positions = require(team, engine::exchange(team, engine::Call::select, own));
  const engine::Sides sides = from.sides();
  std::vector<int> remote = members_of_side(team, positions, sides.remote);
  const bool outside = own == kOutside || remote.empty();
  std::vector<int> members;
  if (!outside) members = engine::both_sides(group->ranks, remote, sides.local.first < sides.remote.first);
  auto founded = world.job->founding().found(team, std::move(members), engine::Call::select);
  if (!founded.ok()) fail(team, founded.error());
  if (outside) return MPI_COMM_NULL;
  return new_communicator(std::move(founded.value()), group, make_group(std::move(remote), from.session),
                          from);
}

MPI_Comm create_intra(const Communicator& from, const GroupRef& group) {
  engine::Team& team = *from.team;
  const bool outside = group->rank == MPI_UNDEFINED;
  auto founded =
      world.job->founding().found(team, outside ? std::vector<int>() : group->ranks, engine::Call::select);
  if (!founded.ok()) fail(team, founded.error());
  return outside ? MPI_COMM_NULL : new_communicator(std::move(founded.value()), group, nullptr, from);
}

MPI_Comm create_alone(const GroupRef& group, std::uint64_t key, const Communicator& parent) {
  require(world.job->await(group->ranks));
  auto founded = world.job->founding().found(group->ranks, key);
  if (!founded.ok()) fail(founded.error());
  return new_communicator(std::move(founded.value()), group, nullptr, parent);
}

}  // namespace

int comm_create(Call call, MPI_Comm comm, MPI_Group group, MPI_Comm* newcomm) {
  return run(call, comm, [&] {
    const Communicator& from = check_communicator(comm);
    const GroupRef members = check_group(group);
    check_subgroup(*members, *group_of(from));
    check_output(newcomm, "newcomm");
    const SoleCall sole(call, comm);
    *newcomm = from.is_inter ? create_inter(from, members) : create_intra(from, members);
  });
}

int comm_create_group(Call call, MPI_Comm comm, MPI_Group group, int tag, MPI_Comm* newcomm) {
  return run(call, comm, [&] {
    const Communicator& from = check_communicator(comm);
    const GroupRef members = check_group(group);
    if (from.is_inter) fail(MPI_ERR_COMM, "the communicator is an intercommunicator");
    if (tag < 0) fail(MPI_ERR_TAG, fmt::format("tag is {}; it must not be negative", tag));
    check_subgroup(*members, *group_of(from));
    check_output(newcomm, "newcomm");
    *newcomm = MPI_COMM_NULL;
    if (members->rank == MPI_UNDEFINED) return;
    *newcomm = create_alone(members, founding_key(from, members->ranks, tag), from);
  });
}

int comm_create_from_group(Call call, MPI_Group group, const char* stringtag, MPI_Info info,
                           MPI_Errhandler errhandler, MPI_Comm* newcomm) {
  return run(call, Unborn<MPI_Comm>{MPI_COMM_NULL, errhandler}, [&] {
    check_active();
    const GroupRef members = check_group(group);
    InfoMap hints = check_info(info);
    const ErrorHandlerPointer handler = check_error_handler_for<MPI_Comm>(errhandler);
    check_output(stringtag, "stringtag");
    check_output(newcomm, "newcomm");
    *newcomm = MPI_COMM_NULL;
    if (members->ranks.empty()) return;
    if (members->rank == MPI_UNDEFINED) fail(MPI_ERR_GROUP, "the calling process is not in the group");
    *newcomm = create_alone(members, founding_key(stringtag, members->ranks), predefined_communicators[1]);
    Communicator& made = *communicators.find(*newcomm);
    made.of_session = true;
    made.session = members->session;
    set_hints(made, hints);
    made.errhandler.store(handler);
  });
}

}  // namespace foldlane::api
