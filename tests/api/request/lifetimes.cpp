// What a nonblocking or persistent collective needs may be freed as soon as the call has returned: operation,
// datatype, communicator, and counts. And what becomes of requests that are freed.
#include <sys/mman.h>
#include <unistd.h>

#include "support/checked.hpp"

using namespace foldlane::testing;

namespace {

constexpr int kCounts[] = {0, 1, 40, 3000, 100'000};

// Elements of two ints, 12 bytes apart, and an operation that keeps the left one and adds to its second part.

MPI_Datatype make_pairs() {
  MPI_Datatype two, spread;
  MPI_Type_contiguous(2, MPI_INT, &two);
  MPI_Type_create_resized(two, 0, 12, &spread);
  MPI_Type_free(&two);
  MPI_Type_commit(&spread);
  return spread;
}

void keep_left(void* in, void* inout, int* length, MPI_Datatype* type) {
  MPI_Count extent = 0, lower = 0;
  MPI_Type_get_extent_x(*type, &lower, &extent);
  check_that(extent == 12, "the function got another type");
  for (int i = 0; i < *length; ++i) {
    const int* const left = static_cast<int*>(in) + 3 * i;
    int* const right = static_cast<int*>(inout) + 3 * i;
    right[0] = left[0];
    right[1] += left[1];
  }
}

MPI_Op make_op() {
  MPI_Op op;
  MPI_Op_create(keep_left, 0, &op);
  return op;
}

struct Pairs {
  std::vector<int> in, out;

  Pairs(int count, int round) : in(static_cast<std::size_t>(3 * count)), out(in.size(), -1) { fill(round); }
  void fill(int round) {
    for (std::size_t i = 0; i < in.size(); i += 3) {
      in[i] = 100 * my_rank() + round;
      in[i + 1] = static_cast<int>(i) + my_rank();
    }
  }
  void check(int round, const char* what) const {
    const int ranks = world_size();
    for (std::size_t i = 0; i < out.size(); i += 3) {
      check_that(out[i] == round && out[i + 1] == static_cast<int>(i) * ranks + ranks * (ranks - 1) / 2,
                 what);
      check_that(out[i + 2] == -1, "a gap was written");
    }
  }
};

/// Takes the places of what was freed.
struct Successors {
  MPI_Datatype type;
  MPI_Op op;
  MPI_Comm comm;

  explicit Successors(MPI_Comm parent) : comm(duplicate(parent)) {
    MPI_Type_contiguous(5, MPI_CHAR, &type);
    MPI_Op_create([](void*, void*, int*, MPI_Datatype*) { give_up("another operation was called"); }, 0, &op);
  }
  ~Successors() {
    MPI_Type_free(&type);
    MPI_Op_free(&op);
    MPI_Comm_free(&comm);
  }
};

void check_all_freed_at_once() {
  for (const int count : kCounts) {
    MPI_Comm comm = duplicate(MPI_COMM_WORLD);
    MPI_Datatype type = make_pairs();
    MPI_Op op = make_op();
    Pairs pairs(count, 7);
    MPI_Request request;
    MPI_Iallreduce(pairs.in.data(), pairs.out.data(), count, type, op, comm, &request);
    MPI_Type_free(&type);
    MPI_Op_free(&op);
    MPI_Comm_free(&comm);
    const Successors successors(MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    pairs.check(7, "all handles freed after MPI_Iallreduce");
  }
}

void check_bcast_with_freed_type() {
  for (const int count : kCounts) {
    MPI_Comm comm = duplicate(MPI_COMM_WORLD);
    MPI_Datatype type = make_pairs();
    Pairs pairs(count, 3);
    MPI_Request request;
    MPI_Ibcast(pairs.in.data(), count, type, 0, comm, &request);
    MPI_Type_free(&type);
    MPI_Comm_free(&comm);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    for (std::size_t i = 0; i < pairs.in.size(); i += 3)
      check_that(pairs.in[i] == 3 && pairs.in[i + 1] == static_cast<int>(i), "type freed after MPI_Ibcast");
  }
}

/// A freed operation and a freed type serve the requests made of them, every time.
void check_persistent() {
  for (const int count : kCounts) {
    MPI_Datatype type = make_pairs();
    MPI_Op op = make_op();
    Pairs pairs(count, 0);
    MPI_Request request;
    MPI_Allreduce_init(pairs.in.data(), pairs.out.data(), count, type, op, MPI_COMM_WORLD, MPI_INFO_NULL,
                       &request);
    MPI_Type_free(&type);
    MPI_Op_free(&op);
    const Successors successors(MPI_COMM_WORLD);
    for (int round = 0; round < 5; ++round) {
      pairs.fill(round);
      MPI_Start(&request);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
      pairs.check(round, "handles freed after MPI_Allreduce_init");
    }
    MPI_Request_free(&request);
  }
}

/// A communicator lives as long as requests that can be started on it, as all other objects do.
void check_persistent_of_freed_comm(bool free_while_active) {
  for (const int count : kCounts) {
    MPI_Comm comm = duplicate(MPI_COMM_WORLD);
    MPI_Datatype type = make_pairs();
    MPI_Op op = make_op();
    Pairs pairs(count, 0);
    MPI_Request request;
    MPI_Allreduce_init(pairs.in.data(), pairs.out.data(), count, type, op, comm, MPI_INFO_NULL, &request);
    if (free_while_active) MPI_Start(&request);
    MPI_Comm_free(&comm);
    const Successors successors(MPI_COMM_WORLD);
    if (free_while_active) MPI_Wait(&request, MPI_STATUS_IGNORE);
    for (int round = 0; round < 5; ++round) {
      pairs.fill(round);
      MPI_Barrier(successors.comm);
      MPI_Start(&request);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
      pairs.check(round, "communicator freed after MPI_Allreduce_init");
    }
    MPI_Type_free(&type);
    MPI_Op_free(&op);
    MPI_Request_free(&request);
  }
}

/// The standard leaves an array of counts to the call until it is done, but mpi4py 3 frees it before.
void check_changed_counts(bool persistent) {
  for (const int count : kCounts) {
    std::vector<int> counts;
    int total = 0, begin = 0;
    for (int rank = 0; rank < world_size(); ++rank) {
      if (rank == my_rank()) begin = total;
      counts.push_back(count + rank);
      total += counts.back();
    }
    const int own = counts[static_cast<std::size_t>(my_rank())];
    std::vector<int> in(static_cast<std::size_t>(total)), out(static_cast<std::size_t>(own), -1);
    for (int i = 0; i < total; ++i) in[static_cast<std::size_t>(i)] = i + my_rank();
    MPI_Request request;
    if (persistent) {
      MPI_Reduce_scatter_init(in.data(), out.data(), counts.data(), MPI_INT, MPI_SUM, MPI_COMM_WORLD,
                              MPI_INFO_NULL, &request);
    } else {
      MPI_Ireduce_scatter(in.data(), out.data(), counts.data(), MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
    }
    std::fill(counts.begin(), counts.end(), 1);
    if (persistent) MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    const int ranks = world_size();
    for (int i = 0; i < own; ++i) {
      check_that(out[static_cast<std::size_t>(i)] == ranks * (begin + i) + ranks * (ranks - 1) / 2,
                 "counts changed after MPI_Ireduce_scatter");
    }
    if (persistent) MPI_Request_free(&request);
  }
}

/// The ranks free communicator and request in different orders.
void check_last_one_out() {
  for (int round = 0; round < 50; ++round) {
    MPI_Comm comm = duplicate(MPI_COMM_WORLD);
    const int mine = my_rank();
    int sum = 0;
    MPI_Request request;
    MPI_Allreduce_init(&mine, &sum, 1, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL, &request);
    MPI_Start(&request);
    if (my_rank() % 2 == round % 2) MPI_Comm_free(&comm);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    check_that(sum == world_size() * (world_size() - 1) / 2, "a sum on a communicator that some have freed");
    MPI_Request_free(&request);
    if (comm != MPI_COMM_NULL) MPI_Comm_free(&comm);
  }
}

/// An active collective must not be freed; the request is as good as before.
void check_free_of_active() {
  MPI_Comm comm = duplicate(MPI_COMM_WORLD);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  for (const bool persistent : {false, true}) {
    const int one = 1;
    int sum = 0;
    MPI_Request request;
    if (persistent) {
      MPI_Allreduce_init(&one, &sum, 1, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL, &request);
      MPI_Start(&request);
    } else {
      MPI_Iallreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm, &request);
    }
    const MPI_Request before = request;
    check_that(MPI_Request_free(&request) == MPI_ERR_REQUEST, "an active collective was freed");
    check_that(request == before, "the handle of a refused call changed");
    check_that(MPI_Wait(&request, MPI_STATUS_IGNORE) == MPI_SUCCESS, "a request after a refused free");
    check_that(sum == world_size(), "a sum after a refused free");
    if (persistent) MPI_Request_free(&request);
    check_that(request == MPI_REQUEST_NULL, "a completed or freed request is not null");
  }
  MPI_Comm_free(&comm);
}

/// Two operations at once read one buffer, on a page that nobody can write.
void check_shared_read_only_input() {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  for (const std::size_t bytes : {std::size_t{8}, page, 64 * page, 512 * page}) {
    void* const memory =
        mmap(nullptr, std::max(bytes, page), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) give_up("mmap failed");
    const std::size_t count = bytes / sizeof(int);
    auto* const in = static_cast<int*>(memory);
    for (std::size_t i = 0; i < count; ++i) in[i] = static_cast<int>(i) + my_rank();
    if (mprotect(memory, std::max(bytes, page), PROT_READ) != 0) give_up("mprotect failed");
    MPI_Comm comm = duplicate(MPI_COMM_WORLD);
    std::vector<int> sums(count), most(count), prefix(count);
    MPI_Request requests[3];
    const int length = static_cast<int>(count), ranks = world_size();
    MPI_Iallreduce(in, sums.data(), length, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests[0]);
    MPI_Iallreduce(in, most.data(), length, MPI_INT, MPI_MAX, comm, &requests[1]);
    MPI_Iscan(in, prefix.data(), length, MPI_INT, MPI_SUM, comm, &requests[2]);
    MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
    for (std::size_t i = 0; i < count; ++i) {
      const int index = static_cast<int>(i), before = my_rank() + 1;
      check_that(sums[i] == ranks * index + ranks * (ranks - 1) / 2, "a sum of a read-only buffer");
      check_that(most[i] == index + ranks - 1, "a maximum of a read-only buffer");
      check_that(prefix[i] == before * index + before * (before - 1) / 2, "a prefix of a read-only buffer");
    }
    MPI_Comm_free(&comm);
    munmap(memory, std::max(bytes, page));
  }
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  check_all_freed_at_once();
  check_bcast_with_freed_type();
  check_persistent();
  check_free_of_active();
  check_shared_read_only_input();
  check_last_one_out();
  check_changed_counts(false);
  check_changed_counts(true);
  check_persistent_of_freed_comm(false);
  check_persistent_of_freed_comm(true);
  report_comparisons("freed handles");
  MPI_Finalize();
}
