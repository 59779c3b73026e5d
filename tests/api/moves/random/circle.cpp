#include "circle.hpp"

#include <numeric>

#include "support/which_calls.hpp"

namespace foldlane::moves {
namespace {

std::vector<int> world_ranks_of(MPI_Group group) {
  MPI_Group world;
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  int size = 0;
  MPI_Group_size(group, &size);
  std::vector<int> all(static_cast<std::size_t>(size)), found(all.size());
  std::iota(all.begin(), all.end(), 0);
  MPI_Group_translate_ranks(group, size, all.data(), world, found.data());
  MPI_Group_free(&world);
  MPI_Group_free(&group);
  return found;
}

std::vector<int> members_of(MPI_Comm comm) {
  MPI_Group group;
  MPI_Comm_group(comm, &group);
  return world_ranks_of(group);
}

std::vector<int> others_of(MPI_Comm comm) {
  MPI_Group group;
  MPI_Comm_remote_group(comm, &group);
  return world_ranks_of(group);
}

}  // namespace

Circle circle_of(const std::string& name, MPI_Comm comm) {
  Circle circle{name, comm, false, 0, 0, members_of(comm), {}};
  MPI_Comm_rank(comm, &circle.rank);
  circle.partners = circle.own;
  return circle;
}

Circles::Circles() {
  int rank = 0, size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm copy, reversed, half;
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &reversed);
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
  add("world", MPI_COMM_WORLD);
  add("duplicate", copy);
  add("reversed", reversed);
  add("half", half);
  add("self", MPI_COMM_SELF);
  if (size > 1 && testing::kScattersBetweenGroups) add_between();
}

/// Two groups of different sizes if they can be.
void Circles::add_between() {
  const Circle& world = all_.front();
  const int size = static_cast<int>(world.own.size()), first = size / 3 + 1,
            side = world.rank < first ? 0 : 1;
  MPI_Comm group, inter;
  MPI_Comm_split(MPI_COMM_WORLD, side, world.rank, &group);
  MPI_Intercomm_create(group, 0, MPI_COMM_WORLD, side == 0 ? first : 0, 0, &inter);
  MPI_Comm_free(&group);
  add("inter", inter, true, side);
}

void Circles::add(const std::string& name, MPI_Comm comm, bool is_inter, int side) {
  all_.push_back(circle_of(name, comm));
  if (!is_inter) return;
  Circle& circle = all_.back();
  circle.is_inter = true;
  circle.side = side;
  circle.partners = others_of(comm);
}

Circles::~Circles() {
  for (Circle& circle : all_)
    if (circle.comm != MPI_COMM_WORLD && circle.comm != MPI_COMM_SELF) MPI_Comm_free(&circle.comm);
}

}  // namespace foldlane::moves
