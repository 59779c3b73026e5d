// MPI_Comm_split, MPI_Comm_split_type.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "api/comm/hardware.hpp"
#include "api/comm/new_communicator.hpp"
#include "api/comm/sole_call.hpp"
#include "api/core/calls.hpp"
#include "api/errors/args.hpp"
#include "api/group/group.hpp"
#include "api/info/info.hpp"
#include "api/op/mismatch.hpp"

namespace foldlane::api {
namespace {

struct Choice {
  std::int64_t color;
  int key;
};

/// The members of one side that chose `color`, as ranks of MPI_COMM_WORLD, by key and then by rank.
std::vector<int> chosen(const engine::Team& team, const std::vector<Choice>& all, const engine::Members& side,
                        std::int64_t color) {
  std::vector<int> positions;
  for (int member = side.first; member < side.first + side.count; ++member) {
    if (all[static_cast<std::size_t>(member)].color == color) positions.push_back(member);
  }
  std::stable_sort(positions.begin(), positions.end(), [&](int a, int b) {
    return all[static_cast<std::size_t>(a)].key < all[static_cast<std::size_t>(b)].key;
  });
  for (int& position : positions) position = team.members()[static_cast<std::size_t>(position)];
  return positions;
}

MPI_Comm split(MPI_Comm comm, std::int64_t color, int key) {
  const Communicator& from = check_communicator(comm);
  engine::Team& team = *from.team;
  const Choice own{color, key};
  const std::vector<Choice> all = require(team, engine::exchange(team, engine::Call::split, own));
  const engine::Sides sides =
      from.is_inter ? from.sides() : engine::Sides{{0, team.size()}, {team.size(), 0}};
  std::vector<int> local = chosen(team, all, sides.local, color);
  std::vector<int> remote = chosen(team, all, sides.remote, color);
  const bool outside = color == MPI_UNDEFINED || (from.is_inter && remote.empty());
  std::vector<int> members;
  if (!outside) members = engine::both_sides(local, remote, sides.local.first < sides.remote.first);
  auto founded = world.job->founding().found(team, std::move(members), engine::Call::split);
  if (!founded.ok()) fail(team, founded.error());
  if (outside) return MPI_COMM_NULL;
  return new_communicator(std::move(founded.value()), make_group(std::move(local), from.session),
                          from.is_inter ? make_group(std::move(remote), from.session) : nullptr, from);
}

}  // namespace

int comm_split(Call call, MPI_Comm comm, int color, int key, MPI_Comm* newcomm) {
  return run(call, comm, [&] {
    check_communicator(comm);
    if (color < 0 && color != MPI_UNDEFINED)
      fail(MPI_ERR_ARG, fmt::format("color is {}; it must be MPI_UNDEFINED or not negative", color));
    check_output(newcomm, "newcomm");
    const SoleCall sole(call, comm);
    *newcomm = split(comm, color, key);
  });
}

int comm_split_type(Call call, MPI_Comm comm, int split_type, int key, MPI_Info info, MPI_Comm* newcomm) {
  return run(call, comm, [&] {
    engine::Team& team = *check_communicator(comm).team;
    check_output(newcomm, "newcomm");
    const SoleCall sole(call, comm);
    const HardwareChoice choice = choose_hardware(team, split_type, check_info(info));
    *newcomm = split(comm, choice.color, key);
    if (*newcomm == MPI_COMM_NULL || choice.type.empty()) return;
    communicators.find(*newcomm)->info.set(kHardwareKey, choice.type);
    if (split_type == MPI_COMM_TYPE_HW_UNGUIDED) answer_in(info, kHardwareKey, choice.type);
  });
}

}  // namespace foldlane::api
