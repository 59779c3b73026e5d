// What is found and what goes where, between the first and the last rank, which are one and the same in a job
// of one: probes, matching by tag, by order and by communicator.
#include "p2p/messages.hpp"

using namespace foldlane::testing;

namespace {

int last() { return world_size() - 1; }
bool is_sender() { return my_rank() == 0; }
bool is_receiver() { return my_rank() == last(); }

using Bytes = std::vector<unsigned char>;

// ---- probes

void check_probe(MPI_Comm comm) {
  for (const int bytes : {0, 8, 5000, 200'000}) {
    const Bytes data = content(0, 2, static_cast<std::size_t>(bytes));
    Bytes got(data.size());
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Status status{};
    int flag = 0;
    if (is_sender()) MPI_Isend(data.data(), bytes, MPI_BYTE, last(), 2, comm, &request);
    if (is_receiver()) {
      check_that(MPI_Iprobe(MPI_ANY_SOURCE, 3, comm, &flag, &status) == MPI_SUCCESS && flag == 0,
                 "a message of another tag was found");
      MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &status);
      check_status(status, 0, 2, data.size());
      status = {};
      MPI_Iprobe(0, 2, comm, &flag, &status);
      check_that(flag == 1, "what was probed is not there");
      check_status(status, 0, 2, data.size());
      receive_checked(comm, 0, 2, bytes);
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
}

/// What is claimed nobody else receives, and it can be received in any order.
void check_mprobe(MPI_Comm comm) {
  for (const int bytes : {0, 8, 5000, 200'000}) {
    const auto length = static_cast<std::size_t>(bytes);
    const Bytes data[3] = {content(0, 0, length), content(0, 1, length), content(0, 2, length)};
    MPI_Request requests[3] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    for (int i = 0; i < 3 && is_sender(); ++i)
      MPI_Isend(data[i].data(), bytes, MPI_BYTE, last(), i, comm, &requests[i]);
    if (is_receiver()) {
      Bytes got[2] = {Bytes(length), Bytes(length)};
      MPI_Message messages[2] = {MPI_MESSAGE_NULL, MPI_MESSAGE_NULL};
      MPI_Status status{};
      MPI_Request request = MPI_REQUEST_NULL;
      int flag = 0;
      MPI_Mprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &messages[0], &status);
      check_status(status, 0, 0, length);
      while (flag == 0) MPI_Improbe(0, MPI_ANY_TAG, comm, &flag, &messages[1], &status);
      check_status(status, 0, 1, length);
      receive_checked(comm, 0, 2, bytes);
      MPI_Imrecv(got[1].data(), bytes, MPI_BYTE, &messages[1], &request);
      check_that(messages[1] == MPI_MESSAGE_NULL, "the message is still there");
      status = {};
      MPI_Wait(&request, &status);
      check_status(status, 0, 1, length);
      const MPI_Message before = messages[0];
      MPI_Mrecv(got[0].data(), bytes, MPI_BYTE, &messages[0], &status);
      check_status(status, 0, 0, length);
      check_content(got[0], 0, 0);
      check_content(got[1], 0, 1);
      MPI_Message stale = before;
      MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
      check_that(MPI_Mrecv(nullptr, 0, MPI_BYTE, &stale, &status) == MPI_ERR_REQUEST, "received twice");
      MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL);
    }
    MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
  }
}

void check_mrecv_truncation(MPI_Comm comm) {
  for (const bool waits : {true, false}) {
    int data[2] = {1, 2}, got = 0;
    MPI_Request request = MPI_REQUEST_NULL;
    if (is_sender()) MPI_Isend(data, 2, MPI_INT, last(), 8, comm, &request);
    if (is_receiver()) {
      MPI_Message message = MPI_MESSAGE_NULL;
      MPI_Request received = MPI_REQUEST_NULL;
      MPI_Mprobe(0, 8, comm, &message, MPI_STATUS_IGNORE);
      if (!waits) MPI_Imrecv(&got, 1, MPI_INT, &message, &received);
      const int code = waits ? MPI_Mrecv(&got, 1, MPI_INT, &message, MPI_STATUS_IGNORE)
                             : MPI_Wait(&received, MPI_STATUS_IGNORE);
      expect_error(code, MPI_ERR_TRUNCATE, {"rank 0 sent 8 bytes", "tag 8", "room for 4"});
      check_that(message == MPI_MESSAGE_NULL, "the message is still there");
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
}

// ---- matching

/// Receives are posted in one order, messages come in another one; each finds its own.
void check_tags(MPI_Comm comm) {
  constexpr int kMessages = 40;
  int data[kMessages], got[kMessages];
  MPI_Request requests[2 * kMessages];
  for (MPI_Request& request : requests) request = MPI_REQUEST_NULL;
  const std::vector<std::size_t> order = shuffled(kMessages, 1), other = shuffled(kMessages, 2);
  for (int i = 0; i < kMessages; ++i) {
    const auto to = static_cast<int>(order[static_cast<std::size_t>(i)]);
    const auto from = static_cast<int>(other[static_cast<std::size_t>(i)]);
    data[to] = 100 + to;
    if (is_receiver()) MPI_Irecv(&got[from], 1, MPI_INT, 0, from, comm, &requests[from]);
    if (is_sender()) MPI_Isend(&data[to], 1, MPI_INT, last(), to, comm, &requests[kMessages + to]);
  }
  MPI_Waitall(2 * kMessages, requests, MPI_STATUSES_IGNORE);
  for (int i = 0; i < kMessages && is_receiver(); ++i) check_that(got[i] == 100 + i, "tags were mixed up");
}

/// Messages of one tag do not overtake each other, whatever way they take.
void check_order(MPI_Comm comm) {
  constexpr int kRounds = 10;
  std::vector<Bytes> data;
  std::vector<MPI_Request> requests;
  for (int round = 0; round < kRounds; ++round) {
    for (const int bytes : {200'000, 8, 5000, 0, 9000, 90}) {
      data.push_back(content(0, static_cast<int>(data.size()), static_cast<std::size_t>(bytes)));
      if (!is_sender()) continue;
      requests.push_back(MPI_REQUEST_NULL);
      MPI_Isend(data.back().data(), bytes, MPI_BYTE, last(), 1, comm, &requests.back());
    }
  }
  for (std::size_t i = 0; i < data.size() && is_receiver(); ++i) {
    Bytes got(data[i].size());
    MPI_Status status{};
    const bool any = i % 2 == 0;
    MPI_Recv(got.data(), static_cast<int>(got.size()), MPI_BYTE, any ? MPI_ANY_SOURCE : 0,
             any ? MPI_ANY_TAG : 1, comm, &status);
    check_status(status, 0, 1, got.size());
    check_that(got == data[i], "a message has overtaken another one");
  }
  MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
}

/// Receives that would all accept a message get the messages in the order of their posting.
void check_posting_order(MPI_Comm comm) {
  int got[4] = {-1, -1, -1, -1}, data[4] = {0, 1, 2, 3};
  MPI_Request requests[4];
  const int sources[4] = {MPI_ANY_SOURCE, 0, 0, MPI_ANY_SOURCE};
  const int tags[4] = {2, MPI_ANY_TAG, 2, MPI_ANY_TAG};
  for (int i = 0; i < 4 && is_receiver(); ++i)
    MPI_Irecv(&got[i], 1, MPI_INT, sources[i], tags[i], comm, &requests[i]);
  MPI_Barrier(comm);
  for (int i = 0; i < 4 && is_sender(); ++i) MPI_Send(&data[i], 1, MPI_INT, last(), 2, comm);
  if (!is_receiver()) return;
  MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
  for (int i = 0; i < 4; ++i) check_that(got[i] == i, "a later receive was served first");
}

void check_communicators_apart(MPI_Comm comm) {
  const MPI_Comm other = duplicate(comm);
  int data[2] = {1, 2}, got[2] = {0, 0}, flag = -1;
  MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  if (is_sender()) {
    MPI_Isend(&data[0], 1, MPI_INT, last(), 1, comm, &requests[0]);
    MPI_Isend(&data[1], 1, MPI_INT, last(), 1, other, &requests[1]);
  }
  if (is_receiver()) {
    MPI_Recv(&got[1], 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, other, MPI_STATUS_IGNORE);
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, other, &flag, MPI_STATUS_IGNORE);
    check_that(flag == 0, "a message of another communicator was found");
    MPI_Recv(&got[0], 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, MPI_STATUS_IGNORE);
    check_that(got[0] == 1 && got[1] == 2, "communicators were mixed up");
  }
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  MPI_Comm freed = other;
  MPI_Comm_free(&freed);
}

}  // namespace

int main() {
  MPI_Init(nullptr, nullptr);
  on_duplicate("probes", check_probe);
  on_duplicate("claimed messages", check_mprobe);
  on_duplicate("truncation of claimed messages", check_mrecv_truncation);
  on_duplicate("tags", check_tags);
  on_duplicate("order of messages", check_order);
  on_duplicate("order of receives", check_posting_order);
  on_duplicate("communicators", check_communicators_apart);
  MPI_Finalize();
  return 0;
}
