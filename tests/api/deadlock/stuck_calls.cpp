// Further programs whose ranks can only be released by each other, one per call that may be the one to wait
// in: in most of them rank 0 waits for a message of rank 1, which has called something that needs rank 0. The
// launcher's test (tests/tools/wrong_programs_test.cpp) reads what is said about them. The argument is the
// kind.
#include <mpi.h>

#include <array>
#include <cstdio>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace {

int rank;
std::array<int, 8> in, out;
std::vector<char> large(1 << 20);
std::vector<char> incoming(1 << 20);
const std::array<int, 2> ones{1, 1}, places{0, 1}, byte_places{0, sizeof(int)};
const std::array<MPI_Datatype, 2> ints{MPI_INT, MPI_INT};
const MPI_Comm world = MPI_COMM_WORLD;
constexpr int kTag = 5;

int other() { return 1 - rank; }
void receive(int source, MPI_Comm comm = world) {
  MPI_Recv(in.data(), 2, MPI_INT, source, kTag, comm, MPI_STATUS_IGNORE);
}
void send(int dest, MPI_Comm comm = world) { MPI_Send(out.data(), 2, MPI_INT, dest, kTag, comm); }
void wait_for(MPI_Request request) { MPI_Wait(&request, MPI_STATUS_IGNORE); }
void start(MPI_Request request) {
  MPI_Start(&request);
  wait_for(request);
}

using Calls = std::function<void()>;

/// Rank 0 wants a message first.
Calls against_receive(const Calls& calls) {
  return [calls] { rank == 0 ? receive(1) : calls(); };
}
/// The same, where `calls` leaves a request to be waited for.
Calls with_request(const std::function<void(MPI_Request*)>& begin) {
  return [begin] {
    MPI_Request request;
    begin(&request);
    wait_for(request);
  };
}
/// The same, where it is a persistent one.
Calls with_persistent(const std::function<void(MPI_Request*)>& init) {
  return [init] {
    MPI_Request request;
    init(&request);
    start(request);
  };
}

MPI_Comm side() {
  MPI_Comm comm;
  MPI_Comm_split(world, rank, 0, &comm);
  return comm;
}
MPI_Comm inter() {
  MPI_Comm comm;
  MPI_Intercomm_create(side(), 0, world, other(), 1, &comm);
  MPI_Comm_set_name(comm, "inter");
  return comm;
}
MPI_Comm ring() {
  const int ranks = 2, periodic = 1;
  MPI_Comm comm;
  MPI_Cart_create(world, 1, &ranks, &periodic, 0, &comm);
  MPI_Comm_set_name(comm, "ring");
  return comm;
}
MPI_Comm copy(const char* name) {
  MPI_Comm comm;
  MPI_Comm_dup(world, &comm);
  MPI_Comm_set_name(comm, name);
  return comm;
}
MPI_Group everybody() {
  MPI_Group group;
  MPI_Comm_group(world, &group);
  return group;
}
MPI_Comm made;

const std::map<std::string, Calls> collectives{
    {"Bcast", [] { MPI_Bcast(in.data(), 1, MPI_INT, 0, world); }},
    {"Reduce", [] { MPI_Reduce(out.data(), in.data(), 1, MPI_INT, MPI_SUM, 1, world); }},
    {"Reduce_scatter",
     [] { MPI_Reduce_scatter(out.data(), in.data(), ones.data(), MPI_INT, MPI_SUM, world); }},
    {"Reduce_scatter_block",
     [] { MPI_Reduce_scatter_block(out.data(), in.data(), 1, MPI_INT, MPI_SUM, world); }},
    {"Scan", [] { MPI_Scan(out.data(), in.data(), 1, MPI_INT, MPI_SUM, world); }},
    {"Exscan", [] { MPI_Exscan(out.data(), in.data(), 1, MPI_INT, MPI_SUM, world); }},
    {"Iallreduce", with_request([](MPI_Request* request) {
       MPI_Iallreduce(out.data(), in.data(), 1, MPI_INT, MPI_SUM, world, request);
     })},
    {"Ibcast",
     with_request([](MPI_Request* request) { MPI_Ibcast(in.data(), 1, MPI_INT, 0, world, request); })},
    {"Allreduce_init", with_persistent([](MPI_Request* request) {
       MPI_Allreduce_init(out.data(), in.data(), 1, MPI_INT, MPI_SUM, world, MPI_INFO_NULL, request);
     })},
    {"Barrier_init",
     with_persistent([](MPI_Request* request) { MPI_Barrier_init(world, MPI_INFO_NULL, request); })},
    {"Gather", [] { MPI_Gather(out.data(), 1, MPI_INT, in.data(), 1, MPI_INT, 1, world); }},
    {"Gatherv",
     [] { MPI_Gatherv(out.data(), 1, MPI_INT, in.data(), ones.data(), places.data(), MPI_INT, 1, world); }},
    {"Scatter", [] { MPI_Scatter(out.data(), 1, MPI_INT, in.data(), 1, MPI_INT, 0, world); }},
    {"Scatterv",
     [] { MPI_Scatterv(out.data(), ones.data(), places.data(), MPI_INT, in.data(), 1, MPI_INT, 0, world); }},
    {"Allgather", [] { MPI_Allgather(out.data(), 1, MPI_INT, in.data(), 1, MPI_INT, world); }},
    {"Allgatherv",
     [] { MPI_Allgatherv(out.data(), 1, MPI_INT, in.data(), ones.data(), places.data(), MPI_INT, world); }},
    {"Alltoall", [] { MPI_Alltoall(out.data(), 1, MPI_INT, in.data(), 1, MPI_INT, world); }},
    {"Alltoallv",
     [] {
       MPI_Alltoallv(out.data(), ones.data(), places.data(), MPI_INT, in.data(), ones.data(), places.data(),
                     MPI_INT, world);
     }},
    {"Alltoallw",
     [] {
       MPI_Alltoallw(out.data(), ones.data(), byte_places.data(), ints.data(), in.data(), ones.data(),
                     byte_places.data(), ints.data(), world);
     }},
    {"Alltoall-long",
     [] { MPI_Alltoall(large.data(), 1 << 19, MPI_CHAR, incoming.data(), 1 << 19, MPI_CHAR, world); }},
    {"Ialltoallv", with_request([](MPI_Request* request) {
       MPI_Ialltoallv(out.data(), ones.data(), places.data(), MPI_INT, in.data(), ones.data(), places.data(),
                      MPI_INT, world, request);
     })},
    {"Allgather_init", with_persistent([](MPI_Request* request) {
       MPI_Allgather_init(out.data(), 1, MPI_INT, in.data(), 1, MPI_INT, world, MPI_INFO_NULL, request);
     })},
    {"Comm_split", [] { MPI_Comm_split(world, 0, 0, &made); }},
    {"Comm_split_type", [] { MPI_Comm_split_type(world, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &made); }},
    {"Comm_create", [] { MPI_Comm_create(world, everybody(), &made); }},
    {"Comm_create_group", [] { MPI_Comm_create_group(world, everybody(), 1, &made); }},
    {"Comm_idup", with_request([](MPI_Request* request) { MPI_Comm_idup(world, &made, request); })},
};

const std::map<std::string, Calls> messages{
    {"Sendrecv_replace",
     [] { MPI_Sendrecv_replace(in.data(), 1, MPI_INT, other(), 1, other(), 2, world, MPI_STATUS_IGNORE); }},
    {"Isendrecv", with_request([](MPI_Request* request) {
       MPI_Isendrecv(out.data(), 1, MPI_INT, other(), 1, in.data(), 1, MPI_INT, other(), 2, world, request);
     })},
    {"Issend", with_request([](MPI_Request* request) {
       MPI_Issend(out.data(), 1, MPI_INT, other(), kTag, world, request);
     })},
    {"Isend", with_request([](MPI_Request* request) {
       MPI_Isend(large.data(), 1 << 20, MPI_CHAR, other(), kTag, world, request);
     })},
    {"Ssend_init", with_persistent([](MPI_Request* request) {
       MPI_Ssend_init(out.data(), 1, MPI_INT, other(), kTag, world, request);
     })},
    {"Send_init", with_persistent([](MPI_Request* request) {
       MPI_Send_init(large.data(), 1 << 20, MPI_CHAR, other(), kTag, world, request);
     })},
    {"Psend_init", with_persistent([](MPI_Request* request) {
       MPI_Psend_init(out.data(), 1, 1, MPI_INT, other(), kTag, world, MPI_INFO_NULL, request);
     })},
    {"Precv_init", with_persistent([](MPI_Request* request) {
       MPI_Precv_init(in.data(), 1, 1, MPI_INT, other(), kTag, world, MPI_INFO_NULL, request);
     })},
    {"Startall",
     [] {
       std::array<MPI_Request, 2> requests;
       MPI_Recv_init(in.data(), 1, MPI_INT, other(), 1, world, &requests[0]);
       MPI_Ssend_init(out.data(), 1, MPI_INT, other(), 2, world, &requests[1]);
       MPI_Startall(2, requests.data());
       MPI_Waitall(2, requests.data(), MPI_STATUSES_IGNORE);
     }},
    {"Probe-any", [] { MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, world, MPI_STATUS_IGNORE); }},
    {"Mprobe-any",
     [] {
       MPI_Message message;
       MPI_Mprobe(MPI_ANY_SOURCE, kTag, world, &message, MPI_STATUS_IGNORE);
     }},
    {"twice",  // one message, two receives
     [] {
       send(other());
       receive(other());
       receive(other());
     }},
    {"tag",  // a message, but with another tag
     [] {
       send(other());
       MPI_Recv(in.data(), 2, MPI_INT, other(), kTag + 1, world, MPI_STATUS_IGNORE);
     }},
    {"duplicate", [] { receive(other(), copy("copy")); }},
    {"crossed-barriers",
     [] {
       const MPI_Comm a = copy("a"), b = copy("b");
       MPI_Barrier(rank == 0 ? a : b);
       MPI_Barrier(rank == 0 ? b : a);
     }},
    {"crossed-reductions",
     [] {
       const MPI_Comm a = copy("a"), b = copy("b");
       MPI_Allreduce(out.data(), in.data(), 2, MPI_INT, MPI_SUM, rank == 0 ? a : b);
       MPI_Allreduce(out.data(), in.data(), 2, MPI_INT, MPI_SUM, rank == 0 ? b : a);
     }},
    {"inter-allgather",
     [] {
       const MPI_Comm both = inter();
       rank == 0 ? receive(0, both)
                 : static_cast<void>(MPI_Allgather(out.data(), 1, MPI_INT, in.data(), 1, MPI_INT, both));
     }},
    {"crossed-exchanges",
     [] {
       const MPI_Comm a = copy("a"), b = copy("b");
       MPI_Alltoall(out.data(), 1, MPI_INT, in.data(), 1, MPI_INT, rank == 0 ? a : b);
       MPI_Alltoall(out.data(), 1, MPI_INT, in.data(), 1, MPI_INT, rank == 0 ? b : a);
     }},
    {"inter-barrier",
     [] {
       const MPI_Comm both = inter();
       rank == 0 ? receive(0, both) : static_cast<void>(MPI_Barrier(both));
     }},
    {"Neighbor_alltoall",
     [] {
       const MPI_Comm both = ring();
       rank == 0
           ? receive(1, both)
           : static_cast<void>(MPI_Neighbor_alltoall(out.data(), 1, MPI_INT, in.data(), 1, MPI_INT, both));
     }},
    {"Ineighbor_allgather",
     [] {
       const MPI_Comm both = ring();
       MPI_Request request;
       if (rank == 0) return receive(1, both);
       MPI_Ineighbor_allgather(out.data(), 1, MPI_INT, in.data(), 1, MPI_INT, both, &request);
       wait_for(request);
     }},
    {"inter-merge",
     [] {
       const MPI_Comm both = inter();
       rank == 0 ? receive(0, both) : static_cast<void>(MPI_Intercomm_merge(both, 0, &made));
     }},
    {"inter-synchronous", [] { MPI_Ssend(out.data(), 1, MPI_INT, 0, kTag, inter()); }},
    {"Intercomm_create",
     [] {
       const MPI_Comm own = side();
       rank == 0 ? receive(1) : static_cast<void>(MPI_Intercomm_create(own, 0, world, other(), 1, &made));
     }},
    {"Comm_flush_buffer",
     [] {
       static std::vector<char> buffer(1 << 21);
       MPI_Comm_attach_buffer(world, buffer.data(), static_cast<int>(buffer.size()));
       MPI_Bsend(large.data(), 1 << 20, MPI_CHAR, other(), kTag, world);
       MPI_Comm_flush_buffer(world);
     }},
    {"Buffer_detach",
     [] {
       static std::vector<char> buffer(1 << 21);
       MPI_Buffer_attach(buffer.data(), static_cast<int>(buffer.size()));
       MPI_Bsend(large.data(), 1 << 20, MPI_CHAR, other(), kTag, world);
       void* address;
       int bytes;
       MPI_Buffer_detach(&address, &bytes);
     }},
};

}  // namespace

int main(int argc, char** argv) {
  const std::string kind = argc > 1 ? argv[1] : "";
  const bool is_collective = collectives.count(kind) != 0;
  if (!is_collective && messages.count(kind) == 0) return 2;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(world, &rank);
  is_collective ? against_receive(collectives.at(kind))() : messages.at(kind)();
  MPI_Finalize();
  std::puts("finished");
  return 0;
}
