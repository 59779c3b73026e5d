// Groups: their handles, and what can be asked about them.
#include "api/group/group.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "api/core/calls.hpp"
#include "api/core/handle_table.hpp"
#include "api/errors/args.hpp"
#include "api/group/group_sets.hpp"
#include "api/objects/communicator.hpp"

namespace foldlane::api {
namespace {

HandleTable<MPI_Group, GroupRef> groups("group", [](MPI_Group, const GroupRef& group) {
  return std::optional(fmt::format("of {} ranks", group->size()));
});

const GroupRef& empty_group() {
  static const GroupRef empty = std::make_shared<Group>(Group{{}, MPI_UNDEFINED, MPI_SESSION_NULL});
  return empty;
}

int compare_groups(const Group& left, const Group& right) {
  if (left.ranks == right.ranks) return MPI_IDENT;
  return same_members(left.ranks, right.ranks) ? MPI_SIMILAR : MPI_UNEQUAL;
}

void check_rank(int rank, int size) {
  if (rank == MPI_PROC_NULL || (rank >= 0 && rank < size)) return;
  if (size == 0) fail(MPI_ERR_RANK, fmt::format("rank {} does not exist; group1 is empty", rank));
  fail(MPI_ERR_RANK, fmt::format("rank {} does not exist; group1 has the ranks 0 to {}", rank, size - 1));
}

}  // namespace

GroupRef make_group(std::vector<int> ranks, MPI_Session session) {
  const auto self = std::find(ranks.begin(), ranks.end(), world.job->rank());
  const int rank = self == ranks.end() ? MPI_UNDEFINED : static_cast<int>(self - ranks.begin());
  return std::make_shared<Group>(Group{std::move(ranks), rank, session});
}

GroupRef group_of(const Communicator& communicator) {
  if (communicator.group != nullptr) return communicator.group;
  return make_group(communicator.team->members(), communicator.session);
}

GroupRef check_group(MPI_Group group) {
  if (const GroupRef* found = groups.find(group)) return *found;
  if (group == MPI_GROUP_EMPTY) return empty_group();
  if (group == MPI_GROUP_NULL) fail(MPI_ERR_GROUP, "the group is MPI_GROUP_NULL");
  fail(MPI_ERR_GROUP, fmt::format("the group {} does not exist; it may have been freed", fmt::ptr(group)));
}

MPI_Group new_group_handle(GroupRef group) {
  if (group->ranks.empty()) return MPI_GROUP_EMPTY;
  MPI_Group handle = groups.insert(std::move(group));
  if (handle == nullptr) fail(MPI_ERR_NO_MEM, "too many groups exist; free some with MPI_Group_free");
  return handle;
}

std::uint64_t live_groups() { return groups.live(); }

int comm_group(Call call, MPI_Comm comm, MPI_Group* group) {
  return run(call, comm, [&] {
    const Communicator& communicator = check_communicator(comm);
    check_output(group, "group");
    *group = new_group_handle(group_of(communicator));
  });
}

int group_size(Call call, MPI_Group group, int* size) {
  return run(call, [&] {
    check_active();
    *check_output(size, "size") = check_group(group)->size();
  });
}

int group_rank(Call call, MPI_Group group, int* rank) {
  return run(call, [&] {
    check_active();
    *check_output(rank, "rank") = check_group(group)->rank;
  });
}

int group_translate_ranks(Call call, MPI_Group group1, int n, const int* ranks1, MPI_Group group2,
                          int* ranks2) {
  return run(call, [&] {
    check_active();
    const GroupRef from = check_group(group1);
    const GroupRef to = check_group(group2);
    if (n < 0) fail(MPI_ERR_ARG, fmt::format("n is {}; it must not be negative", n));
    if (n == 0) return;
    check_output(ranks1, "ranks1");
    check_output(ranks2, "ranks2");
    std::for_each_n(ranks1, n, [&](int rank) { check_rank(rank, from->size()); });
    const Positions positions(to->ranks);
    std::transform(ranks1, ranks1 + n, ranks2, [&](int rank) {
      if (rank == MPI_PROC_NULL) return MPI_PROC_NULL;
      return positions.of(from->ranks[static_cast<std::size_t>(rank)]).value_or(MPI_UNDEFINED);
    });
  });
}

int group_compare(Call call, MPI_Group group1, MPI_Group group2, int* result) {
  return run(call, [&] {
    check_active();
    *check_output(result, "result") = compare_groups(*check_group(group1), *check_group(group2));
  });
}

int group_free(Call call, MPI_Group* group) {
  return run(call, [&] {
    check_active();
    check_group(*check_output(group, "group"));
    // Calls that make a group may return MPI_GROUP_EMPTY, and the caller frees what he got.
    if (*group != MPI_GROUP_EMPTY) groups.erase(*group);
    *group = MPI_GROUP_NULL;
  });
}

}  // namespace foldlane::api
