// Many ranks send to one, which receives from anybody and stops in between: to hear from a rank that sends
// nothing before, or to compute. All messages arrive, and those of each sender in order. Who waits for all of
// them sleeps on one bell: about once for each message, not once for each rank that may send.
#include <sched.h>

#include <fstream>

#include "p2p/messages.hpp"
#include "support/counters.hpp"

using namespace foldlane::testing;

namespace {

constexpr int kReceiver = 0, kThird = 1, kFirstSender = 2;
constexpr int kMessage = 1, kBegun = 2, kGoOn = 3;
/// In a cell, in a block, and two that wait for their receive or go through boxes.
constexpr int kLengths[] = {8, 1 << 10, 20 << 10, 200 << 10};
constexpr int kEach = 8;  // messages of a sender
constexpr int kLongest = 200 << 10;

int senders() { return world_size() - kFirstSender; }

/// Others begin with another length.
int length_of(int sender, int number) {
  return kLengths[static_cast<std::size_t>(sender + number) % std::size(kLengths)];
}

void tell(MPI_Comm comm, int rank, int tag) { MPI_Send(nullptr, 0, MPI_BYTE, rank, tag, comm); }
void hear(MPI_Comm comm, int rank, int tag) {
  MPI_Recv(nullptr, 0, MPI_BYTE, rank, tag, comm, MPI_STATUS_IGNORE);
}

// ---- The senders ----

std::vector<std::vector<unsigned char>> messages_of(int sender) {
  std::vector<std::vector<unsigned char>> made;
  for (int number = 0; number < kEach; ++number)
    made.push_back(content(sender, number, static_cast<std::size_t>(length_of(sender, number))));
  return made;
}

void send_one_by_one(MPI_Comm comm, int sender) {
  for (const auto& each : messages_of(sender))
    MPI_Send(each.data(), static_cast<int>(each.size()), MPI_BYTE, kReceiver, kMessage, comm);
}

void send_at_once(MPI_Comm comm, int sender) {
  const auto messages = messages_of(sender);
  std::vector<MPI_Request> requests;
  for (const auto& each : messages)
    MPI_Isend(each.data(), static_cast<int>(each.size()), MPI_BYTE, kReceiver, kMessage, comm,
              &requests.emplace_back());
  MPI_Waitall(kEach, requests.data(), MPI_STATUSES_IGNORE);
}

void send_all(MPI_Comm comm, int sender) {
  tell(comm, kThird, kBegun);
  sender % 2 == 0 ? send_one_by_one(comm, sender) : send_at_once(comm, sender);
}

// ---- The receiver ----

class Receiver {
 public:
  explicit Receiver(MPI_Comm comm)
      : comm_(comm), next_(static_cast<std::size_t>(world_size())), memory_(kLongest) {}

  void receive_all() {
    hear(comm_, kThird, kGoOn);  // the senders are ahead by what there is room for
    for (int i = 0; i < senders() * kEach; ++i) {
      if (i % 64 == 63) stall(i);
      i % 2 == 0 ? receive() : receive_probed();
    }
  }

 private:
  void stall(int round) {
    if (round % 128 == 63) {
      tell(comm_, kThird, kGoOn);
      hear(comm_, kThird, kGoOn);
    } else {
      for (int i = 0; i < 20; ++i) check_that(content(0, i, kLongest).size() == kLongest, "as computed");
    }
  }

  void receive() {
    MPI_Status status{};
    MPI_Recv(memory_.data(), kLongest, MPI_BYTE, MPI_ANY_SOURCE, kMessage, comm_, &status);
    check(status);
  }

  void receive_probed() {
    MPI_Status status{};
    MPI_Message message;
    int length = -1;
    MPI_Mprobe(MPI_ANY_SOURCE, kMessage, comm_, &message, &status);
    MPI_Get_count(&status, MPI_BYTE, &length);
    MPI_Mrecv(memory_.data(), length, MPI_BYTE, &message, &status);
    check(status);
  }

  void check(const MPI_Status& status) {
    const int source = status.MPI_SOURCE;
    const int number = next_[static_cast<std::size_t>(source)]++;
    check_that(number < kEach, "a sender has sent more than its messages");
    const auto length = static_cast<std::size_t>(length_of(source, number));
    check_status(status, source, kMessage, length);
    check_content({memory_.begin(), memory_.begin() + static_cast<std::ptrdiff_t>(length)}, source, number);
  }

  MPI_Comm comm_;
  std::vector<int> next_;  // by sender
  std::vector<unsigned char> memory_;
};

// ---- The third one ----

void let_go_on(MPI_Comm comm) {
  for (int i = 0; i < senders(); ++i) hear(comm, MPI_ANY_SOURCE, kBegun);
  tell(comm, kReceiver, kGoOn);
  for (int i = 63; i < senders() * kEach; i += 128) {
    hear(comm, kReceiver, kGoOn);
    tell(comm, kReceiver, kGoOn);
  }
}

/// What stalls costs time, so that many senders take longer.
void watch(const char* what) { begin_case(what, world_size() < 100 ? 60 : 600); }

void check_stalls(MPI_Comm comm) {
  watch("a receiver that stops in between");
  if (my_rank() == kReceiver) Receiver(comm).receive_all();
  if (my_rank() == kThird) let_go_on(comm);
  if (my_rank() >= kFirstSender) send_all(comm, my_rank());
}

// ---- One bell ----

/// Some are among those at whose lanes the receiver looks by itself, others knock.
constexpr int kMostTurns = 64;

bool is_asleep(int process) {
  std::string text;
  std::getline(std::ifstream("/proc/" + std::to_string(process) + "/stat"), text);
  return text.find(") S ") != std::string::npos;
}

/// One after another, each to a receiver that sleeps.
void send_in_turn(MPI_Comm comm, int sender, int receivers_process) {
  if (sender != kFirstSender) hear(comm, sender - 1, kGoOn);
  while (!is_asleep(receivers_process)) sched_yield();
  send_checked(comm, kReceiver, kMessage, 8);
  if (sender + 1 < world_size()) tell(comm, sender + 1, kGoOn);
}

void receive_in_turn(MPI_Comm comm) {
  const unsigned long before = foldlane::tests::counted("foldlane_sleeps");
  std::vector<unsigned char> got(8);
  for (int sender = kFirstSender; sender < world_size(); ++sender) {
    MPI_Status status{};
    MPI_Recv(got.data(), 8, MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &status);
    check_status(status, sender, kMessage, 8);
    check_content(got, sender, kMessage);
  }
  const unsigned long sleeps = foldlane::tests::counted("foldlane_sleeps") - before;
  const auto messages = static_cast<unsigned long>(senders());
  check_that(sleeps > 0, "the receiver has slept");
  check_that(sleeps < messages * messages / 4, "it does not sleep for each sender and message");
}

void check_bell(MPI_Comm comm) {
  watch("a receiver that sleeps");
  int process = getpid();
  MPI_Bcast(&process, 1, MPI_INT, kReceiver, comm);
  if (my_rank() == kReceiver) receive_in_turn(comm);
  if (my_rank() >= kFirstSender) send_in_turn(comm, my_rank(), process);
}

}  // namespace

int main() {
  MPI_Init(nullptr, nullptr);
  on_duplicate("duplicating", check_stalls);
  if (senders() <= kMostTurns) on_duplicate("duplicating", check_bell);  // among more it takes long to sleep
  MPI_Finalize();
  return 0;
}
