// An operation goes on whenever its process is inside any call of MPI, and requests may be completed in any
// order: where the ranks would wait for each other otherwise, this program hangs.
#include <functional>

#include "support/checked.hpp"

using namespace foldlane::testing;

namespace {

constexpr int kCounts[] = {1, 100, 5000, 200'000};

struct Sum {
  std::vector<int> in, out;
  MPI_Request request = MPI_REQUEST_NULL;

  Sum(MPI_Comm comm, int count) : in(static_cast<std::size_t>(count), my_rank() + 1), out(in.size()) {
    MPI_Iallreduce(in.data(), out.data(), count, MPI_INT, MPI_SUM, comm, &request);
  }
  void wait() { MPI_Wait(&request, MPI_STATUS_IGNORE); }
  bool test() {
    int flag = 0;
    MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
    return flag != 0;
  }
  void check() const {
    for (const int sum : out)
      if (sum != world_size() * (world_size() + 1) / 2) give_up("a wrong sum");
    ++compared_calls;
  }
};

/// Rank 0 is inside `other`, which the others begin only when the operation is complete for them.
void check_inside(const char* what, const std::function<void()>& other) {
  begin_case(what);
  MPI_Comm comm = duplicate(MPI_COMM_WORLD);
  for (const int count : kCounts) {
    Sum sum(comm, count);
    if (my_rank() == 0) {
      other();
      sum.wait();
    } else {
      sum.wait();
      other();
    }
    sum.check();
  }
  MPI_Comm_free(&comm);
}

void allreduce(int count) {
  const std::vector<int> in(static_cast<std::size_t>(count), 1);
  std::vector<int> out(in.size());
  MPI_Allreduce(in.data(), out.data(), count, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  check_that(out.back() == world_size(), "a sum of a blocking call");
}

void wait_for_barrier() {
  MPI_Request request;
  MPI_Ibarrier(MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

void test_barrier() {
  MPI_Request request;
  MPI_Ibarrier(MPI_COMM_WORLD, &request);
  for (int flag = 0; flag == 0;) MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
}

void make_and_free() {
  MPI_Comm comm = duplicate(MPI_COMM_WORLD);
  MPI_Comm_free(&comm);
}

void split() {
  MPI_Comm comm;
  MPI_Comm_split(MPI_COMM_WORLD, 0, -my_rank(), &comm);
  MPI_Comm_free(&comm);
}

/// A call of rank 0 is enough that asks for another request.
void check_test_of_another() {
  begin_case("an operation driven by tests of another one");
  MPI_Comm one = duplicate(MPI_COMM_WORLD), two = duplicate(MPI_COMM_WORLD);
  for (const int count : kCounts) {
    Sum sum(one, count);
    if (my_rank() != 0) sum.wait();
    Sum other(two, 1);
    while (!other.test()) continue;
    if (my_rank() == 0) sum.wait();
    sum.check();
    other.check();
  }
  MPI_Comm_free(&one);
  MPI_Comm_free(&two);
}

std::vector<MPI_Request> in_order(std::vector<Sum>& sums, const std::vector<std::size_t>& order) {
  std::vector<MPI_Request> requests;
  for (const std::size_t i : order) requests.push_back(sums[i].request);
  return requests;
}

void complete_all(std::vector<MPI_Request>& requests) {
  MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
}

void complete_any(std::vector<MPI_Request>& requests) {
  for (std::size_t done = 0; done < requests.size(); ++done) {
    int index = MPI_UNDEFINED;
    MPI_Waitany(static_cast<int>(requests.size()), requests.data(), &index, MPI_STATUS_IGNORE);
    check_that(index != MPI_UNDEFINED, "MPI_Waitany found nothing to wait for");
  }
}

void complete_some(std::vector<MPI_Request>& requests) {
  std::vector<int> indices(requests.size());
  for (int left = static_cast<int>(requests.size()); left > 0;) {
    int count = 0;
    MPI_Waitsome(static_cast<int>(requests.size()), requests.data(), &count, indices.data(),
                 MPI_STATUSES_IGNORE);
    check_that(count > 0, "MPI_Waitsome returned without any");
    left -= count;
  }
}

void complete_by_tests(std::vector<MPI_Request>& requests) {
  for (int flag = 0; flag == 0;)
    MPI_Testall(static_cast<int>(requests.size()), requests.data(), &flag, MPI_STATUSES_IGNORE);
}

void complete_one_by_one(std::vector<MPI_Request>& requests) {
  for (MPI_Request& request : requests) MPI_Wait(&request, MPI_STATUS_IGNORE);
}

/// Every rank completes the operations of several communicators in an order of its own, and in a way of its
/// own.
void check_orders() {
  begin_case("requests of several communicators in different orders");
  void (*const kWays[])(std::vector<MPI_Request>&) = {complete_all, complete_any, complete_some,
                                                      complete_by_tests, complete_one_by_one};
  std::vector<MPI_Comm> comms = duplicates(5);
  for (unsigned round = 0; round < 30; ++round) {
    std::vector<Sum> sums;
    sums.reserve(15);
    for (std::size_t i = 0; i < 15; ++i) sums.emplace_back(comms[i % 5], kCounts[(i + round) % 4]);
    const unsigned own = round + static_cast<unsigned>(my_rank());
    std::vector<MPI_Request> requests = in_order(sums, shuffled(sums.size(), own));
    kWays[own % std::size(kWays)](requests);
    for (const MPI_Request request : requests) check_that(request == MPI_REQUEST_NULL, "a request is left");
    for (const Sum& sum : sums) sum.check();
  }
  for (MPI_Comm& comm : comms) MPI_Comm_free(&comm);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  check_inside("inside MPI_Barrier", [] { MPI_Barrier(MPI_COMM_WORLD); });
  check_inside("inside MPI_Allreduce", [] { allreduce(1); });
  check_inside("inside a large MPI_Allreduce", [] { allreduce(300'000); });
  check_inside("inside MPI_Wait of another one", wait_for_barrier);
  check_inside("inside MPI_Test of another one", test_barrier);
  check_inside("inside MPI_Comm_dup", make_and_free);
  check_inside("inside MPI_Comm_split", split);
  check_test_of_another();
  check_orders();
  report_comparisons("progress");
  MPI_Finalize();
}
