// What each call promises, between the first and the last rank, which are one and the same in a job of one:
// sizes of every way, truncation, cancelling, freeing, persistent requests.
#include <initializer_list>

#include "p2p/messages.hpp"

using namespace foldlane::testing;

namespace {

int last() { return world_size() - 1; }
bool is_sender() { return my_rank() == 0; }
bool is_receiver() { return my_rank() == last(); }
/// Both must be under way at a time where sender and receiver are one.
bool alone() { return world_size() == 1; }

using Bytes = std::vector<unsigned char>;

// ---- sizes

struct Mode {
  const char* name;
  int (*start)(const void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request*);
};
const Mode kModes[] = {{"Isend", MPI_Isend}, {"Issend", MPI_Issend}, {"Irsend", MPI_Irsend}};

void check_sizes_late(MPI_Comm comm) {  // the message comes first
  int tag = 0;
  for (const Mode& mode : {kModes[0], kModes[1]}) {
    for (const int bytes : kSizes) {
      ++tag;
      const Bytes data = content(0, tag, static_cast<std::size_t>(bytes));
      MPI_Request request = MPI_REQUEST_NULL;
      if (is_sender()) mode.start(data.data(), bytes, MPI_BYTE, last(), tag, comm, &request);
      MPI_Barrier(comm);
      if (is_receiver()) receive_checked(comm, 0, tag, bytes);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
  }
}

void check_sizes_early(MPI_Comm comm) {  // the receive is there first
  int tag = 0;
  for (const Mode& mode : kModes) {
    for (const int bytes : kSizes) {
      ++tag;
      const Bytes data = content(0, tag, static_cast<std::size_t>(bytes));
      Bytes got(data.size());
      MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
      MPI_Status statuses[2];
      if (is_receiver())
        MPI_Irecv(got.data(), bytes, MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &requests[0]);
      MPI_Barrier(comm);
      if (is_sender()) mode.start(data.data(), bytes, MPI_BYTE, last(), tag, comm, &requests[1]);
      check_that(MPI_Waitall(2, requests, statuses) == MPI_SUCCESS, "Waitall failed");
      if (!is_receiver()) continue;
      check_status(statuses[0], 0, tag, got.size());
      check_content(got, 0, tag);
    }
  }
}

void check_blocking(MPI_Comm comm) {
  if (alone()) return;
  int tag = 0;
  for (const int bytes : kSizes) {
    ++tag;
    if (is_sender()) {
      const Bytes data = content(0, tag, static_cast<std::size_t>(bytes));
      check_that(MPI_Ssend(data.data(), bytes, MPI_BYTE, last(), tag, comm) == MPI_SUCCESS,
                 "MPI_Ssend failed");
      send_checked(comm, last(), tag, bytes);
    }
    if (is_receiver()) {
      receive_checked(comm, 0, tag, bytes);
      receive_checked(comm, 0, tag, bytes);
    }
  }
}

void check_synchronous(MPI_Comm comm) {
  for (const int bytes : {0, 8, 5000, 50'000}) {
    Bytes data(static_cast<std::size_t>(bytes));
    MPI_Request request = MPI_REQUEST_NULL;
    int flag = 0;
    if (is_sender()) MPI_Issend(data.data(), bytes, MPI_BYTE, last(), 3, comm, &request);
    MPI_Barrier(comm);
    for (int i = 0; i < 50 && is_sender(); ++i) {
      MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
      check_that(flag == 0, "a synchronous send was over before it was received");
    }
    MPI_Barrier(comm);
    if (is_receiver()) MPI_Recv(data.data(), bytes, MPI_BYTE, 0, 3, comm, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
}

// ---- truncation: told by the receive, and only that message is lost

void check_truncation(MPI_Comm comm) {
  for (const int bytes : {2, 97, 5000, 100'000, 1'000'003}) {
    for (const int room : {0, 1, bytes / 2, bytes - 1}) {
      for (const bool early : {false, true}) {
        const Bytes data = content(0, 5, static_cast<std::size_t>(bytes));
        Bytes got(data.size(), 0xee);
        MPI_Request sent[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL}, received = MPI_REQUEST_NULL;
        if (is_receiver() && early) MPI_Irecv(got.data(), room, MPI_BYTE, 0, MPI_ANY_TAG, comm, &received);
        MPI_Barrier(comm);
        if (is_sender()) {
          MPI_Isend(data.data(), bytes, MPI_BYTE, last(), 5, comm, &sent[0]);
          MPI_Isend(data.data(), 1, MPI_BYTE, last(), 6, comm, &sent[1]);
        }
        MPI_Barrier(comm);
        if (is_receiver()) {
          const int code =
              early ? MPI_Wait(&received, MPI_STATUS_IGNORE)
                    : MPI_Recv(got.data(), room, MPI_BYTE, MPI_ANY_SOURCE, 5, comm, MPI_STATUS_IGNORE);
          expect_error(code, MPI_ERR_TRUNCATE,
                       {"rank 0 sent " + std::to_string(bytes) + " bytes", "tag 5",
                        "room for " + std::to_string(room), early ? "any tag" : "any rank"});
          check_that(received == MPI_REQUEST_NULL, "the request is still there");
          const auto end = static_cast<std::size_t>(room);
          check_that(std::memcmp(got.data(), data.data(), end) == 0, "what fits is not there");
          for (std::size_t i = end; i < got.size(); ++i) check_that(got[i] == 0xee, "written beyond the end");
          MPI_Recv(got.data(), 1, MPI_BYTE, 0, MPI_ANY_TAG, comm, MPI_STATUS_IGNORE);
          check_that(got[0] == data[0], "the next message did not arrive");
        }
        check_that(MPI_Waitall(2, sent, MPI_STATUSES_IGNORE) == MPI_SUCCESS, "the sender was told");
      }
    }
  }
}

void check_truncation_in_sets(MPI_Comm comm) {
  int data[3] = {1, 2, 3}, got[3] = {0, 0, 0};
  MPI_Request sent[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  if (is_sender()) {
    MPI_Isend(data, 1, MPI_INT, last(), 1, comm, &sent[0]);
    MPI_Isend(data, 2, MPI_INT, last(), 2, comm, &sent[1]);
  }
  if (is_receiver()) {
    MPI_Request requests[2];
    MPI_Status statuses[2];
    MPI_Irecv(got, 1, MPI_INT, 0, 1, comm, &requests[0]);
    MPI_Irecv(got + 1, 1, MPI_INT, 0, 2, comm, &requests[1]);
    MPI_Request first[1] = {requests[0]};
    MPI_Waitall(1, first, MPI_STATUSES_IGNORE);
    requests[0] = MPI_REQUEST_NULL;
    check_that(MPI_Waitall(2, requests, statuses) == MPI_ERR_IN_STATUS, "no error in the statuses");
    check_that(statuses[0].MPI_ERROR == MPI_SUCCESS && statuses[1].MPI_ERROR == MPI_ERR_TRUNCATE,
               "the statuses do not say which");
    check_that(got[0] == 1 && got[1] == 1 && got[2] == 0, "what fits is not there");
  }
  MPI_Waitall(2, sent, MPI_STATUSES_IGNORE);
}

// ---- cancelling

void check_cancel(MPI_Comm comm) {
  int got[2] = {-1, -1}, data = 7, flag = -1;
  MPI_Status status{};
  MPI_Request request = MPI_REQUEST_NULL;
  for (const int source : {last() == 0 ? 0 : 1, static_cast<int>(MPI_ANY_SOURCE)}) {
    MPI_Irecv(got, 1, MPI_INT, source, MPI_ANY_TAG, comm, &request);
    check_that(MPI_Cancel(&request) == MPI_SUCCESS, "a receive could not be cancelled");
    check_that(MPI_Wait(&request, &status) == MPI_SUCCESS, "a cancelled receive has failed");
    MPI_Test_cancelled(&status, &flag);
    check_that(flag == 1 && got[0] == -1, "the receive was not cancelled");
  }
  MPI_Barrier(comm);
  // Once a message is there it is too late, and what was cancelled takes none.
  if (is_sender()) MPI_Send(&data, 1, MPI_INT, last(), 4, comm);
  MPI_Barrier(comm);
  if (!is_receiver()) return;
  MPI_Irecv(got, 1, MPI_INT, MPI_ANY_SOURCE, 4, comm, &request);
  check_that(MPI_Cancel(&request) == MPI_SUCCESS, "cancelling too late is no error");
  MPI_Wait(&request, &status);
  check_status(status, 0, 4, sizeof data);
  check_that(got[0] == 7, "the message was lost");
}

void check_cancel_of_sends(MPI_Comm comm) {
  for (const int bytes : {8, 100'000}) {
    const Bytes data = content(0, 9, static_cast<std::size_t>(bytes));
    MPI_Status status{};
    MPI_Request request = MPI_REQUEST_NULL;
    int flag = -1;
    if (is_sender()) {
      MPI_Isend(data.data(), bytes, MPI_BYTE, last(), 9, comm, &request);
      check_that(MPI_Cancel(&request) == MPI_SUCCESS, "cancelling a send has failed");
    }
    if (is_receiver()) receive_checked(comm, 0, 9, bytes);
    MPI_Wait(&request, &status);
    MPI_Test_cancelled(&status, &flag);
    check_that(flag == 0, "a send that was received was cancelled");
  }
}

// ---- requests that are freed while they are active

void check_freed(MPI_Comm comm) {
  for (const int bytes : {8, 5000, 200'000}) {
    const Bytes data = content(0, 2, static_cast<std::size_t>(bytes));
    Bytes got(data.size());
    MPI_Request request = MPI_REQUEST_NULL;
    int flag = 0;
    if (is_receiver()) {
      MPI_Irecv(got.data(), bytes, MPI_BYTE, 0, 2, comm, &request);
      check_that(MPI_Request_free(&request) == MPI_SUCCESS && request == MPI_REQUEST_NULL, "not freed");
    }
    MPI_Barrier(comm);
    if (is_sender()) {
      MPI_Isend(data.data(), bytes, MPI_BYTE, last(), 2, comm, &request);
      check_that(MPI_Request_free(&request) == MPI_SUCCESS && request == MPI_REQUEST_NULL, "not freed");
    }
    // The message after it says that it has come; its bytes may still be on their way.
    if (is_sender()) MPI_Isend(&flag, 1, MPI_INT, last(), 3, comm, &request);
    if (is_receiver()) {
      MPI_Recv(&flag, 1, MPI_INT, 0, 3, comm, MPI_STATUS_IGNORE);
      while (got != data) MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &flag, MPI_STATUS_IGNORE);
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Barrier(comm);
  }
}

// ---- persistent requests

void check_persistent(MPI_Comm comm) {
  for (const int bytes : {8, 5000, 200'000}) {
    Bytes data(static_cast<std::size_t>(bytes)), got(data.size());
    MPI_Request send = MPI_REQUEST_NULL, receive = MPI_REQUEST_NULL;
    if (is_sender()) MPI_Send_init(data.data(), bytes, MPI_BYTE, last(), 2, comm, &send);
    if (is_receiver()) MPI_Recv_init(got.data(), bytes, MPI_BYTE, MPI_ANY_SOURCE, 2, comm, &receive);
    MPI_Request unanswered = MPI_REQUEST_NULL;
    MPI_Recv_init(got.data(), bytes, MPI_BYTE, MPI_ANY_SOURCE, 3, comm, &unanswered);
    const MPI_Request kept = send;
    for (int round = 0; round < 20; ++round) {
      refill(data, content(0, round, data.size()));
      MPI_Status status{};
      if (is_receiver()) check_that(MPI_Start(&receive) == MPI_SUCCESS, "the receive does not start again");
      if (is_sender()) check_that(MPI_Startall(1, &send) == MPI_SUCCESS, "the send does not start again");
      if (is_sender()) MPI_Wait(&send, MPI_STATUS_IGNORE);
      check_that(send == kept, "a persistent request has gone");
      if (!is_receiver()) continue;
      MPI_Wait(&receive, &status);
      check_status(status, 0, 2, got.size());
      check_content(got, 0, round);
      MPI_Start(&unanswered);  // one that is cancelled may start again, too
      MPI_Cancel(&unanswered);
      MPI_Wait(&unanswered, MPI_STATUS_IGNORE);
    }
    if (is_sender()) MPI_Request_free(&send);
    if (is_receiver()) MPI_Request_free(&receive);
    MPI_Request_free(&unanswered);
    MPI_Barrier(comm);
  }
}

void check_self(MPI_Comm) {
  for (MPI_Comm comm : {MPI_COMM_SELF, duplicate(MPI_COMM_SELF)}) {
    for (const int bytes : kSizes) {
      const Bytes data = content(0, 7, static_cast<std::size_t>(bytes));
      MPI_Request request;
      MPI_Isend(data.data(), bytes, MPI_BYTE, 0, 7, comm, &request);
      receive_checked(comm, 0, 7, bytes);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    if (comm != MPI_COMM_SELF) MPI_Comm_free(&comm);
  }
}

}  // namespace

int main() {
  MPI_Init(nullptr, nullptr);
  on_duplicate("sizes, the message first", check_sizes_late);
  on_duplicate("sizes, the receive first", check_sizes_early);
  on_duplicate("blocking calls", check_blocking);
  on_duplicate("synchronous sends", check_synchronous);
  on_duplicate("truncation", check_truncation);
  on_duplicate("truncation in sets", check_truncation_in_sets);
  on_duplicate("cancelled receives", check_cancel);
  on_duplicate("cancelled sends", check_cancel_of_sends);
  on_duplicate("freed requests", check_freed);
  on_duplicate("persistent requests", check_persistent);
  on_duplicate("oneself", check_self);
  MPI_Finalize();
  return 0;
}
