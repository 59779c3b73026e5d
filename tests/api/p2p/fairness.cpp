// Who receives from anybody while several have messages ready gets messages of all of them: of one no more
// than half a lane in a row.
#include <fcntl.h>

#include <string>

#include "p2p/messages.hpp"

using namespace foldlane::testing;

namespace {

constexpr int kEach = 17;    // there is always room for that in a lane
constexpr int kInARow = 16;  // the promise

/// A pipe to rank 0, without MPI, which would look at messages while it waits.
class Pipe {
 public:
  Pipe() {
    int ends[2] = {-1, -1};
    if (my_rank() == 0) check_that(pipe2(ends, O_CLOEXEC) == 0, "a pipe");
    int where[2] = {getpid(), ends[1]};
    MPI_Bcast(where, 2, MPI_INT, 0, MPI_COMM_WORLD);
    if (my_rank() == 0) {
      in_ = ends[0], out_ = ends[1];
    } else {
      const std::string path = "/proc/" + std::to_string(where[0]) + "/fd/" + std::to_string(where[1]);
      out_ = open(path.c_str(), O_WRONLY | O_CLOEXEC);
    }
    check_that(out_ >= 0, "an end of the pipe");
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() {
    if (in_ >= 0) close(in_);
    close(out_);
  }
  void tell() const { check_that(write(out_, "x", 1) == 1, "writing to the pipe"); }
  void await(int others) const {
    char byte = 0;
    for (int i = 0; i < others; ++i) check_that(read(in_, &byte, 1) == 1, "reading from the pipe");
  }

 private:
  int in_ = -1, out_ = -1;
};

/// In the order in which they come.
using Sources = std::vector<int>;

Sources received_one_by_one(MPI_Comm comm, int messages, int bytes) {
  Sources sources;
  std::vector<char> got(static_cast<std::size_t>(bytes));
  for (int i = 0; i < messages; ++i) {
    MPI_Status status{};
    MPI_Recv(got.data(), bytes, MPI_CHAR, MPI_ANY_SOURCE, 1, comm, &status);
    sources.push_back(status.MPI_SOURCE);
  }
  return sources;
}

Sources received_at_once(MPI_Comm comm, int messages, int bytes) {
  const auto count = static_cast<std::size_t>(messages), length = static_cast<std::size_t>(bytes);
  std::vector<char> got(count * length);
  std::vector<MPI_Request> requests(count);
  std::vector<MPI_Status> statuses(count);
  for (std::size_t i = 0; i < count; ++i)
    MPI_Irecv(&got[i * length], bytes, MPI_CHAR, MPI_ANY_SOURCE, 1, comm, &requests[i]);
  MPI_Waitall(messages, requests.data(), statuses.data());
  Sources sources;
  for (const MPI_Status& status : statuses) sources.push_back(status.MPI_SOURCE);
  return sources;
}

/// Until one of them has none left.
void check_fair(const Sources& sources) {
  std::vector<int> left(static_cast<std::size_t>(world_size()), kEach);
  int last = -1, in_a_row = 0;
  for (const int source : sources) {
    in_a_row = source == last ? in_a_row + 1 : 1;
    last = source;
    if (in_a_row > kInARow)
      give_up("rank " + std::to_string(source) + " has " + std::to_string(in_a_row) + " in a row");
    if (--left[static_cast<std::size_t>(source)] == 0) return;
  }
}

void send_each(MPI_Comm comm, const Pipe& pipe, int bytes) {
  const std::vector<char> data(static_cast<std::size_t>(bytes));
  std::vector<MPI_Request> requests(kEach);
  for (MPI_Request& request : requests) MPI_Isend(data.data(), bytes, MPI_CHAR, 0, 1, comm, &request);
  pipe.tell();
  MPI_Waitall(kEach, requests.data(), MPI_STATUSES_IGNORE);
}

void check_both(MPI_Comm comm) {
  const int others = world_size() - 1;
  const Pipe pipe;
  // From then on rank 0 looks at their lanes by itself.
  if (my_rank() == 0) received_one_by_one(comm, others, 1);
  if (my_rank() != 0) MPI_Send("", 1, MPI_CHAR, 0, 1, comm);
  for (auto* const receive : {received_one_by_one, received_at_once}) {
    for (const int bytes : {64, 2048, 100'000}) {
      MPI_Barrier(comm);
      if (my_rank() == 0) {
        pipe.await(others);
        check_fair(receive(comm, others * kEach, bytes));
      } else {
        send_each(comm, pipe, bytes);
      }
    }
  }
  MPI_Barrier(comm);  // nobody opens what is closed
}

}  // namespace

int main() {
  MPI_Init(nullptr, nullptr);
  on_duplicate("receiving from anybody", check_both);
  MPI_Finalize();
  return 0;
}
