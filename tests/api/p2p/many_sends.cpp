// Many long messages under way at a time: they take a bounded room before anybody asks for them, and come in
// whatever order they are asked for.
#include <fstream>

#include "p2p/messages.hpp"

using namespace foldlane::testing;

namespace {

constexpr int kMessages = 400;
constexpr int kBytes = 100'000;
constexpr long kMostKiB = 24 * 1024;  // boxes of 16 MiB, and what else a program writes

/// What this process has written that others see.
long shared_kib() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.rfind("RssShmem:", 0) == 0) return std::atol(line.c_str() + sizeof "RssShmem:");
  }
  give_up("no count of shared memory");
}

/// Looks for something else, which makes everything go on, again and again.
void send_what_can_go(MPI_Comm comm) {
  for (int i = 0; i < 20'000; ++i) {
    int flag = 0;
    MPI_Iprobe(MPI_ANY_SOURCE, kMessages, comm, &flag, MPI_STATUS_IGNORE);
    if (flag != 0) give_up("a message that nobody sent");
  }
}

void send_all(MPI_Comm comm) {
  std::vector<std::vector<unsigned char>> messages;
  for (int tag = 0; tag < kMessages; ++tag) messages.push_back(content(0, tag, kBytes));
  std::vector<MPI_Request> requests(kMessages);
  const long before = shared_kib();
  for (int tag = 0; tag < kMessages; ++tag) {
    const auto at = static_cast<std::size_t>(tag);
    MPI_Isend(messages[at].data(), kBytes, MPI_BYTE, 1, tag, comm, &requests[at]);
  }
  send_what_can_go(comm);
  const long grown = shared_kib() - before;
  if (grown > kMostKiB) give_up("messages that nobody asked for take " + std::to_string(grown) + " KiB");
  MPI_Barrier(comm);
  check_that(MPI_Waitall(kMessages, requests.data(), MPI_STATUSES_IGNORE) == MPI_SUCCESS, "Waitall failed");
}

void receive_last_first(MPI_Comm comm) {
  send_what_can_go(comm);
  MPI_Barrier(comm);
  for (int tag = kMessages; tag-- > 0;) receive_checked(comm, 0, tag, kBytes);
}

}  // namespace

int main() {
  MPI_Init(nullptr, nullptr);
  on_duplicate("many long messages, the last one first",
               [](MPI_Comm comm) { my_rank() == 0 ? send_all(comm) : receive_last_first(comm); });
  MPI_Finalize();
  return 0;
}
