// Neighbourhood collectives that do not match: another call, another graph than the neighbour's, lengths of
// which only two ranks know. Every rank learns of it, in that call or in its next one, and what is wrong is
// named. Argument: "nonblocking" or "threads".
#include "support/mismatch.hpp"

using namespace foldlane::testing;

namespace {

std::vector<char> in(2 << 20), out(2 << 20);

int finish(int code, MPI_Request& request) {
  return code != MPI_SUCCESS ? code : MPI_Wait(&request, MPI_STATUS_IGNORE);
}
bool is_blocking() { return form_of_calls == Form::blocking; }

constexpr Calls kAlltoallv{MPI_Neighbor_alltoallv, MPI_Ineighbor_alltoallv, MPI_Neighbor_alltoallv_init};

/// Everybody has one before and one behind.
MPI_Comm make_ring() {
  const int size = size_of(MPI_COMM_WORLD), periodic = 1;
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &periodic, 0, &comm);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  return comm;
}

Side alltoall_side(int n) {
  return {"MPI_Neighbor_alltoall()", [=](MPI_Comm& comm) {
            MPI_Request request;
            if (is_blocking())
              return MPI_Neighbor_alltoall(in.data(), n, MPI_CHAR, out.data(), n, MPI_CHAR, comm);
            return finish(
                MPI_Ineighbor_alltoall(in.data(), n, MPI_CHAR, out.data(), n, MPI_CHAR, comm, &request),
                request);
          }};
}
Side allgather_side(int n) {
  return {"MPI_Neighbor_allgather()", [=](MPI_Comm& comm) {
            MPI_Request request;
            if (is_blocking())
              return MPI_Neighbor_allgather(in.data(), n, MPI_CHAR, out.data(), n, MPI_CHAR, comm);
            return finish(
                MPI_Ineighbor_allgather(in.data(), n, MPI_CHAR, out.data(), n, MPI_CHAR, comm, &request),
                request);
          }};
}
Side world_side(int n) {
  return {"MPI_Alltoall(blocks of " + std::to_string(n) + " bytes)", [=](MPI_Comm& comm) {
            return MPI_Alltoall(in.data(), n, MPI_CHAR, out.data(), n, MPI_CHAR, comm);
          }};
}
Side allreduce_side() { return {"MPI_Allreduce(count 1, MPI_INT, MPI_SUM)", small_allreduce}; }
Side meet_side() {
  return {"MPI_Barrier()", [](MPI_Comm& comm) { return MPI_Barrier(comm); }};
}

void expect_named(const std::string& name, const Side& most, const Side& odd) {
  for (int odd_rank = 0; odd_rank < size_of(MPI_COMM_WORLD); ++odd_rank) {
    begin_case(name + ", odd rank " + std::to_string(odd_rank));
    MPI_Comm comm = make_ring();
    expect_mismatch({name, most, odd}, comm, odd_rank);
    free_in_time(comm);
  }
  expect_works(MPI_COMM_WORLD);
}

/// What nobody awaits is found by a later call of that kind, once it has come.
void expect_lengths(MPI_Comm comm, const std::string& said, const std::function<int(MPI_Comm&)>& make) {
  begin_case(said);
  int code = timed(comm, make);
  using Next = std::function<int(MPI_Comm&)>;
  for (const Next& next : {Next(small_allreduce), alltoall_side(1).call, Next(small_allreduce)})
    if (code == MPI_SUCCESS) code = timed(comm, next);
  expect(class_of(code) == MPI_ERR_TRUNCATE,
         "the class is " + std::to_string(class_of(code)) + ": " + message_of(code));
  expect_contains(message_of(code), said);
  free_in_time(comm);
  expect_works(MPI_COMM_WORLD);
}

/// The last rank's blocks are of another length than all others'.
void expect_other_lengths(int usual, int odd) {
  const int last = size_of(MPI_COMM_WORLD) - 1;
  const int own = rank_in(MPI_COMM_WORLD) == last ? odd : usual;
  const std::string said = " sent " + std::to_string(usual) + " bytes, rank " + std::to_string(last) +
                           " expects " + std::to_string(odd);
  const std::string other = "rank " + std::to_string(last) + " sent " + std::to_string(odd) + " bytes, rank ";
  begin_case(said);
  MPI_Comm comm = make_ring();
  int code = timed(comm, alltoall_side(own).call);
  // Each of two takes what is wrong.
  expect(code != MPI_SUCCESS || size_of(comm) > 2, "it was not found in that call");
  if (code == MPI_SUCCESS) code = timed(comm, small_allreduce);
  const std::string message = message_of(code);
  expect(class_of(code) == MPI_ERR_TRUNCATE,
         "the class is " + std::to_string(class_of(code)) + ": " + message);
  expect(message.find(said) != std::string::npos || message.find(other) != std::string::npos, message);
  free_in_time(comm);
}

/// Rank 0 sends to the last rank, which knows nothing of it, or the other way round.
void expect_one_sided(bool sends, int bytes, const Side& side) {
  const int size = size_of(MPI_COMM_WORLD), rank = rank_in(MPI_COMM_WORLD), last = size - 1;
  const int own = rank == (sends ? 0 : last) ? 1 : 0, peer = sends ? last : 0;
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, sends ? 0 : own, &peer, MPI_UNWEIGHTED, sends ? own : 0,
                                 &peer, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &comm);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  expect_lengths(comm,
                 "rank 0 sent " + std::to_string(sends ? bytes : 0) + " bytes, rank " + std::to_string(last) +
                     " expects " + std::to_string(sends ? 0 : bytes),
                 side.call);
}

/// One block of so many bytes, if there is one.
Side alltoallv_side(int bytes) {
  return {"MPI_Neighbor_alltoallv()", [=](MPI_Comm& comm) {
            const int place = 0;
            return perform_idle(kAlltoallv, in.data(), &bytes, &place, MPI_CHAR, out.data(), &bytes, &place,
                                MPI_CHAR, comm);
          }};
}

/// In a ring rank 0 sends so many bytes forwards, and rank 1 expects others. Of all others each has one.
int alltoallv(MPI_Comm& comm, int sent, int expected) {
  const int rank = rank_in(comm);
  const int sends[] = {1, rank == 0 ? sent : 1}, receives[] = {rank == 1 ? expected : 1, 1};
  const int places[] = {0, 1 << 20};
  return perform_idle(kAlltoallv, in.data(), sends, places, MPI_CHAR, out.data(), receives, places, MPI_CHAR,
                      comm);
}
void expect_listed_lengths(int sent, int expected) {
  expect_lengths(make_ring(),
                 "rank 0 sent " + std::to_string(sent) + " bytes, rank 1 expects " + std::to_string(expected),
                 [=](MPI_Comm& comm) { return alltoallv(comm, sent, expected); });
}

void expect_no_intercommunicator() {
  begin_case("intercommunicator");
  MPI_Comm half = MPI_COMM_NULL, inter = MPI_COMM_NULL;
  const int side = rank_in(MPI_COMM_WORLD) == 0 ? 0 : 1;
  MPI_Comm_split(MPI_COMM_WORLD, side, 0, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - side, 0, &inter);
  MPI_Comm_set_errhandler(inter, MPI_ERRORS_RETURN);
  const int code = alltoall_side(1).call(inter);
  expect(class_of(code) == MPI_ERR_COMM, message_of(code));
  expect_contains(message_of(code), "is an intercommunicator");
  MPI_Comm_free(&inter);
  MPI_Comm_free(&half);
}

}  // namespace

int main(int argc, char** argv) {
  start(&argc, &argv);
  expect_no_intercommunicator();
  for (const int n : {0, 8, 300, 20'000, 300'000}) {
    expect_named("alltoall and allgather", alltoall_side(n), allgather_side(n));
    expect_named("neighbours and everybody", alltoall_side(n), world_side(n));
    expect_named("allgather and allreduce", allgather_side(n), allreduce_side());
    expect_named("barrier and alltoall", meet_side(), alltoall_side(n));
  }
  for (const auto& [usual, odd] :
       {std::pair{40, 32}, {32, 40}, {300'000, 32}, {32, 300'000}, {0, 40}, {40, 0}})
    expect_other_lengths(usual, odd);
  for (const auto& [sent, expected] : {std::pair{40, 32}, {1'000, 2'000}, {300'000, 0}, {300'000, 200'000}})
    expect_listed_lengths(sent, expected);
  for (const int bytes : {8, 40, 20'000, 300'000})
    for (const Side& side : {alltoall_side(bytes), allgather_side(bytes), alltoallv_side(bytes)})
      for (const bool sends : {true, false}) expect_one_sided(sends, bytes, side);
  MPI_Finalize();
  return 0;
}
