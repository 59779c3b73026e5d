// Ranks that disagree about the communicator they make.
#include "support/mismatch_kinds.hpp"

using namespace foldlane::testing;

namespace {

MPI_Group group_of_ranks(MPI_Comm comm, const std::vector<int>& ranks) {
  MPI_Group all = MPI_GROUP_NULL, made = MPI_GROUP_NULL;
  MPI_Comm_group(comm, &all);
  MPI_Group_incl(all, static_cast<int>(ranks.size()), ranks.data(), &made);
  MPI_Group_free(&all);
  return made;
}

/// Rank 0 passes one group, all others another one.
void test_groups(const std::string& name, const std::vector<int>& first, const std::vector<int>& others) {
  begin_case("groups: " + name);
  MPI_Comm comm = duplicate(MPI_COMM_WORLD);
  const MPI_Group group = group_of_ranks(comm, rank_in(comm) == 0 ? first : others);
  MPI_Comm made = MPI_COMM_NULL;
  int code = timed(comm, [&](MPI_Comm& on) { return MPI_Comm_create(on, group, &made); });
  if (code == MPI_SUCCESS) code = timed(comm, small_allreduce);
  expect(class_of(code) == MPI_ERR_NOT_SAME, "the class is " + std::to_string(class_of(code)));
  // Who does not take both for members knows that there is trouble, but not which.
  const bool knows = rank_in(comm) < 2 && (rank_in(comm) == 0 ? first : others).size() == 2;
  expect_contains(message_of(code), knows ? "MPI_Comm_create(members" : "do not match");
  expect_works(MPI_COMM_WORLD);
  free_in_time(comm);
}

void test_leaders() {
  begin_case("leaders of an intercommunicator");
  const int rank = rank_in(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  const bool last = rank == size - 1;
  MPI_Comm local = MPI_COMM_NULL, made = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, last ? 1 : 0, 0, &local);
  if (!last) {  // the other side never comes: it is no part of this
    const int code = timed(local, [&](MPI_Comm& on) {
      return MPI_Intercomm_create(on, rank == 0 ? 0 : 1, MPI_COMM_WORLD, size - 1, 3, &made);
    });
    expect(class_of(code) == MPI_ERR_NOT_SAME, "the class is " + std::to_string(class_of(code)));
    expect_contains(message_of(code), "local_leader 0");
    expect_contains(message_of(code), "local_leader 1");
  }
  expect_works(MPI_COMM_WORLD);
  free_in_time(local);
}

// ---- topologies

Side cart_side(int periodic) {
  return {"MPI_Cart_create(arguments with hash", [=](MPI_Comm& comm) {
            const int size = size_of(comm);
            MPI_Comm made = MPI_COMM_NULL;
            return MPI_Cart_create(comm, 1, &size, &periodic, 0, &made);
          }};
}

Side graph_side(int nodes) {
  return {"MPI_Graph_create(arguments with hash", [=](MPI_Comm& comm) {
            const int index[] = {0, 0};
            MPI_Comm made = MPI_COMM_NULL;
            return MPI_Graph_create(comm, nodes, index, nullptr, 0, &made);
          }};
}

Side dist_graph_side(const int* weights) {
  return {"MPI_Dist_graph_create(arguments with hash", [=](MPI_Comm& comm) {
            MPI_Comm made = MPI_COMM_NULL;
            return MPI_Dist_graph_create(comm, 0, nullptr, nullptr, nullptr, weights, MPI_INFO_NULL, 0,
                                         &made);
          }};
}

Side adjacent_side(int reorder) {
  return {"MPI_Dist_graph_create_adjacent(arguments with hash", [=](MPI_Comm& comm) {
            MPI_Comm made = MPI_COMM_NULL;
            return MPI_Dist_graph_create_adjacent(comm, 0, nullptr, MPI_UNWEIGHTED, 0, nullptr,
                                                  MPI_UNWEIGHTED, MPI_INFO_NULL, reorder, &made);
          }};
}

/// A communicator with a topology, on which slices differ.
Side slice_side(int remain) {
  return {"MPI_Cart_sub(arguments with hash", [=](MPI_Comm& comm) {
            MPI_Comm made = MPI_COMM_NULL;
            return MPI_Cart_sub(comm, &remain, &made);
          }};
}

MPI_Comm ring() {
  const int size = size_of(MPI_COMM_WORLD), periodic = 1;
  MPI_Comm made = MPI_COMM_NULL;
  MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &periodic, 0, &made);
  return made;
}

void test_topologies() {
  const Mismatch mismatches[] = {
      {"other grids", cart_side(0), cart_side(1)},
      {"other graphs", graph_side(1), graph_side(2)},
      {"weights", dist_graph_side(MPI_UNWEIGHTED), dist_graph_side(MPI_WEIGHTS_EMPTY)},
      {"reorder", adjacent_side(0), adjacent_side(1)},
      {"other slices", slice_side(0), slice_side(1)},
      {"no topology", cart_side(1), dup_side()}};
  for (const Mismatch& mismatch : mismatches) {
    begin_case("topologies: " + mismatch.name);
    MPI_Comm comm = ring();
    expect_mismatch(mismatch, comm, size_of(comm) - 1);
    expect_works(MPI_COMM_WORLD);
    free_in_time(comm);
  }
}

}  // namespace

int main(int argc, char** argv) {
  start(&argc, &argv);
  test_groups("another order", {0, 1}, {1, 0});
  test_groups("nobody", {0, 1}, {});
  test_groups("nobody for rank 0", {}, {0, 1});
  test_groups("all but one", {0}, {0, 1});
  if (size_of(MPI_COMM_WORLD) > 2) test_leaders();
  test_topologies();
  begin_case("MPI_Finalize");
  expect(MPI_Finalize() == MPI_SUCCESS, "MPI_Finalize failed");
  return 0;
}
