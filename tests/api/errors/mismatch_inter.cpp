// Mismatched calls on intercommunicators, where rooted calls name their root in three ways.
#include <algorithm>

#include "support/mismatch_kinds.hpp"

using namespace foldlane::testing;

namespace {

/// Even and odd ranks of the world.
struct Bridge {
  MPI_Comm local = MPI_COMM_NULL;
  MPI_Comm inter = MPI_COMM_NULL;
  bool even = rank_in(MPI_COMM_WORLD) % 2 == 0;

  Bridge() {
    MPI_Comm_split(MPI_COMM_WORLD, even ? 0 : 1, 0, &local);
    const int code = MPI_Intercomm_create(local, 0, MPI_COMM_WORLD, even ? 1 : 0, 7, &inter);
    expect(code == MPI_SUCCESS, "MPI_Intercomm_create: " + message_of(code));
  }
  ~Bridge() {
    free_in_time(inter);
    free_in_time(local);
  }
};

int reduce_to(MPI_Comm comm, int root, int count) {
  std::vector<int> in(static_cast<std::size_t>(count)), out(in.size());
  return MPI_Reduce(in.data(), out.data(), count, MPI_INT, MPI_SUM, root, comm);
}

int bcast_from(MPI_Comm comm, int root, int count) {
  std::vector<int> data(static_cast<std::size_t>(count));
  return MPI_Bcast(data.data(), count, MPI_INT, root, comm);
}

using Rooted = int (*)(MPI_Comm comm, int root, int count);

/// Every rank ends with the error, or with it in its next call.
void expect_not_same(MPI_Comm comm, int code, const std::string& part) {
  if (code == MPI_SUCCESS) code = timed(comm, small_allreduce);
  expect(class_of(code) == MPI_ERR_NOT_SAME, "the class is " + std::to_string(class_of(code)));
  expect_contains(message_of(code), part);
}

/// `root_of` says what a rank passes as root.
template <class RootOf>
void test_roots(const std::string& name, const std::string& part, const RootOf& root_of) {
  for (const Rooted call : {Rooted(reduce_to), Rooted(bcast_from)}) {
    for (const int count : {4, 500'000}) {
      begin_case(name + " of " + std::to_string(count));
      Bridge bridge;
      const int root = root_of(bridge.even, rank_in(bridge.local));
      const int code = timed(bridge.inter, [&](MPI_Comm& on) { return call(on, root, count); });
      expect_not_same(bridge.inter, code, part);
      expect_works(MPI_COMM_WORLD);
    }
  }
}

void test_wrong_roots() {
  test_roots("two roots", "root", [](bool even, int) { return even ? MPI_ROOT : 0; });  // needs 2 even ranks
  test_roots("each side has a root", "root",
             [](bool, int rank) { return rank == 0 ? MPI_ROOT : MPI_PROC_NULL; });
  test_roots("each side expects the other", "root", [](bool, int) { return 0; });
  test_roots("the named root is another one", "root",
             [](bool even, int rank) { return even ? (rank == 1 ? MPI_ROOT : MPI_PROC_NULL) : 0; });
  test_roots("nobody is the named root", "root", [](bool even, int) { return even ? MPI_PROC_NULL : 0; });
}

void test_counts(Rooted call) {
  for (const int other : {5, 500'000}) {
    begin_case("counts of rooted calls, " + std::to_string(other));
    Bridge bridge;
    const int bystander = rank_in(bridge.local) == 0 ? MPI_ROOT : MPI_PROC_NULL;
    const int code = timed(bridge.inter, [&](MPI_Comm& on) {
      return bridge.even ? call(on, bystander, 4) : call(on, 0, other);
    });
    expect_not_same(bridge.inter, code, std::to_string(call == bcast_from ? 4 * other : other));
  }
}

void test_kinds() {
  for (const Mismatch& mismatch : some_mismatches()) {
    begin_case("on an intercommunicator: " + mismatch.name);
    Bridge bridge;
    const int code = timed(bridge.inter, bridge.even ? mismatch.odd.call : mismatch.most.call);
    expect_not_same(bridge.inter, code, mismatch.odd.text);
    expect_works(MPI_COMM_WORLD);
  }
}

void test_recvcounts() {
  begin_case("recvcounts of other sums");
  Bridge bridge;
  const int size = size_of(bridge.local), remote = size_of(MPI_COMM_WORLD) - size;
  std::vector<int> counts(static_cast<std::size_t>(size), 10 * remote);
  if (bridge.even) ++counts[0];
  std::vector<int> in(100), out(100);
  const int code = timed(bridge.inter, [&](MPI_Comm& on) {
    return MPI_Reduce_scatter(in.data(), out.data(), counts.data(), MPI_INT, MPI_SUM, on);
  });
  expect_not_same(bridge.inter, code, "MPI_Reduce_scatter");
}

/// The first even rank sends so many bytes to the first odd one, which expects others.
int alltoallv(const Bridge& bridge, int sent, int expected) {
  const auto remote = static_cast<std::size_t>(size_of(MPI_COMM_WORLD) - size_of(bridge.local));
  std::vector<int> sends(remote, 1), receives(remote, 1), places(remote);
  for (std::size_t i = 0; i < remote; ++i) places[i] = static_cast<int>(i) * std::max(sent, expected);
  std::vector<char> in(remote * static_cast<std::size_t>(std::max(sent, expected))), out(in.size());
  if (rank_in(bridge.local) == 0) (bridge.even ? sends[0] : receives[0]) = bridge.even ? sent : expected;
  return MPI_Alltoallv(in.data(), sends.data(), places.data(), MPI_CHAR, out.data(), receives.data(),
                       places.data(), MPI_CHAR, bridge.inter);
}

/// The even ranks are the first members. Who needs nothing of those two goes on until nobody shows anything.
void test_lengths() {
  const int evens = (size_of(MPI_COMM_WORLD) + 1) / 2;
  for (const auto& [sent, expected] : {std::pair{40, 32}, {1'000, 300'000}}) {
    const std::string said = "rank 0 sent " + std::to_string(sent) + " bytes, rank " + std::to_string(evens) +
                             " expects " + std::to_string(expected);
    begin_case("on an intercommunicator: " + said);
    Bridge bridge;
    int code =
        timed(bridge.inter, [&, s = sent, e = expected](MPI_Comm&) { return alltoallv(bridge, s, e); });
    for (int next = 0; next < 2 && code == MPI_SUCCESS; ++next) code = timed(bridge.inter, small_allreduce);
    expect(class_of(code) == MPI_ERR_TRUNCATE, "the class is " + std::to_string(class_of(code)));
    expect_contains(message_of(code), said);
    expect_works(MPI_COMM_WORLD);
  }
}

}  // namespace

int main(int argc, char** argv) {
  start(&argc, &argv);
  test_kinds();
  test_recvcounts();
  test_lengths();
  test_counts(reduce_to);
  test_counts(bcast_from);
  if (size_of(MPI_COMM_WORLD) > 2) test_wrong_roots();
  begin_case("MPI_Finalize");
  expect(MPI_Finalize() == MPI_SUCCESS, "MPI_Finalize failed");
  return 0;
}
