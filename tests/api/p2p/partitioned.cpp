// Partitioned messages around a ring: other numbers of partitions on either side, partitions that become
// ready in any order and by several threads, what has arrived while others have not.
#include <thread>

#include "p2p/messages.hpp"

using namespace foldlane::testing;

namespace {

using Bytes = std::vector<unsigned char>;

int next() { return (my_rank() + 1) % world_size(); }
int before() { return (my_rank() + world_size() - 1) % world_size(); }

/// One way around the ring: `bytes` in `out` partitions here and in `in` there.
class Around {
 public:
  Around(MPI_Comm comm, int bytes, int out, int in, int tag = 1)
      : out_(out), in_(in), data_(static_cast<std::size_t>(bytes)), got_(data_.size()) {
    MPI_Psend_init(data_.data(), out, bytes / out, MPI_BYTE, next(), tag, comm, MPI_INFO_NULL, &send);
    MPI_Precv_init(got_.data(), in, bytes / in, MPI_BYTE, before(), tag, comm, MPI_INFO_NULL, &receive);
  }
  Around(const Around&) = delete;
  Around& operator=(const Around&) = delete;
  ~Around() {
    MPI_Request_free(&send);
    MPI_Request_free(&receive);
  }

  void start(int round) {
    round_ = round;
    std::fill(got_.begin(), got_.end(), static_cast<unsigned char>(0xee));
    MPI_Start(&send);
    MPI_Start(&receive);
    refill(data_, content(my_rank(), round, data_.size()));
  }
  void wait() {
    MPI_Status status{};
    MPI_Wait(&send, MPI_STATUS_IGNORE);
    MPI_Wait(&receive, &status);
    check_status(status, before(), status.MPI_TAG, got_.size());
    check_content(got_, before(), round_);
  }
  /// Of the receiver.
  bool has_arrived(int partition) {
    int flag = -1;
    MPI_Parrived(receive, partition, &flag);
    if (flag == 0) return false;
    const Bytes all = content(before(), round_, got_.size());
    const std::size_t each = got_.size() / static_cast<std::size_t>(in_);
    const std::size_t first = each * static_cast<std::size_t>(partition);
    check_that(std::memcmp(&got_[first], &all[first], each) == 0,
               "a partition was said to be there too early");
    return true;
  }

  int out() const { return out_; }
  int in() const { return in_; }

  MPI_Request send = MPI_REQUEST_NULL;
  MPI_Request receive = MPI_REQUEST_NULL;

 private:
  int out_, in_, round_ = 0;
  Bytes data_, got_;
};

void check_any_order(MPI_Comm comm) {
  for (const int bytes : {60, 60'000, 1'200'000}) {
    for (const int out : {1, 3, 4, 20}) {
      for (const int in : {1, 2, 4, 15}) {
        Around around(comm, bytes, out, in);
        for (int round = 0; round < 3; ++round) {
          around.start(round);
          for (const std::size_t i : shuffled(static_cast<std::size_t>(out), static_cast<unsigned>(round)))
            MPI_Pready(static_cast<int>(i), around.send);
          if (round == 1) {
            for (int i = 0; i < in; ++i) {
              while (!around.has_arrived(i)) {
              }
            }
          }
          around.wait();
        }
      }
    }
  }
}

/// The sender waits for what it gets: so nothing but what is ready can be there.
void check_one_by_one(MPI_Comm comm) {
  for (const int bytes : {24, 480'000}) {
    Around around(comm, bytes, 4, 2);
    for (int round = 0; round < 3; ++round) {
      around.start(round);
      MPI_Pready(2, around.send);
      MPI_Barrier(comm);
      for (int i = 0; i < 20; ++i) check_that(!around.has_arrived(0) && !around.has_arrived(1), "too early");
      MPI_Barrier(comm);
      const int rest[] = {3};
      MPI_Pready_list(1, rest, around.send);
      while (!around.has_arrived(1)) {
      }
      check_that(!around.has_arrived(0), "too early");
      MPI_Barrier(comm);
      MPI_Pready_range(0, 1, around.send);
      while (!around.has_arrived(0)) {
      }
      around.wait();
      int flag = -1;
      MPI_Parrived(around.receive, 0, &flag);
      check_that(flag == 1, "what was completed is not there");
    }
  }
}

void check_threads(MPI_Comm comm) {
  constexpr int kThreads = 3, kEach = 10;
  Around around(comm, 300'000, kThreads * kEach, 4);
  for (int round = 0; round < 20; ++round) {
    around.start(round);
    std::vector<std::thread> threads;
    for (int t = 0; t < kThreads; ++t) {
      threads.emplace_back([&around, t] {
        for (int i = 0; i < kEach; ++i) MPI_Pready(i * kThreads + t, around.send);
      });
    }
    around.wait();  // what the threads make ready ends it
    for (std::thread& thread : threads) thread.join();
  }
}

/// Those of one tag match in the order of their making, whatever the order of their starts; and none of them
/// matches a message that is not partitioned.
void check_matching(MPI_Comm comm) {
  Around first(comm, 600, 2, 3, 5), second(comm, 600, 3, 2, 5);
  Bytes data = content(my_rank(), 7, 600), got(600);
  MPI_Request request;
  MPI_Irecv(got.data(), 600, MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &request);
  for (int round = 0; round < 4; ++round) {
    Around* const order[] = {round % 2 == 0 ? &first : &second, round % 2 == 0 ? &second : &first};
    for (Around* around : order) {
      around->start(around == &first ? round : 100 + round);
      MPI_Pready_range(0, around->out() - 1, around->send);
    }
    first.wait();
    second.wait();
  }
  int flag = -1;
  MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
  check_that(flag == 0, "an ordinary receive got a partition");
  MPI_Barrier(comm);  // nobody sends before all have looked
  MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &flag, MPI_STATUS_IGNORE);
  check_that(flag == 0, "a partition was probed");
  MPI_Send(data.data(), 600, MPI_BYTE, next(), 5, comm);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  check_content(got, before(), 7);
}

/// The receiver makes its request when all has been sent, and is elsewhere while the sender waits.
void check_late_receiver(MPI_Comm comm) {
  for (const int bytes : {60, 600'000}) {
    Bytes data = content(my_rank(), 3, static_cast<std::size_t>(bytes)), got(data.size());
    MPI_Request send, receive;
    MPI_Psend_init(data.data(), 3, bytes / 3, MPI_BYTE, next(), 1, comm, MPI_INFO_NULL, &send);
    MPI_Start(&send);
    MPI_Pready_range(0, 2, send);
    MPI_Barrier(comm);
    MPI_Precv_init(got.data(), 2, bytes / 2, MPI_BYTE, before(), 1, comm, MPI_INFO_NULL, &receive);
    MPI_Start(&receive);
    // Nobody looks at the receive here: it must go on by itself.
    MPI_Wait(&send, MPI_STATUS_IGNORE);
    MPI_Barrier(comm);
    MPI_Wait(&receive, MPI_STATUS_IGNORE);
    check_content(got, before(), 3);
    MPI_Request_free(&send);
    MPI_Request_free(&receive);
  }
}

/// Gaps on one side, or on both.
void check_types(MPI_Comm comm) {
  constexpr int kInts = 12'000;
  MPI_Datatype sparse;
  MPI_Type_create_resized(MPI_INT, 0, 2 * sizeof(int), &sparse);
  MPI_Type_commit(&sparse);
  for (const bool sparse_here : {false, true}) {
    for (const bool sparse_there : {false, true}) {
      const std::size_t step = sparse_here ? 2 : 1, there = sparse_there ? 2 : 1;
      std::vector<int> data(step * kInts, -1), got(there * kInts, -1);
      MPI_Datatype type = sparse;
      MPI_Request send, receive;
      MPI_Psend_init(data.data(), 4, kInts / 4, sparse_here ? sparse : MPI_INT, next(), 1, comm,
                     MPI_INFO_NULL, &send);
      MPI_Precv_init(got.data(), 5, kInts / 5, sparse_there ? type : MPI_INT, before(), 1, comm,
                     MPI_INFO_NULL, &receive);
      MPI_Start(&receive);
      MPI_Start(&send);
      for (std::size_t i = 0; i < kInts; ++i) data[step * i] = static_cast<int>(i) + my_rank();
      MPI_Pready_range(0, 3, send);
      MPI_Wait(&send, MPI_STATUS_IGNORE);
      MPI_Wait(&receive, MPI_STATUS_IGNORE);
      for (std::size_t i = 0; i < got.size(); ++i) {
        const int expected = i % there != 0 ? -1 : static_cast<int>(i / there) + before();
        if (got[i] != expected) give_up("element " + std::to_string(i) + " is " + std::to_string(got[i]));
      }
      MPI_Request_free(&send);
      MPI_Request_free(&receive);
    }
  }
  MPI_Type_free(&sparse);
}

/// The communicator goes first; and requests that were never started leave nothing behind.
void check_freed_communicator() {
  int data[2] = {my_rank(), my_rank()}, got[2] = {-1, -1};
  MPI_Comm comm = duplicate(MPI_COMM_WORLD);
  MPI_Request send, receive, unused[2];
  MPI_Psend_init(data, 2, 1, MPI_INT, next(), 1, comm, MPI_INFO_NULL, &send);
  MPI_Precv_init(got, 1, 2, MPI_INT, before(), 1, comm, MPI_INFO_NULL, &receive);
  MPI_Psend_init(data, 2, 1, MPI_INT, next(), 2, comm, MPI_INFO_NULL, &unused[0]);
  MPI_Precv_init(got, 1, 2, MPI_INT, before(), 2, comm, MPI_INFO_NULL, &unused[1]);
  MPI_Comm_free(&comm);
  for (MPI_Request& request : unused) MPI_Request_free(&request);
  MPI_Start(&send);
  MPI_Start(&receive);
  MPI_Pready_range(0, 1, send);
  MPI_Wait(&send, MPI_STATUS_IGNORE);
  MPI_Wait(&receive, MPI_STATUS_IGNORE);
  check_that(got[0] == before() && got[1] == before(), "another message has come");
  MPI_Request_free(&send);
  MPI_Request_free(&receive);
}

}  // namespace

int main(int argc, char** argv) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  on_duplicate("any order", check_any_order);
  on_duplicate("one by one", check_one_by_one);
  on_duplicate("threads", check_threads);
  on_duplicate("matching", check_matching);
  on_duplicate("a late receiver", check_late_receiver);
  on_duplicate("types", check_types);
  begin_case("the communicator freed first");
  check_freed_communicator();
  MPI_Finalize();
  return 0;
}
