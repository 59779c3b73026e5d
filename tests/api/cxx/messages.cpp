// Messages with the C++ bindings: every method that sends, receives or looks, between neighbours in a ring.
#include <cstring>
#include <mpi_cxx.hpp>
#include <vector>

#include "support/expect.h"

using namespace MPI;

namespace {

constexpr int kTag = 3;
int rank, ranks, next, before;

/// What `from` sends.
int value_of(int from, int what) { return 100 * from + what; }

void check(int received, int what) { expect(received == value_of(before, what)); }

void check(const Status& status) {
  expect(status.Get_source() == before && status.Get_tag() == kTag && status.Get_count(INT) == 1);
  expect(!status.Is_cancelled() && status.Get_error() == SUCCESS);
}

/// A blocking send of every mode. The receive is posted already, as the ready mode wants it.
void blocking_sends() {
  void (Comm::*const sends[])(const void*, int, const Datatype&, int, int)
      const = {&Comm::Send, &Comm::Bsend, &Comm::Ssend, &Comm::Rsend};
  for (int i = 0; i < 4; ++i) {
    int received = -1;
    const int sent = value_of(rank, i);
    Request request = COMM_WORLD.Irecv(&received, 1, INT, before, kTag);
    COMM_WORLD.Barrier();
    (COMM_WORLD.*sends[i])(&sent, 1, INT, next, kTag);
    Status status;
    request.Wait(status);
    check(received, i);
    check(status);
    expect(request == REQUEST_NULL);
  }
}

void nonblocking_sends() {
  Request (Comm::*const sends[])(const void*, int, const Datatype&, int, int)
      const = {&Comm::Isend, &Comm::Ibsend, &Comm::Issend, &Comm::Irsend};
  for (int i = 0; i < 4; ++i) {
    int received = -1;
    const int sent = value_of(rank, 10 + i);
    Request requests[2] = {COMM_WORLD.Irecv(&received, 1, INT, before, kTag), Request()};
    COMM_WORLD.Barrier();
    requests[1] = (COMM_WORLD.*sends[i])(&sent, 1, INT, next, kTag);
    Status statuses[2];
    Request::Waitall(2, requests, statuses);
    check(received, 10 + i);
    check(statuses[0]);
  }
}

void persistent_sends() {
  Prequest (Comm::*const sends[])(const void*, int, const Datatype&, int, int)
      const = {&Comm::Send_init, &Comm::Bsend_init, &Comm::Ssend_init, &Comm::Rsend_init};
  for (int i = 0; i < 4; ++i) {
    int received = -1, sent = 0;
    Prequest receive = COMM_WORLD.Recv_init(&received, 1, INT, before, kTag);
    Prequest send = (COMM_WORLD.*sends[i])(&sent, 1, INT, next, kTag);
    for (int lap = 0; lap < 2; ++lap) {
      sent = value_of(rank, 20 + 2 * i + lap);
      receive.Start();
      COMM_WORLD.Barrier();
      Prequest::Startall(1, &send);
      send.Wait();
      receive.Wait();
      check(received, 20 + 2 * i + lap);
    }
    send.Free();
    receive.Free();
  }
}

void receives() {
  int received = -1;
  const int sent = value_of(rank, 30);
  for (const bool with_status : {false, true}) {
    Request send = COMM_WORLD.Isend(&sent, 1, INT, next, kTag);
    if (with_status) {
      Status status;
      COMM_WORLD.Recv(&received, 1, INT, ANY_SOURCE, ANY_TAG, status);
      check(status);
    } else {
      COMM_WORLD.Recv(&received, 1, INT, before, kTag);
    }
    check(received, 30);
    send.Wait();
  }
}

void exchanges() {
  int received = -1, both = value_of(rank, 41);
  const int sent = value_of(rank, 40);
  Status status;
  COMM_WORLD.Sendrecv(&sent, 1, INT, next, kTag, &received, 1, INT, before, kTag);
  check(received, 40);
  COMM_WORLD.Sendrecv(&sent, 1, INT, next, kTag, &received, 1, INT, before, kTag, status);
  check(status);
  COMM_WORLD.Sendrecv_replace(&both, 1, INT, next, kTag, before, kTag);
  check(both, 41);
  both = value_of(rank, 42);
  COMM_WORLD.Sendrecv_replace(&both, 1, INT, next, kTag, before, kTag, status);
  check(both, 42);
  check(status);
}

void probes() {
  int received = -1;
  const int sent = value_of(rank, 50);
  expect(!COMM_WORLD.Iprobe(before, kTag));
  COMM_WORLD.Barrier();
  Request send = COMM_WORLD.Isend(&sent, 1, INT, next, kTag);
  Status status;
  COMM_WORLD.Probe(before, kTag);
  COMM_WORLD.Probe(ANY_SOURCE, ANY_TAG, status);
  check(status);
  Status another;
  expect(COMM_WORLD.Iprobe(before, kTag) && COMM_WORLD.Iprobe(before, ANY_TAG, another));
  check(another);
  COMM_WORLD.Recv(&received, 1, INT, before, kTag);
  check(received, 50);
  send.Wait();
}

void cancelled_and_freed() {
  int received = -1;
  Status status;
  Request receive = COMM_WORLD.Irecv(&received, 1, INT, before, kTag + 1);
  expect(!receive.Get_status() && !receive.Test());
  receive.Cancel();
  receive.Wait(status);
  expect(status.Is_cancelled() && received == -1);
  const int sent = value_of(rank, 60);
  Request send = COMM_WORLD.Isend(&sent, 1, INT, next, kTag);
  send.Free();
  expect(send == REQUEST_NULL);
  COMM_WORLD.Recv(&received, 1, INT, before, kTag);
  check(received, 60);
  COMM_WORLD.Barrier();  // `sent` lives until it was received
}

void buffer() {
  std::vector<char> space(BSEND_OVERHEAD + 2 * sizeof(int));
  const int sent[2] = {value_of(rank, 70), value_of(rank, 71)};
  int received[2] = {};
  Attach_buffer(space.data(), static_cast<int>(space.size()));
  COMM_WORLD.Bsend(sent, 2, INT, next, kTag);
  COMM_WORLD.Recv(received, 2, INT, before, kTag);
  check(received[0], 70);
  check(received[1], 71);
  void* detached = nullptr;
  expect(Detach_buffer(detached) == static_cast<int>(space.size()) && detached == space.data());
}

void nobody() {
  int received = 7;
  Status status;
  COMM_WORLD.Send(&rank, 1, INT, PROC_NULL, kTag);
  COMM_WORLD.Recv(&received, 1, INT, PROC_NULL, ANY_TAG, status);
  expect(received == 7 && status.Get_source() == PROC_NULL && status.Get_tag() == ANY_TAG);
}

/// What an exception says of a message that is too long.
void exceptions() {
  const int sent[2] = {1, 2};
  int received = 0;
  Request send = COMM_WORLD.Isend(sent, 2, INT, next, kTag);
  try {
    COMM_WORLD.Recv(&received, 1, INT, before, kTag);
    give_up("a message of two integers fits where one does");
  } catch (const Exception& exception) {
    expect(exception.Get_error_class() == ERR_TRUNCATE);
    expect(std::strstr(exception.Get_error_string(), "MPI_Recv") != nullptr);
  }
  send.Wait();
}

}  // namespace

int main(int argc, char** argv) {
  Init(argc, argv);
  COMM_WORLD.Set_errhandler(ERRORS_THROW_EXCEPTIONS);
  rank = COMM_WORLD.Get_rank();
  ranks = COMM_WORLD.Get_size();
  next = (rank + 1) % ranks;
  before = (rank + ranks - 1) % ranks;
  std::vector<char> space(20 * (BSEND_OVERHEAD + sizeof(int)));
  Attach_buffer(space.data(), static_cast<int>(space.size()));
  for (const auto test : {blocking_sends, nonblocking_sends, persistent_sends}) test();
  void* detached = nullptr;
  Detach_buffer(detached);
  for (const auto test : {receives, exchanges, probes, cancelled_and_freed, buffer, nobody, exceptions})
    test();
  Finalize();
  return 0;
}
