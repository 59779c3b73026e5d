// A rank is killed while the others are in calls that move data: each ends with the class for that, within a
// second. Arguments: which call, and whether the others wait for what it sends ("short") or for it to receive
// ("long"). Between two ranks of a job with --shared-heap long blocks go straight from heap to heap.
#include <signal.h>

#include <array>
#include <string>

#include "support/checked.hpp"
#include "support/counters.hpp"

using namespace foldlane::testing;

namespace {

constexpr double kBoundS = 1.0;
constexpr int kKilled = 0, kSurvivor = 1;
constexpr int kMostRanks = 3, kLongest = 300'000;
constexpr std::size_t kBytes = std::size_t{kMostRanks} * kLongest;

/// What calls are made of: blocks of `n` bytes.
struct Blocks {
  int n;
  char *in, *out;
  std::array<int, kMostRanks> counts{n, n, n}, places{0, n, 2 * n};
  std::array<MPI_Aint, kMostRanks> offsets{0, n, 2 * n};
  std::array<MPI_Datatype, kMostRanks> types{MPI_CHAR, MPI_CHAR, MPI_CHAR};
};

MPI_Comm world() { return duplicate(MPI_COMM_WORLD); }
/// Everybody has one before and one behind.
MPI_Comm ring() {
  const int size = world_size(), periodic = 1;
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &periodic, 0, &comm);
  return comm;
}
/// To the one that is killed from all others.
MPI_Comm bridge() {
  const int side = my_rank() == kKilled ? 0 : 1;
  MPI_Comm local = MPI_COMM_NULL, comm = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, side, 0, &local);
  MPI_Intercomm_create(local, 0, MPI_COMM_WORLD, 1 - side, 0, &comm);
  return comm;
}

int gather_to(int root, const Blocks& b, MPI_Comm comm) {
  return MPI_Gather(b.in, b.n, MPI_CHAR, b.out, b.n, MPI_CHAR, root, comm);
}
int gatherv_to(int root, const Blocks& b, MPI_Comm comm) {
  return MPI_Gatherv(b.in, b.n, MPI_CHAR, b.out, b.counts.data(), b.places.data(), MPI_CHAR, root, comm);
}
int scatter_from(int root, const Blocks& b, MPI_Comm comm) {
  return MPI_Scatter(b.in, b.n, MPI_CHAR, b.out, b.n, MPI_CHAR, root, comm);
}
int scatterv_from(int root, const Blocks& b, MPI_Comm comm) {
  return MPI_Scatterv(b.in, b.counts.data(), b.places.data(), MPI_CHAR, b.out, b.n, MPI_CHAR, root, comm);
}
int allgather(const Blocks& b, MPI_Comm comm) {
  return MPI_Allgather(b.in, b.n, MPI_CHAR, b.out, b.n, MPI_CHAR, comm);
}
int allgatherv(const Blocks& b, MPI_Comm comm) {
  return MPI_Allgatherv(b.in, b.n, MPI_CHAR, b.out, b.counts.data(), b.places.data(), MPI_CHAR, comm);
}
int alltoall(const Blocks& b, MPI_Comm comm) {
  return MPI_Alltoall(b.in, b.n, MPI_CHAR, b.out, b.n, MPI_CHAR, comm);
}
int alltoall_in_place(const Blocks& b, MPI_Comm comm) {
  return MPI_Alltoall(MPI_IN_PLACE, b.n, MPI_CHAR, b.out, b.n, MPI_CHAR, comm);
}
int alltoallv(const Blocks& b, MPI_Comm comm) {
  return MPI_Alltoallv(b.in, b.counts.data(), b.places.data(), MPI_CHAR, b.out, b.counts.data(),
                       b.places.data(), MPI_CHAR, comm);
}
int alltoallw(const Blocks& b, MPI_Comm comm) {
  return MPI_Alltoallw(b.in, b.counts.data(), b.places.data(), b.types.data(), b.out, b.counts.data(),
                       b.places.data(), b.types.data(), comm);
}
int neighbours_alltoallw(const Blocks& b, MPI_Comm comm) {
  return MPI_Neighbor_alltoallw(b.in, b.counts.data(), b.offsets.data(), b.types.data(), b.out,
                                b.counts.data(), b.offsets.data(), b.types.data(), comm);
}
int neighbours_allgather(const Blocks& b, MPI_Comm comm) {
  return MPI_Neighbor_allgather(b.in, b.n, MPI_CHAR, b.out, b.n, MPI_CHAR, comm);
}
int iallgather(const Blocks& b, MPI_Comm comm) {
  MPI_Request request;
  const int code = MPI_Iallgather(b.in, b.n, MPI_CHAR, b.out, b.n, MPI_CHAR, comm, &request);
  return code != MPI_SUCCESS ? code : MPI_Wait(&request, MPI_STATUS_IGNORE);
}
int persistent_alltoallv(const Blocks& b, MPI_Comm comm) {
  static MPI_Request request = MPI_REQUEST_NULL;
  int code = MPI_SUCCESS;
  if (request == MPI_REQUEST_NULL)
    code = MPI_Alltoallv_init(b.in, b.counts.data(), b.places.data(), MPI_CHAR, b.out, b.counts.data(),
                              b.places.data(), MPI_CHAR, comm, MPI_INFO_NULL, &request);
  if (code == MPI_SUCCESS) code = MPI_Start(&request);
  return code != MPI_SUCCESS ? code : MPI_Wait(&request, MPI_STATUS_IGNORE);
}

template <int (*kCall)(int, const Blocks&, MPI_Comm), int kRoot>
int rooted(const Blocks& blocks, MPI_Comm comm) {
  return kCall(kRoot, blocks, comm);
}

struct Row {
  const char* name;
  MPI_Comm (*on)();
  int (*make)(const Blocks&, MPI_Comm);
};
constexpr Row kRows[] = {
    {"gather", world, rooted<gather_to, kKilled>},
    {"gatherv", world, rooted<gatherv_to, kKilled>},
    {"scatter", world, rooted<scatter_from, kKilled>},
    {"scatterv", world, rooted<scatterv_from, kKilled>},
    {"gather_to_survivor", world, rooted<gather_to, kSurvivor>},
    {"gatherv_to_survivor", world, rooted<gatherv_to, kSurvivor>},
    {"scatter_from_survivor", world, rooted<scatter_from, kSurvivor>},
    {"scatterv_from_survivor", world, rooted<scatterv_from, kSurvivor>},
    {"allgather", world, allgather},
    {"allgatherv", world, allgatherv},
    {"alltoall", world, alltoall},
    {"in_place", world, alltoall_in_place},
    {"alltoallv", world, alltoallv},
    {"alltoallw", world, alltoallw},
    {"iallgather", world, iallgather},
    {"persistent_alltoallv", world, persistent_alltoallv},
    {"neighbours_allgather", ring, neighbours_allgather},
    {"neighbours_alltoallw", ring, neighbours_alltoallw},
    {"inter_allgather", bridge, allgather},
    {"inter_alltoallv", bridge, alltoallv},
};

const Row& row_of(const std::string& name) {
  for (const Row& row : kRows)
    if (name == row.name) return row;
  give_up("there is no such call");
}

/// Where the others can reach it, with --shared-heap.
char* memory() {
  char* bytes = nullptr;
  if (std::getenv("FOLDLANE_SHARED_HEAP") == nullptr) {
    static std::array<std::array<char, kBytes>, 2> all;
    static std::size_t given = 0;
    return all.at(given++).data();
  }
  MPI_Alloc_mem(kBytes, MPI_INFO_NULL, &bytes);
  return bytes;
}

/// Who only gives a few bytes does not wait for anybody.
int make_until_it_fails(const Row& row, const Blocks& blocks, MPI_Comm comm, double start) {
  int code = MPI_SUCCESS;
  while (code == MPI_SUCCESS && MPI_Wtime() - start < kBoundS) code = row.make(blocks, comm);
  return code;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  if (argc != 3) give_up("usage: killed_moves CALL LENGTH");
  begin_case("in a call with a rank that was killed", 20);
  const Row& row = row_of(argv[1]);
  const bool is_long = std::string(argv[2]) == "long";
  const Blocks blocks{is_long ? kLongest : 200, memory(), memory()};
  MPI_Comm comm = row.on();
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  if (world_size() == 2 && is_long) {
    check_that(row.make(blocks, comm) == MPI_SUCCESS, "a call before");
    check_that(foldlane::tests::counted("foldlane_direct_calls") == 1, "it goes from heap to heap");
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (my_rank() == kKilled) raise(SIGKILL);
  const double start = MPI_Wtime();
  const int code = make_until_it_fails(row, blocks, comm, start);
  int error_class = MPI_SUCCESS;
  MPI_Error_class(code, &error_class);
  check_that(error_class == MPI_ERR_PROC_ABORTED, "the call says that a process has ended");
  check_that(MPI_Wtime() - start < kBoundS, "it says so in time");
  std::puts("the call ends with MPI_ERR_PROC_ABORTED");
  std::fflush(stdout);
  _exit(0);
}
