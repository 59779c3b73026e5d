// MPI_THREAD_MULTIPLE: threads on communicators of their own, on one with tags of their own, one that is
// blocked in a receive while another one sends to the same rank, and one that detaches a buffer while others
// fill it.
#include <thread>

#include "p2p/messages.hpp"

using namespace foldlane::testing;

namespace {

constexpr int kThreads = 2;
constexpr int kRounds = 300;

int next() { return (my_rank() + 1) % world_size(); }
int before() { return (my_rank() + world_size() - 1) % world_size(); }

template <class Work>
void in_threads(const Work& work) {
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) threads.emplace_back(work, i);
  for (std::thread& thread : threads) thread.join();
}

/// Around the ring, each round of another size.
void go_around(MPI_Comm comm, int tag) {
  for (int round = 0; round < kRounds; ++round) {
    const int bytes = kSizes[static_cast<std::size_t>(round) % (std::size(kSizes) - 1)];
    const auto data = content(my_rank(), round, static_cast<std::size_t>(bytes));
    std::vector<unsigned char> got(data.size());
    MPI_Request request;
    MPI_Status status{};
    MPI_Isend(data.data(), bytes, MPI_BYTE, next(), tag, comm, &request);
    if (round % 3 == 0) {
      MPI_Message message;
      MPI_Mprobe(MPI_ANY_SOURCE, tag, comm, &message, MPI_STATUS_IGNORE);
      MPI_Mrecv(got.data(), bytes, MPI_BYTE, &message, &status);
    } else {
      MPI_Recv(got.data(), bytes, MPI_BYTE, before(), tag, comm, &status);
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (status.MPI_TAG != tag || got != content(before(), round, got.size()))
      give_up("a thread got another's data");
  }
}

void check_own_communicators() {
  std::vector<MPI_Comm> comms = duplicates(kThreads);
  in_threads([&](int i) { go_around(comms[static_cast<std::size_t>(i)], 1); });
  for (MPI_Comm& comm : comms) MPI_Comm_free(&comm);
}

void check_one_communicator() {
  MPI_Comm comm = duplicate(MPI_COMM_WORLD);
  in_threads([&](int i) { go_around(comm, i); });
  MPI_Comm_free(&comm);
}

/// The send is another thread's, of the same rank.
void check_blocked_receive() {
  for (const int bytes : {8, 5000, 200'000}) {
    for (int round = 0; round < 50; ++round) {
      std::thread receiver([&] {
        std::vector<unsigned char> got(static_cast<std::size_t>(bytes));
        MPI_Recv(got.data(), bytes, MPI_BYTE, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE);
        if (got != content(0, round, got.size())) give_up("the receiver got something else");
      });
      const auto data = content(0, round, static_cast<std::size_t>(bytes));
      MPI_Ssend(data.data(), bytes, MPI_BYTE, 0, 1, MPI_COMM_SELF);
      receiver.join();
    }
  }
}

/// A thread waits for what only another one's message can bring about at another rank.
void check_blocked_wait() {
  MPI_Comm comm = duplicate(MPI_COMM_WORLD);
  for (int round = 0; round < 50; ++round) {
    std::thread waiter([&] {
      int got = -1;
      MPI_Request request;
      MPI_Irecv(&got, 1, MPI_INT, before(), 2, comm, &request);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
      if (got != round) give_up("the wait got something else");
    });
    int token = -1;  // around the ring first
    if (my_rank() == 0) MPI_Send(&round, 1, MPI_INT, next(), 1, comm);
    MPI_Recv(&token, 1, MPI_INT, before(), 1, comm, MPI_STATUS_IGNORE);
    if (my_rank() != 0) MPI_Send(&token, 1, MPI_INT, next(), 1, comm);
    MPI_Send(&round, 1, MPI_INT, next(), 2, comm);
    waiter.join();
  }
  MPI_Comm_free(&comm);
}

void check_cancel() {
  for (int round = 0; round < 200; ++round) {
    int got = 0, flag = 0, data = 1;
    MPI_Request request;
    MPI_Status status{};
    MPI_Irecv(&got, 1, MPI_INT, 0, 1, MPI_COMM_SELF, &request);
    std::thread sender([&] { MPI_Send(&data, 1, MPI_INT, 0, 1, MPI_COMM_SELF); });
    MPI_Cancel(&request);
    MPI_Wait(&request, &status);
    MPI_Test_cancelled(&status, &flag);
    if (flag != 0) MPI_Recv(&got, 1, MPI_INT, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    sender.join();
    if (got != 1) give_up("the message was lost");
  }
}

void check_buffer() {
  static char buffer[1 << 16];
  constexpr int kBytes = 10'000;
  MPI_Comm comm = duplicate(MPI_COMM_WORLD);
  MPI_Buffer_attach(buffer, sizeof buffer);
  in_threads([&](int i) {
    for (int round = 0; round < kRounds; ++round) {
      auto data = content(my_rank(), round, kBytes);
      MPI_Request flushed;
      MPI_Bsend(data.data(), kBytes, MPI_BYTE, next(), i, comm);
      data.assign(kBytes, 0);
      MPI_Recv(data.data(), kBytes, MPI_BYTE, before(), i, comm, MPI_STATUS_IGNORE);
      if (data != content(before(), round, kBytes)) give_up("a buffered message is wrong");
      MPI_Buffer_iflush(&flushed);
      MPI_Wait(&flushed, MPI_STATUS_IGNORE);
    }
  });
  void* address = nullptr;
  int size = 0;
  MPI_Buffer_detach(&address, &size);
  MPI_Comm_free(&comm);
}

}  // namespace

int main(int argc, char** argv) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  expect(provided == MPI_THREAD_MULTIPLE);
  begin_case("communicators of their own");
  check_own_communicators();
  begin_case("one communicator");
  check_one_communicator();
  begin_case("blocked in a receive");
  check_blocked_receive();
  begin_case("blocked in a wait");
  check_blocked_wait();
  begin_case("cancelled by one, sent to by another");
  check_cancel();
  begin_case("one buffer");
  check_buffer();
  MPI_Finalize();
  return 0;
}
