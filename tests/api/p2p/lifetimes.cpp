// What a message needs may be freed as soon as its call has returned, in any order: datatype, communicator
// and request; the rest of the way is the library's. And communicators that are left go away with all of it.
#include "p2p/messages.hpp"

using namespace foldlane::testing;

namespace {

constexpr int kCounts[] = {1, 10, 500, 5000, 60'000};

/// Two ints with a gap between them.
MPI_Datatype make_sparse() {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_vector(2, 1, 2, MPI_INT, &type);
  MPI_Datatype resized = MPI_DATATYPE_NULL;
  MPI_Type_create_resized(type, 0, 4 * sizeof(int), &resized);
  MPI_Type_free(&type);
  MPI_Type_commit(&resized);
  return resized;
}

std::vector<int> numbers(int count, int first) {
  std::vector<int> made(4 * static_cast<std::size_t>(count));
  std::iota(made.begin(), made.end(), first);
  return made;
}

void check_numbers(const std::vector<int>& got, int first) {
  ++compared_calls;
  for (std::size_t i = 0; i < got.size(); ++i) {
    const int expected = i % 2 == 0 ? first + static_cast<int>(i) : -1;
    if (got[i] != expected) give_up("element " + std::to_string(i) + " is " + std::to_string(got[i]));
  }
}

int next() { return (my_rank() + 1) % world_size(); }
int before() { return (my_rank() + world_size() - 1) % world_size(); }

/// Takes the places of what was freed.
class Successors {
 public:
  Successors() : comm_(duplicate(MPI_COMM_WORLD)) { MPI_Type_contiguous(3, MPI_CHAR, &type_); }
  Successors(const Successors&) = delete;
  Successors& operator=(const Successors&) = delete;
  ~Successors() {
    MPI_Type_free(&type_);
    MPI_Comm_free(&comm_);
  }

 private:
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
  MPI_Comm comm_;
};

void check_type_and_communicator() {
  for (const int count : kCounts) {
    for (const bool early : {false, true}) {
      MPI_Comm comm = duplicate(MPI_COMM_WORLD);
      MPI_Datatype type = make_sparse();
      const std::vector<int> data = numbers(count, my_rank());
      std::vector<int> got(data.size(), -1);
      MPI_Request requests[2];
      if (!early) MPI_Isend(data.data(), count, type, next(), 1, comm, &requests[0]);
      MPI_Irecv(got.data(), count, type, before(), 1, comm, &requests[1]);
      if (early) MPI_Isend(data.data(), count, type, next(), 1, comm, &requests[0]);
      MPI_Type_free(&type);
      MPI_Comm_free(&comm);
      const Successors successors;
      check_that(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE) == MPI_SUCCESS, "Waitall failed");
      check_numbers(got, before());
    }
  }
}

/// The last use of the communicator is a request that nobody waits for.
void check_all_freed() {
  for (const int count : kCounts) {
    MPI_Comm comm = duplicate(MPI_COMM_WORLD);
    MPI_Datatype type = make_sparse();
    const std::vector<int> data = numbers(count, my_rank());
    std::vector<int> got(data.size(), -1);
    MPI_Request sent, received;
    MPI_Irecv(got.data(), count, type, before(), 1, comm, &received);
    MPI_Isend(data.data(), count, type, next(), 1, comm, &sent);
    MPI_Request_free(&sent);
    MPI_Type_free(&type);
    MPI_Comm_free(&comm);
    const Successors successors;
    MPI_Wait(&received, MPI_STATUS_IGNORE);
    check_numbers(got, before());
    MPI_Barrier(MPI_COMM_WORLD);  // the data may be the program's again only now
  }
}

void check_persistent() {
  for (const int count : kCounts) {
    MPI_Comm comm = duplicate(MPI_COMM_WORLD);
    MPI_Datatype type = make_sparse();
    std::vector<int> data(4 * static_cast<std::size_t>(count)), got(data.size(), -1);
    MPI_Request requests[2];
    MPI_Ssend_init(data.data(), count, type, next(), 1, comm, &requests[0]);
    MPI_Recv_init(got.data(), count, type, before(), 1, comm, &requests[1]);
    MPI_Type_free(&type);
    MPI_Comm_free(&comm);
    const Successors successors;
    for (int round = 0; round < 3; ++round) {
      refill(data, numbers(count, my_rank() + round));
      MPI_Startall(2, requests);
      MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
      check_numbers(got, before() + round);
    }
    refill(data, numbers(count, my_rank()));
    MPI_Startall(2, requests);
    MPI_Request_free(&requests[0]);  // active
    MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
    check_numbers(got, before());
    MPI_Request_free(&requests[1]);
    MPI_Barrier(MPI_COMM_WORLD);
  }
}

void check_claimed() {
  for (const int count : kCounts) {
    MPI_Comm comm = duplicate(MPI_COMM_WORLD);
    MPI_Datatype type = make_sparse();
    const std::vector<int> data = numbers(count, my_rank());
    std::vector<int> got(data.size(), -1);
    MPI_Request requests[2];
    MPI_Message message;
    MPI_Isend(data.data(), count, type, next(), 1, comm, &requests[0]);
    MPI_Mprobe(before(), 1, comm, &message, MPI_STATUS_IGNORE);
    MPI_Comm_free(&comm);
    const Successors successors;
    MPI_Imrecv(got.data(), count, type, &message, &requests[1]);
    MPI_Type_free(&type);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    check_numbers(got, before());
  }
}

void check_buffered() {
  static char buffer[1 << 20];
  MPI_Buffer_attach(buffer, sizeof buffer);
  for (const int count : kCounts) {
    MPI_Comm comm = duplicate(MPI_COMM_WORLD);
    MPI_Datatype type = make_sparse();
    std::vector<int> data = numbers(count, my_rank()), got(data.size(), -1);
    MPI_Request request;
    MPI_Bsend(data.data(), count, type, next(), 1, comm);
    std::fill(data.begin(), data.end(), -7);
    MPI_Irecv(got.data(), count, type, before(), 1, comm, &request);
    MPI_Type_free(&type);
    MPI_Comm_free(&comm);
    const Successors successors;
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    check_numbers(got, before());
  }
  void* address = nullptr;
  int size = 0;
  MPI_Buffer_detach(&address, &size);
  check_that(address == buffer && size == sizeof buffer, "the buffer did not come back");
}

/// More communicators than ids: those that were freed with a message under way must go.
void check_ids_come_back() {
  std::vector<int> data(50'000, my_rank()), got(data.size());
  for (int round = 0; round < 200; ++round) {
    MPI_Comm comm = duplicate(MPI_COMM_WORLD);
    MPI_Request sent, received;
    MPI_Irecv(got.data(), static_cast<int>(got.size()), MPI_INT, before(), 1, comm, &received);
    MPI_Isend(data.data(), static_cast<int>(data.size()), MPI_INT, next(), 1, comm, &sent);
    MPI_Request_free(&sent);
    MPI_Comm_free(&comm);
    MPI_Wait(&received, MPI_STATUS_IGNORE);
    check_that(got.front() == before() && got.back() == before(), "a wrong message has come");
    MPI_Barrier(MPI_COMM_WORLD);
  }
}

}  // namespace

int main(int argc, char** argv) {
  int provided = 0;
  const bool threads = argc > 1 && std::string(argv[1]) == "threads";
  MPI_Init_thread(&argc, &argv, threads ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &provided);
  begin_case("types and communicators");
  check_type_and_communicator();
  begin_case("all freed");
  check_all_freed();
  begin_case("persistent requests");
  check_persistent();
  begin_case("claimed messages");
  check_claimed();
  begin_case("buffered sends");
  check_buffered();
  begin_case("ids");
  check_ids_come_back();
  MPI_Finalize();
  return 0;
}
