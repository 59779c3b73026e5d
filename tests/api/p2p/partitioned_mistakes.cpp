// Wrong uses of partitioned messages: each has its error class and says what to do, and spoils nothing. And
// what becomes of those that nobody sends or receives.
#include "p2p/messages.hpp"

using namespace foldlane::testing;

namespace {

using Bytes = std::vector<unsigned char>;

int next() { return (my_rank() + 1) % world_size(); }
int before() { return (my_rank() + world_size() - 1) % world_size(); }

void check_truncation(MPI_Comm comm) {
  for (const int bytes : {60, 60'000}) {
    Bytes data = content(my_rank(), 3, static_cast<std::size_t>(bytes)), got(data.size(), 0xee);
    MPI_Request send, receive;
    MPI_Psend_init(data.data(), 3, bytes / 3, MPI_BYTE, next(), 9, comm, MPI_INFO_NULL, &send);
    MPI_Precv_init(got.data(), 2, bytes / 4, MPI_BYTE, before(), 9, comm, MPI_INFO_NULL, &receive);
    MPI_Start(&send);
    MPI_Start(&receive);
    MPI_Pready_range(0, 2, send);
    check_that(MPI_Wait(&send, MPI_STATUS_IGNORE) == MPI_SUCCESS, "the sender was told");
    expect_error(MPI_Wait(&receive, MPI_STATUS_IGNORE), MPI_ERR_TRUNCATE,
                 {"rank " + std::to_string(before()), "3 partitions of " + std::to_string(bytes / 3), "tag 9",
                  "room for " + std::to_string(bytes / 2)});
    for (std::size_t i = got.size() / 2; i < got.size(); ++i)
      check_that(got[i] == 0xee, "written beyond the end");
    MPI_Request_free(&send);
    MPI_Request_free(&receive);
  }
}

void check_mistakes(MPI_Comm comm) {
  int data[4] = {1, 2, 3, 4}, got[4], flag = -1;
  const int beyond[] = {0, 4};
  MPI_Request send, receive, other;
  MPI_Psend_init(data, 4, 1, MPI_INT, next(), 1, comm, MPI_INFO_NULL, &send);
  MPI_Precv_init(got, 4, 1, MPI_INT, before(), 1, comm, MPI_INFO_NULL, &receive);
  expect_error(MPI_Pready(0, send), MPI_ERR_REQUEST, {"MPI_Pready", "not active"});
  MPI_Parrived(receive, 0, &flag);
  check_that(flag == 1, "an inactive request has everything");
  MPI_Start(&send);
  MPI_Start(&receive);
  expect_error(MPI_Pready(4, send), MPI_ERR_ARG, {"partition is 4", "0 to 3"});
  expect_error(MPI_Pready(-1, send), MPI_ERR_ARG, {"partition is -1"});
  expect_error(MPI_Pready_range(1, 4, send), MPI_ERR_ARG, {"partition_high is 4"});
  expect_error(MPI_Pready_range(2, 1, send), MPI_ERR_ARG, {"partition_low is 2"});
  expect_error(MPI_Pready_list(2, beyond, send), MPI_ERR_ARG, {"array_of_partitions is 4"});
  expect_error(MPI_Pready_list(-1, beyond, send), MPI_ERR_ARG, {"length is -1"});
  expect_error(MPI_Parrived(receive, 4, &flag), MPI_ERR_ARG, {"partition is 4"});
  expect_error(MPI_Pready(0, receive), MPI_ERR_REQUEST, {"MPI_Psend_init"});
  expect_error(MPI_Parrived(send, 0, &flag), MPI_ERR_REQUEST, {"MPI_Precv_init"});
  expect_error(MPI_Request_free(&send), MPI_ERR_REQUEST, {"active"});
  expect_error(MPI_Cancel(&receive), MPI_ERR_REQUEST, {"cancelled"});
  MPI_Pready(0, send);
  expect_error(MPI_Pready(0, send), MPI_ERR_ARG, {"partition 0", "before"});
  MPI_Pready_range(1, 3, send);
  MPI_Wait(&send, MPI_STATUS_IGNORE);
  MPI_Wait(&receive, MPI_STATUS_IGNORE);
  check_that(std::memcmp(data, got, sizeof data) == 0, "the mistakes have broken it");
  MPI_Request_free(&send);
  MPI_Request_free(&receive);
  MPI_Irecv(got, 1, MPI_INT, MPI_PROC_NULL, 1, comm, &other);
  expect_error(MPI_Pready(0, other), MPI_ERR_REQUEST, {"MPI_Psend_init"});
  MPI_Wait(&other, MPI_STATUS_IGNORE);
  const auto init = [&](int partitions, int count, int partner, int tag) {
    return MPI_Psend_init(data, partitions, count, MPI_INT, partner, tag, comm, MPI_INFO_NULL, &send);
  };
  expect_error(init(-1, 1, next(), 1), MPI_ERR_ARG, {"partitions is -1"});
  expect_error(init(1, -1, next(), 1), MPI_ERR_COUNT, {"-1"});
  expect_error(init(1, 1, world_size(), 1), MPI_ERR_RANK, {"dest"});
  expect_error(init(1, 1, next(), -5), MPI_ERR_TAG, {"-5"});
  expect_error(MPI_Precv_init(got, 1, 1, MPI_INT, MPI_ANY_SOURCE, 1, comm, MPI_INFO_NULL, &receive),
               MPI_ERR_RANK, {"source"});
  expect_error(MPI_Precv_init(got, 1, 1, MPI_INT, 0, MPI_ANY_TAG, comm, MPI_INFO_NULL, &receive), MPI_ERR_TAG,
               {"tag"});
}

void check_nobody(MPI_Comm comm) {
  int data[2] = {1, 2}, flag = -1;
  MPI_Status status{};
  MPI_Request send, receive;
  MPI_Psend_init(data, 2, 1, MPI_INT, MPI_PROC_NULL, 1, comm, MPI_INFO_NULL, &send);
  MPI_Precv_init(data, 2, 1, MPI_INT, MPI_PROC_NULL, 1, comm, MPI_INFO_NULL, &receive);
  MPI_Start(&send);
  MPI_Start(&receive);
  MPI_Pready_range(0, 1, send);
  MPI_Parrived(receive, 1, &flag);
  check_that(flag == 1, "what comes from nobody is there");
  MPI_Wait(&send, MPI_STATUS_IGNORE);
  MPI_Wait(&receive, &status);
  check_status(status, MPI_PROC_NULL, MPI_ANY_TAG, 0);
  MPI_Request_free(&send);
  MPI_Request_free(&receive);
}

}  // namespace

int main() {
  MPI_Init(nullptr, nullptr);
  on_duplicate("truncation", check_truncation);
  on_duplicate("mistakes", check_mistakes);
  on_duplicate("nobody", check_nobody);
  MPI_Finalize();
  return 0;
}
