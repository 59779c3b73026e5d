// Short sends are complete when their calls return, and all have the same handle: every call about requests
// takes it, alone and among others, any number of times, from any thread.
#include <thread>

#include "p2p/messages.hpp"

using namespace foldlane::testing;

namespace {

constexpr int kMessages = 5;  // fewer than a lane holds

/// Sends to oneself that nothing holds up.
std::vector<MPI_Request> sent(MPI_Comm comm, int tag = 1) {
  static const char letter = 'x';
  std::vector<MPI_Request> requests(kMessages);
  for (MPI_Request& request : requests) {
    MPI_Isend(&letter, 1, MPI_CHAR, 0, tag, comm, &request);
    check_that(request != MPI_REQUEST_NULL, "an active request is not null");
  }
  return requests;
}
void receive_all(MPI_Comm comm, int tag = 1) {
  for (int i = 0; i < kMessages; ++i) {
    char got = 0;
    MPI_Recv(&got, 1, MPI_CHAR, 0, tag, comm, MPI_STATUS_IGNORE);
    check_that(got == 'x', "a wrong message");
  }
}
void check_null(const std::vector<MPI_Request>& requests) {
  ++compared_calls;
  for (const MPI_Request request : requests)
    check_that(request == MPI_REQUEST_NULL, "a completed request's handle is null");
}

void check_alone(MPI_Comm comm) {
  std::vector<MPI_Request> requests = sent(comm);
  int flag = 0, cancelled = -1;
  MPI_Status status{};
  MPI_Request_get_status(requests[0], &flag, &status);
  check_that(flag == 1 && requests[0] != MPI_REQUEST_NULL, "Request_get_status completes nothing");
  MPI_Cancel(&requests[0]);  // too late
  MPI_Wait(&requests[0], &status);
  MPI_Test_cancelled(&status, &cancelled);
  check_that(cancelled == 0, "a message on its way cannot be cancelled");
  MPI_Test(&requests[1], &flag, &status);
  check_that(flag == 1, "Test completes it");
  MPI_Request_free(&requests[2]);
  MPI_Wait(&requests[3], MPI_STATUS_IGNORE);
  MPI_Wait(&requests[3], MPI_STATUS_IGNORE);  // null by now
  expect_error(MPI_Start(&requests[4]), MPI_ERR_REQUEST, {"not persistent"});
  MPI_Wait(&requests[4], MPI_STATUS_IGNORE);
  check_null(requests);
  receive_all(comm);
}

void check_sets(MPI_Comm comm) {
  std::vector<MPI_Request> requests = sent(comm);
  std::vector<MPI_Status> statuses(kMessages);
  std::vector<int> indices(kMessages, -1);
  int flag = 0, index = -1, count = 0;
  MPI_Request_get_status_all(kMessages, requests.data(), &flag, statuses.data());
  check_that(flag == 1, "all are complete");
  MPI_Waitany(kMessages, requests.data(), &index, MPI_STATUS_IGNORE);
  check_that(index >= 0 && requests[static_cast<std::size_t>(index)] == MPI_REQUEST_NULL,
             "Waitany takes one");
  MPI_Testany(kMessages, requests.data(), &index, &flag, MPI_STATUS_IGNORE);
  check_that(flag == 1 && index >= 0, "Testany takes another one");
  MPI_Waitsome(kMessages, requests.data(), &count, indices.data(), statuses.data());
  check_that(count == kMessages - 2, "Waitsome takes the rest");
  check_null(requests);
  receive_all(comm);

  requests = sent(comm);
  MPI_Testall(kMessages, requests.data(), &flag, statuses.data());
  check_that(flag == 1, "Testall takes all");
  check_null(requests);
  receive_all(comm);
}

/// Beside receives, some of which fail: the codes of all are told.
void check_among_others(MPI_Comm comm) {
  char got[kMessages] = {};
  std::vector<MPI_Request> requests(kMessages, MPI_REQUEST_NULL);
  for (int i = 0; i < kMessages; ++i)
    MPI_Irecv(&got[i], i == 2 ? 0 : 1, MPI_CHAR, 0, 1, comm, &requests[static_cast<std::size_t>(i)]);
  const std::vector<MPI_Request> sends = sent(comm);
  requests.insert(requests.begin() + 1, sends.begin(), sends.end());
  requests.push_back(MPI_REQUEST_NULL);
  std::vector<MPI_Status> statuses(requests.size());
  for (MPI_Status& status : statuses) status.MPI_ERROR = -7;
  const int code = MPI_Waitall(static_cast<int>(requests.size()), requests.data(), statuses.data());
  check_that(code == MPI_ERR_IN_STATUS, "one has failed");
  for (std::size_t i = 0; i < statuses.size(); ++i) {
    const int expected = i == 2 + kMessages ? MPI_ERR_TRUNCATE : MPI_SUCCESS;
    check_that(statuses[i].MPI_ERROR == expected, "the code of each is told");
  }
  check_null(requests);
}

void check_threads(MPI_Comm comm) {
  std::vector<std::thread> threads;
  for (int tag = 0; tag < 4; ++tag) {
    threads.emplace_back([comm, tag] {
      for (int i = 0; i < 500; ++i) {
        std::vector<MPI_Request> requests = sent(comm, tag);
        MPI_Cancel(&requests[0]);
        MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
        MPI_Waitall(kMessages, requests.data(), MPI_STATUSES_IGNORE);
        check_null(requests);
        receive_all(comm, tag);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace

int main() {
  int level = -1;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_MULTIPLE, &level);
  MPI_Comm comm = duplicate(MPI_COMM_SELF);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  check_alone(comm);
  check_sets(comm);
  check_among_others(comm);
  check_threads(comm);
  MPI_Comm_free(&comm);
  MPI_Finalize();
  return 0;
}
