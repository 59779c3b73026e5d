// MPI_Intercomm_create, MPI_Intercomm_create_from_groups, MPI_Intercomm_merge.
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

void check_leader(int leader, int size, const char* parameter) {
  if (leader >= 0 && leader < size) return;
  fail(MPI_ERR_RANK, fmt::format("{} is {}; the ranks are 0 to {}", parameter, leader, size - 1));
}

void check_intra(const Communicator& communicator, const char* parameter) {
  if (communicator.is_inter) fail(MPI_ERR_COMM, fmt::format("{} is an intercommunicator", parameter));
}

/// Both leaders compute the same key from what both know.
std::uint64_t key_of_leaders(const Communicator& peer, int one, int other, int tag) {
  return founding_key(peer, {std::min(one, other), std::max(one, other)}, tag);
}

MPI_Comm bridge(const Communicator& local, int leader, int remote_leader, std::uint64_t key) {
  auto bridged = world.job->founding().bridge(*local.team, leader, remote_leader, key);
  if (!bridged.ok()) fail(*local.team, bridged.error());
  return new_communicator(std::move(bridged.value().team), group_of(local),
                          make_group(std::move(bridged.value().remote), local.session), local);
}

int rank_in_world(const Communicator& communicator, int rank) {
  if (communicator.is_inter) return communicator.remote_group->ranks[static_cast<std::size_t>(rank)];
  return communicator.team->members()[static_cast<std::size_t>(rank)];
}

}  // namespace

int intercomm_create(Call call, MPI_Comm local_comm, int local_leader, MPI_Comm peer_comm, int remote_leader,
                     int tag, MPI_Comm* newintercomm) {
  return run(call, local_comm, [&] {
    const Communicator& local = check_communicator(local_comm);
    check_intra(local, "local_comm");
    check_leader(local_leader, local.size(), "local_leader");
    check_output(newintercomm, "newintercomm");
    const SoleCall sole(call, local_comm);
    if (local.rank() != local_leader) {  // the other arguments mean nothing here
      *newintercomm = bridge(local, local_leader, 0, 0);
      return;
    }
    if (tag < 0) fail(MPI_ERR_TAG, fmt::format("tag is {}; it must not be negative", tag));
    const Communicator& peer = check_communicator(peer_comm);
    check_leader(remote_leader, peer.is_inter ? peer.remote_group->size() : peer.size(), "remote_leader");
    const int remote = rank_in_world(peer, remote_leader);
    if (remote == world.job->rank())
      fail(MPI_ERR_RANK, "remote_leader is the calling process itself; the groups must be disjoint");
    *newintercomm = bridge(local, local_leader, remote, key_of_leaders(peer, world.job->rank(), remote, tag));
  });
}

int intercomm_create_from_groups(Call call, MPI_Group local_group, int local_leader, MPI_Group remote_group,
                                 int remote_leader, const char* stringtag, MPI_Info info,
                                 MPI_Errhandler errhandler, MPI_Comm* newintercomm) {
  return run(call, Unborn<MPI_Comm>{MPI_COMM_NULL, errhandler}, [&] {
    check_active();
    const GroupRef local = check_group(local_group);
    const GroupRef remote = check_group(remote_group);
    InfoMap hints = check_info(info);
    const ErrorHandlerPointer handler = check_error_handler_for<MPI_Comm>(errhandler);
    check_output(stringtag, "stringtag");
    check_output(newintercomm, "newintercomm");
    check_leader(local_leader, local->size(), "local_leader");
    check_leader(remote_leader, remote->size(), "remote_leader");
    if (local->rank == MPI_UNDEFINED) fail(MPI_ERR_GROUP, "the calling process is not in local_group");
    if (!intersected(local->ranks, remote->ranks).empty())
      fail(MPI_ERR_GROUP, "the groups have a member in common");
    std::vector<int> members =
        engine::both_sides(local->ranks, remote->ranks, local->ranks.front() < remote->ranks.front());
    const std::uint64_t key = founding_key(stringtag, members);
    require(world.job->await(members));
    auto founded = world.job->founding().found(std::move(members), key);
    if (!founded.ok()) fail(founded.error());
    *newintercomm = new_communicator(std::move(founded.value()), local, remote, predefined_communicators[1]);
    Communicator& made = *communicators.find(*newintercomm);
    made.of_session = true;
    made.session = local->session;
    set_hints(made, hints);
    made.errhandler.store(handler);
  });
}

int intercomm_merge(Call call, MPI_Comm intercomm, int high, MPI_Comm* newintracomm) {
  return run(call, intercomm, [&] {
    const Communicator& inter = check_communicator(intercomm);
    if (!inter.is_inter) fail(MPI_ERR_COMM, "the communicator is not an intercommunicator");
    check_output(newintracomm, "newintracomm");
    const SoleCall sole(call, intercomm);
    engine::Team& team = *inter.team;
    const std::uint8_t own = high != 0 ? 1 : 0;
    const std::vector<std::uint8_t> all = require(team, engine::exchange(team, engine::Call::merge, own));
    const engine::Sides sides = inter.sides();
    const bool remote_high = all[static_cast<std::size_t>(sides.remote.first)] != 0;
    const bool local_high = all[static_cast<std::size_t>(sides.local.first)] != 0;
    const bool local_first = local_high != remote_high ? remote_high : sides.local.first < sides.remote.first;
    std::vector<int> members = engine::both_sides(inter.group->ranks, inter.remote_group->ranks, local_first);
    auto founded = world.job->founding().found(team, members, engine::Call::merge);
    if (!founded.ok()) fail(team, founded.error());
    *newintracomm = new_communicator(std::move(founded.value()),
                                     make_group(std::move(members), inter.session), nullptr, inter);
  });
}

}  // namespace foldlane::api
