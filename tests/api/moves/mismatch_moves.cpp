// Calls that move data and do not match: another size of blocks, another root, another call. Every rank
// learns of it, in that call or in its next one, and what is wrong is named. Argument: "nonblocking" or
// "threads".
#include "support/mismatch.hpp"

using namespace foldlane::testing;

namespace {

/// Taken once MPI is there: with --shared-heap they lie where the others can reach them.
std::vector<char> in, out;

std::string blocks_of(const char* name, int bytes, const std::string& root = "") {
  return std::string(name) + "(blocks of " + std::to_string(bytes) + " bytes" + root + ")";
}

int finish(int code, MPI_Request& request) {
  return code != MPI_SUCCESS || form_of_calls == Form::blocking ? code
                                                                : MPI_Wait(&request, MPI_STATUS_IGNORE);
}
bool is_blocking() { return form_of_calls == Form::blocking; }

Side alltoall_side(int n) {
  return {blocks_of("MPI_Alltoall", n), [=](MPI_Comm& comm) {
            MPI_Request request;
            const int code =
                is_blocking()
                    ? MPI_Alltoall(in.data(), n, MPI_CHAR, out.data(), n, MPI_CHAR, comm)
                    : MPI_Ialltoall(in.data(), n, MPI_CHAR, out.data(), n, MPI_CHAR, comm, &request);
            return finish(code, request);
          }};
}
Side allgather_side(int n) {
  return {blocks_of("MPI_Allgather", n), [=](MPI_Comm& comm) {
            MPI_Request request;
            const int code =
                is_blocking()
                    ? MPI_Allgather(in.data(), n, MPI_CHAR, out.data(), n, MPI_CHAR, comm)
                    : MPI_Iallgather(in.data(), n, MPI_CHAR, out.data(), n, MPI_CHAR, comm, &request);
            return finish(code, request);
          }};
}
Side gather_side(int n, int root) {
  return {blocks_of("MPI_Gather", n, ", root " + std::to_string(root)), [=](MPI_Comm& comm) {
            MPI_Request request;
            const int code =
                is_blocking()
                    ? MPI_Gather(in.data(), n, MPI_CHAR, out.data(), n, MPI_CHAR, root, comm)
                    : MPI_Igather(in.data(), n, MPI_CHAR, out.data(), n, MPI_CHAR, root, comm, &request);
            return finish(code, request);
          }};
}
Side scatter_side(int n, int root) {
  return {blocks_of("MPI_Scatter", n, ", root " + std::to_string(root)), [=](MPI_Comm& comm) {
            MPI_Request request;
            const int code =
                is_blocking()
                    ? MPI_Scatter(in.data(), n, MPI_CHAR, out.data(), n, MPI_CHAR, root, comm)
                    : MPI_Iscatter(in.data(), n, MPI_CHAR, out.data(), n, MPI_CHAR, root, comm, &request);
            return finish(code, request);
          }};
}

/// Calls whose blocks have counts of their own, here the same for all.
struct Counts {
  std::vector<int> counts, places;
  std::vector<MPI_Datatype> types;

  Counts(const MPI_Comm& comm, int n)
      : counts(static_cast<std::size_t>(size_of(comm)), n), types(counts.size(), MPI_CHAR) {
    for (int j = 0; j < size_of(comm); ++j) places.push_back(j * n);
  }
};
std::string rooted(const char* name, int root) {
  return std::string(name) + "(root " + std::to_string(root) + ")";
}
Side gatherv_side(int n, int root) {
  return {rooted("MPI_Gatherv", root), [=](MPI_Comm& comm) {
            const Counts all(comm, n);
            return MPI_Gatherv(in.data(), n, MPI_CHAR, out.data(), all.counts.data(), all.places.data(),
                               MPI_CHAR, root, comm);
          }};
}
Side scatterv_side(int n, int root) {
  return {rooted("MPI_Scatterv", root), [=](MPI_Comm& comm) {
            const Counts all(comm, n);
            return MPI_Scatterv(in.data(), all.counts.data(), all.places.data(), MPI_CHAR, out.data(), n,
                                MPI_CHAR, root, comm);
          }};
}
Side allgatherv_side(int n) {
  return {"MPI_Allgatherv()", [=](MPI_Comm& comm) {
            const Counts all(comm, n);
            return MPI_Allgatherv(in.data(), n, MPI_CHAR, out.data(), all.counts.data(), all.places.data(),
                                  MPI_CHAR, comm);
          }};
}
Side alltoallv_side(int n) {
  return {"MPI_Alltoallv()", [=](MPI_Comm& comm) {
            const Counts all(comm, n);
            return MPI_Alltoallv(in.data(), all.counts.data(), all.places.data(), MPI_CHAR, out.data(),
                                 all.counts.data(), all.places.data(), MPI_CHAR, comm);
          }};
}
Side alltoallw_side(int n) {
  return {"MPI_Alltoallw()", [=](MPI_Comm& comm) {
            const Counts all(comm, n);
            return MPI_Alltoallw(in.data(), all.counts.data(), all.places.data(), all.types.data(),
                                 out.data(), all.counts.data(), all.places.data(), all.types.data(), comm);
          }};
}
Side allreduce_side() { return {"MPI_Allreduce(count 1, MPI_INT, MPI_SUM)", small_allreduce}; }
Side meet_side() {
  return {"MPI_Barrier()", [](MPI_Comm& comm) { return MPI_Barrier(comm); }};
}

void expect_named(const std::string& name, const Side& most, const Side& odd) {
  for (int odd_rank = 0; odd_rank < size_of(MPI_COMM_WORLD); ++odd_rank) {
    begin_case(name + ", odd rank " + std::to_string(odd_rank));
    MPI_Comm comm = duplicate(MPI_COMM_WORLD);
    expect_mismatch({name, most, odd}, comm, odd_rank);
    free_in_time(comm);
  }
  expect_works(MPI_COMM_WORLD);
}

void expect_lists_named(int n, int last) {
  expect_named("gatherv roots", gatherv_side(n, 0), gatherv_side(n, last));
  expect_named("scatterv roots", scatterv_side(n, 0), scatterv_side(n, last));
  expect_named("gatherv and scatterv", gatherv_side(n, 0), scatterv_side(n, 0));
  expect_named("gather and gatherv", gather_side(n, 0), gatherv_side(n, 0));
  expect_named("allgatherv and alltoallv", allgatherv_side(n), alltoallv_side(n));
  expect_named("alltoallv and alltoallw", alltoallv_side(n), alltoallw_side(n));
  expect_named("alltoallw and allreduce", alltoallw_side(n), allreduce_side());
}

}  // namespace

int main(int argc, char** argv) {
  start(&argc, &argv);
  in.resize(16 << 20);
  out.resize(16 << 20);
  const int last = size_of(MPI_COMM_WORLD) - 1;
  for (const int n : {8, 300, 20'000, 300'000}) {
    expect_named("alltoall blocks", alltoall_side(n), alltoall_side(n + 8));
    expect_named("allgather blocks", allgather_side(n), allgather_side(n - 8));
    expect_named("gather blocks", gather_side(n, 0), gather_side(n + 8, 0));
    expect_named("scatter blocks", scatter_side(n, last), scatter_side(n - 1, last));
    expect_named("gather roots", gather_side(n, 0), gather_side(n, last));
    expect_named("scatter roots", scatter_side(n, 0), scatter_side(n, last));
    expect_named("gather and scatter", gather_side(n, 0), scatter_side(n, 0));
    expect_named("alltoall and allgather", alltoall_side(n), allgather_side(n));
    expect_named("alltoall and allreduce", alltoall_side(n), allreduce_side());
    expect_named("barrier and gather", meet_side(), gather_side(n, last));
  }
  if (is_blocking())
    for (const int n : {8, 300, 300'000}) expect_lists_named(n, last);
  MPI_Finalize();
  return 0;
}
