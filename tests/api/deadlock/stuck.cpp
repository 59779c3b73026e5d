// Programs whose ranks can only be released by each other, one per kind; the launcher's test
// (tests/tools/deadlock_test.cpp) reads what is said about them. The argument is the kind.
#include <mpi.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace {

int rank, size;
std::array<int, 4> data;
std::vector<char> large(1 << 20);
const MPI_Comm world = MPI_COMM_WORLD;

void receive(int source, int tag = 5, MPI_Comm comm = world) {
  MPI_Recv(data.data(), 2, MPI_INT, source, tag, comm, MPI_STATUS_IGNORE);
}
void send(int dest, int tag = 5, MPI_Comm comm = world) {
  MPI_Send(data.data(), 2, MPI_INT, dest, tag, comm);
}
void synchronous(int dest, int tag = 5) { MPI_Ssend(data.data(), 2, MPI_INT, dest, tag, world); }
MPI_Request start_receive(int source, int tag = 5) {
  MPI_Request request;
  MPI_Irecv(data.data(), 2, MPI_INT, source, tag, world, &request);
  return request;
}
int other() { return 1 - rank; }
int next() { return (rank + 1) % size; }
int previous() { return (rank + size - 1) % size; }

MPI_Comm intercommunicator() {
  MPI_Comm side, inter;
  MPI_Comm_split(world, rank, 0, &side);
  MPI_Intercomm_create(side, 0, world, other(), 1, &inter);
  return inter;
}

void waitall() {
  std::array<MPI_Request, 2> requests{start_receive(other()), start_receive(other(), 6)};
  send(other(), 6);
  MPI_Waitall(2, requests.data(), MPI_STATUSES_IGNORE);
}
void waitany() {
  std::array<MPI_Request, 2> requests{start_receive(other()), start_receive(rank, 6)};
  int index;
  MPI_Waitany(2, requests.data(), &index, MPI_STATUS_IGNORE);
}
void waitsome() {
  std::array<MPI_Request, 2> requests{start_receive(other()), start_receive(other(), 6)};
  int count;
  std::array<int, 2> indices;
  MPI_Waitsome(2, requests.data(), &count, indices.data(), MPI_STATUSES_IGNORE);
}
void wait_for(MPI_Request request) { MPI_Wait(&request, MPI_STATUS_IGNORE); }
void persistent() {
  MPI_Request request;
  MPI_Recv_init(data.data(), 2, MPI_INT, other(), 5, world, &request);
  MPI_Start(&request);
  wait_for(request);
}
void mprobe() {
  MPI_Message message;
  MPI_Mprobe(other(), 5, world, &message, MPI_STATUS_IGNORE);
}
void partitioned() {
  MPI_Request request;
  if (rank == 0) {
    MPI_Psend_init(data.data(), 2, 1, MPI_INT, 1, 5, world, MPI_INFO_NULL, &request);
  } else {
    MPI_Precv_init(data.data(), 2, 1, MPI_INT, 0, 5, world, MPI_INFO_NULL, &request);
  }
  MPI_Start(&request);
  if (rank == 0) MPI_Pready(0, request);  // and never partition 1
  wait_for(request);
}
void other_communicator() {
  MPI_Comm copy;
  MPI_Comm_dup(world, &copy);
  MPI_Comm_set_name(copy, "copy");
  if (rank == 0) receive(1);
  send(0, 5, copy);
  receive(0, 5, copy);
}
void flushed_buffer() {
  static std::vector<char> buffer(1 << 21);
  MPI_Buffer_attach(buffer.data(), static_cast<int>(buffer.size()));
  MPI_Bsend(large.data(), static_cast<int>(large.size()), MPI_CHAR, other(), 5, world);
  MPI_Buffer_flush();
}
void nonblocking_barrier() {
  MPI_Request request;
  if (rank == 0) return receive(1);
  MPI_Ibarrier(world, &request);
  wait_for(request);
}
void second_barrier() {
  MPI_Request request;
  if (rank == 0) return receive(1);
  MPI_Ibarrier(world, &request);
  MPI_Barrier(world);
}
void one_ended() {
  MPI_Session session;
  MPI_Group group;
  MPI_Comm comm;
  MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
  MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
  MPI_Comm_create_from_group(group, "ended", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
  MPI_Comm_rank(comm, &rank);
  if (rank == 0) receive(1, 5, comm);
  MPI_Session_finalize(&session);
  std::exit(0);
}
/// Two wait for each other, the others for one of them.
void with_others() {
  if (rank < 2) return receive(other());
  MPI_Barrier(world);
}

const std::map<std::string, std::function<void()>> kinds{
    {"receives", [] { receive(other()); }},
    {"ring", [] { receive(previous()); }},
    {"synchronous", [] { synchronous(other()); }},
    {"synchronous-ring", [] { synchronous(next()); }},
    {"large", [] { MPI_Send(large.data(), 1 << 20, MPI_CHAR, other(), 5, world); }},
    {"tag",
     [] {
       rank == 0 ? receive(1) : send(0, 6);
       if (rank == 1) receive(0);
     }},
    {"source",
     [] {
       if (rank == 1) send(0);
       receive(rank == 0 ? 2 : 0);
     }},
    {"communicator", other_communicator},
    {"any-source", [] { receive(MPI_ANY_SOURCE); }},
    {"waitall", waitall},
    {"waitany", waitany},
    {"waitsome", waitsome},
    {"wait", [] { wait_for(start_receive(other())); }},
    {"probe", [] { MPI_Probe(other(), MPI_ANY_TAG, world, MPI_STATUS_IGNORE); }},
    {"mprobe", mprobe},
    {"sendrecv",
     [] {
       MPI_Sendrecv(data.data(), 1, MPI_INT, next(), rank, &data[1], 1, MPI_INT, previous(), 5, world,
                    MPI_STATUS_IGNORE);
     }},
    {"persistent", persistent},
    {"barrier", [] { rank == 0 ? receive(1) : static_cast<void>(MPI_Barrier(world)); }},
    {"allreduce",
     [] {
       if (rank == 0) return receive(1);
       MPI_Allreduce(data.data(), &data[2], 2, MPI_INT, MPI_SUM, world);
     }},
    {"root",
     [] {
       if (rank == 0) receive(1);
       MPI_Bcast(data.data(), 2, MPI_INT, 0, world);
       if (rank == 1) send(0);
     }},
    {"finalize",
     [] {
       if (rank == 0) receive(1);
     }},
    {"self",
     [] {
       if (rank == 0) receive(0);
     }},
    {"synchronous-self", [] { MPI_Ssend(data.data(), 1, MPI_INT, 0, 5, MPI_COMM_SELF); }},
    {"inter", [] { receive(0, 5, intercommunicator()); }},
    {"inter-any", [] { receive(MPI_ANY_SOURCE, MPI_ANY_TAG, intercommunicator()); }},
    {"partitioned", partitioned},
    {"flush", flushed_buffer},
    {"ibarrier", nonblocking_barrier},
    {"second-barrier", second_barrier},
    {"dup",
     [] {
       MPI_Comm copy;
       rank == 0 ? receive(1) : static_cast<void>(MPI_Comm_dup(world, &copy));
     }},
    {"ended", one_ended},
    {"others", with_others},
};

}  // namespace

int main(int argc, char** argv) {
  const std::string kind = argc > 1 ? argv[1] : "";
  if (kinds.count(kind) == 0) return 2;
  if (kind == "ended") one_ended();
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(world, &rank);
  MPI_Comm_size(world, &size);
  kinds.at(kind)();
  MPI_Finalize();
  std::puts("finished");
  return 0;
}
