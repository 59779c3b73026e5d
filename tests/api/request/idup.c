/* MPI_Comm_idup overlaps with calls on other communicators and on the same one, and several are under way at
 * a time. */
#include <mpi.h>

#include "support/expect.h"

static int rank, size;

static void use(MPI_Comm comm) {
  int one = 1, sum = 0;
  MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm);
  expect_that(sum == size, "a duplicate does not reduce over everybody");
}

/* The ranks begin in different orders, which only calls that do not block allow. */
static void overlap(void) {
  MPI_Comm other, copies[3];
  MPI_Request requests[3];
  MPI_Comm_dup(MPI_COMM_WORLD, &other);
  if (rank % 2 == 0) MPI_Barrier(other);
  for (int i = 0; i < 3; ++i) MPI_Comm_idup(MPI_COMM_WORLD, &copies[i], &requests[i]);
  if (rank % 2 == 1) MPI_Barrier(other);
  MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
  for (int i = 0; i < 3; ++i) {
    expect_that(requests[i] == MPI_REQUEST_NULL, "a complete request is not null");
    use(copies[i]);
    MPI_Comm_free(&copies[i]);
  }
  MPI_Comm_free(&other);
}

/* A later call on the parent takes its turn after the duplicates, which nobody has waited for yet. */
static void later_call_on_the_parent(void) {
  MPI_Comm copies[2];
  MPI_Request requests[2];
  int index = -1, flag = 0, done[2];
  MPI_Comm_idup(MPI_COMM_WORLD, &copies[0], &requests[0]);
  MPI_Comm_idup(MPI_COMM_WORLD, &copies[1], &requests[1]);
  use(MPI_COMM_WORLD);
  MPI_Waitany(2, requests, &index, MPI_STATUS_IGNORE);
  expect_that((index == 0 || index == 1) && requests[index] == MPI_REQUEST_NULL, "no duplicate is complete");
  while (!flag) MPI_Testsome(2, requests, &flag, done, MPI_STATUSES_IGNORE);
  expect_that(flag == 1 && done[0] == 1 - index, "the other duplicate is not complete");
  use(copies[1]);
  use(copies[0]);
  MPI_Comm_free(&copies[0]);
  MPI_Comm_free(&copies[1]);
}

static void one_at_a_time(void) {
  MPI_Comm copy, alone;
  MPI_Request request;
  MPI_Status status;
  MPI_Info info, used;
  char value[8];
  int flag = 0, length = sizeof value;
  MPI_Info_create(&info);
  MPI_Info_set(info, "key", "value");
  MPI_Comm_idup_with_info(MPI_COMM_WORLD, info, &copy, &request);
  while (!flag) MPI_Test(&request, &flag, &status);
  expect_that(status.MPI_SOURCE == MPI_ANY_SOURCE && request == MPI_REQUEST_NULL, "wrong status");
  MPI_Comm_get_info(copy, &used);
  MPI_Info_get_string(used, "key", &length, value, &flag);
  expect_that(flag && value[0] == 'v', "the hint is lost");
  MPI_Info_free(&used);
  MPI_Info_free(&info);
  use(copy);
  MPI_Comm_free(&copy);
  MPI_Comm_idup(MPI_COMM_SELF, &alone, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Comm_size(alone, &length);
  expect_that(length == 1, "a duplicate of MPI_COMM_SELF has peers");
  MPI_Comm_free(&alone);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int round = 0; round < 200; ++round) {
    overlap();
    later_call_on_the_parent();
    one_at_a_time();
  }
  MPI_Finalize();
  return 0;
}
