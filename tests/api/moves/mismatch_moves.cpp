// Calls that move data and do not match: another size of blocks, another root, another call, and lengths of
// which only two ranks know. Every rank learns of it, in that call or in its next one, and what is wrong is
// named. Argument: "nonblocking" or "threads".
#include "support/mismatch.hpp"

using namespace foldlane::testing;

namespace {

/// Ranks are ints.
int& at(std::vector<int>& list, int i) { return list[static_cast<std::size_t>(i)]; }
std::vector<int> ones(int size) { return std::vector<int>(static_cast<std::size_t>(size), 1); }

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

/// Rank `from` sends so many bytes to `to`, which expects others; everybody else `usual` ones to everybody.
struct Lengths {
  int from, to, sent, expected;
  int usual = 1;
};

int alltoallv(MPI_Comm& comm, const Lengths& lengths) {
  const int size = size_of(comm), rank = rank_in(comm);
  std::vector<int> sent(static_cast<std::size_t>(size), lengths.usual), expected = sent, places = sent;
  for (int j = 0; j < size; ++j) at(places, j) = j * (2 << 20);
  if (rank == lengths.from) at(sent, lengths.to) = lengths.sent;
  if (rank == lengths.to) at(expected, lengths.from) = lengths.expected;
  MPI_Request request;
  if (is_blocking())
    return MPI_Alltoallv(in.data(), sent.data(), places.data(), MPI_CHAR, out.data(), expected.data(),
                         places.data(), MPI_CHAR, comm);
  const int code = MPI_Ialltoallv(in.data(), sent.data(), places.data(), MPI_CHAR, out.data(),
                                  expected.data(), places.data(), MPI_CHAR, comm, &request);
  return finish(code, request);
}
/// After some that are right: boxes are known then, and every line has told of long blocks both ways before.
int alltoallv_as_before(MPI_Comm& comm, const Lengths& lengths) {
  constexpr int kMoreThanLines = 40;
  for (int i = 0; i < kMoreThanLines; ++i) {
    const int code = alltoallv(comm, {lengths.from, lengths.to, 2'000, 2'000, i == 0 ? 2'000 : 200'000});
    if (code != MPI_SUCCESS) return code;
  }
  for (int i = 0; i < kMoreThanLines; ++i) {
    const int code = alltoallv(comm, {lengths.from, lengths.to, 200'000, 200'000, 200'000});
    if (code != MPI_SUCCESS) return code;
  }
  return alltoallv(comm, lengths);
}
int gatherv(MPI_Comm& comm, const Lengths& lengths) {
  const int size = size_of(comm), rank = rank_in(comm);
  std::vector<int> expected = ones(size), places = expected;
  for (int j = 0; j < size; ++j) at(places, j) = j * (2 << 20);
  at(expected, lengths.from) = lengths.expected;
  const int sent = rank == lengths.from ? lengths.sent : 1;
  return MPI_Gatherv(in.data(), sent, MPI_CHAR, out.data(), expected.data(), places.data(), MPI_CHAR,
                     lengths.to, comm);
}

/// After one that is right: then all know whether they can pull, and leaves call it from one block.
int scatterv(MPI_Comm& comm, const Lengths& lengths) {
  const int size = size_of(comm), rank = rank_in(comm);
  for (const auto& [sent, expected] : {std::pair{1, 1}, {lengths.sent, lengths.expected}}) {
    std::vector<int> counts = ones(size), places = counts;
    for (int j = 0; j < size; ++j) at(places, j) = j * (2 << 20);
    at(counts, lengths.to) = sent;
    const int code = MPI_Scatterv(in.data(), counts.data(), places.data(), MPI_CHAR, out.data(),
                                  rank == lengths.to ? expected : 1, MPI_CHAR, lengths.from, comm);
    if (code != MPI_SUCCESS) return code;
  }
  return MPI_SUCCESS;
}

void expect_lengths(const Lengths& lengths, int (*make)(MPI_Comm&, const Lengths&)) {
  const std::string said = "rank " + std::to_string(lengths.from) + " sent " + std::to_string(lengths.sent) +
                           " bytes, rank " + std::to_string(lengths.to) + " expects " +
                           std::to_string(lengths.expected);
  begin_case(said);
  MPI_Comm comm = duplicate(MPI_COMM_WORLD);
  int code = timed(comm, [&](MPI_Comm& on) { return make(on, lengths); });
  // What has been sent, but not awaited, is found in the next call of that kind.
  if (code == MPI_SUCCESS)
    code = timed(comm, [&](MPI_Comm& on) { return make(on, {lengths.from, lengths.to, 1, 1}); });
  if (code == MPI_SUCCESS) code = timed(comm, small_allreduce);
  expect(class_of(code) == MPI_ERR_TRUNCATE,
         "the class is " + std::to_string(class_of(code)) + ": " + message_of(code));
  expect_contains(message_of(code), said);
  free_in_time(comm);
  expect_works(MPI_COMM_WORLD);
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

/// Of this rank. Not by support/counters.hpp, whose macros have names of support/mismatch.hpp.
unsigned long direct_calls() {
  int provided = 0, index = -1, count = 0;
  unsigned long value = 0;
  MPI_T_pvar_session session = MPI_T_PVAR_SESSION_NULL;
  MPI_T_pvar_handle handle = MPI_T_PVAR_HANDLE_NULL;
  MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
  MPI_T_pvar_session_create(&session);
  MPI_T_pvar_get_index("foldlane_direct_calls", MPI_T_PVAR_CLASS_COUNTER, &index);
  MPI_T_pvar_handle_alloc(session, index, nullptr, &handle, &count);
  MPI_T_pvar_read(session, handle, &value);
  MPI_T_pvar_session_free(&session);
  MPI_T_finalize();
  return value;
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
  for (const auto& [sent, expected] : {std::pair{40, 32},
                                       {32, 40},
                                       {2'000, 1'000},
                                       {1'000, 2'000},
                                       {300'000, 32},
                                       {32, 300'000},
                                       {0, 40},
                                       {40, 0},
                                       {0, 300'000},
                                       {300'000, 0},
                                       {300'000, 200'000}}) {
    expect_lengths({0, last, sent, expected}, alltoallv);
    expect_lengths({last, 0, sent, expected}, alltoallv);
    if (is_blocking()) expect_lengths({last, 0, sent, expected}, gatherv);
    if (is_blocking()) expect_lengths({0, last, sent, expected}, scatterv);
  }
  for (const auto& [sent, expected] :
       {std::pair{300'000, 200'000}, {300'000, 0}, {0, 300'000}, {300'000, 1'000}, {1'000, 300'000}}) {
    for (const auto make : {alltoallv, alltoallv_as_before}) {
      expect_lengths({0, last, sent, expected, 200'000}, make);
      expect_lengths({last, 0, sent, expected, 200'000}, make);
    }
  }
  const bool in_heaps = std::getenv("FOLDLANE_SHARED_HEAP") != nullptr;
  expect((direct_calls() > 0) == in_heaps, "calls that match go straight between heaps, and no others");
  MPI_Finalize();
  return 0;
}
