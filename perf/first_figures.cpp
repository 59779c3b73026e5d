// First figures: MPI_Allreduce of doubles against the two limits of design.md section 8, all measured in turn
// within one run. A plain MPI program: `mpiexec -n 2 first_figures`. `foldlane bench` (a later issue)
// replaces it.
//
//   handoff  half a ping-pong of one flag line between rank 0 and rank 1
//   copy     all ranks copying their own bytes, private to private, at the same time; the better of plain and
//            streaming stores
#include <fcntl.h>
#if defined(__x86_64__)
#include <emmintrin.h>
#endif
#include <mpi.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

namespace {

constexpr int kRounds = 15;

int rank_of_this_process() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

/// Two lines shared by ranks 0 and 1, outside of the library under test.
class PingPong {
 public:
  PingPong() {
    int where[2] = {getpid(), memfd_create("ping-pong", 0)};
    if (rank_of_this_process() == 0 && ftruncate(where[1], 4096) != 0) MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Bcast(where, 2, MPI_INT, 0, MPI_COMM_WORLD);
    const std::string path = "/proc/" + std::to_string(where[0]) + "/fd/" + std::to_string(where[1]);
    const int fd = open(path.c_str(), O_RDWR);
    lines_ = static_cast<Line*>(mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0));
    if (lines_ == MAP_FAILED) MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Barrier(MPI_COMM_WORLD);
  }

  /// Microseconds from a store on one core until the other sees it.
  double handoff_us() {
    constexpr std::uint64_t kTurns = 20'000;
    const int rank = rank_of_this_process();
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    for (std::uint64_t turn = 1; rank < 2 && turn <= kTurns; ++turn) {
      const std::uint64_t value = base_ + turn;
      if (rank == 0) lines_[0].value.store(value, std::memory_order_release);
      while (lines_[1 - rank].value.load(std::memory_order_acquire) < value) {
      }
      if (rank == 1) lines_[1].value.store(value, std::memory_order_release);
    }
    base_ += kTurns;
    return (MPI_Wtime() - start) * 1e6 / (2.0 * kTurns);
  }

 private:
  struct alignas(64) Line {
    std::atomic<std::uint64_t> value;
  };
  Line* lines_ = nullptr;
  std::uint64_t base_ = 0;
};

void stream(double* to, const double* from, std::size_t count) {
#if defined(__x86_64__)
  for (std::size_t i = 0; i + 2 <= count; i += 2) _mm_stream_pd(to + i, _mm_loadu_pd(from + i));
  _mm_sfence();
#else
  std::memcpy(to, from, count * sizeof(double));
#endif
}

template <class Body>
double microseconds(int iterations, const Body& body) {
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  for (int i = 0; i < iterations; ++i) body();
  return (MPI_Wtime() - start) * 1e6 / iterations;
}

struct Figures {
  std::vector<double> samples;
  double quantile(double q) {
    std::sort(samples.begin(), samples.end());
    return samples[static_cast<std::size_t>(q * static_cast<double>(samples.size() - 1))];
  }
};

void measure(std::size_t bytes, PingPong& ping_pong) {
  const std::size_t count = bytes / sizeof(double);
  const int iterations = bytes <= 4096 ? 10'000 : bytes <= 1 << 20 ? 200 : 10;
  auto* send = static_cast<double*>(std::aligned_alloc(64, std::max<std::size_t>(64, bytes)));
  auto* recv = static_cast<double*>(std::aligned_alloc(64, std::max<std::size_t>(64, bytes)));
  std::fill_n(send, count, 1.0);
  std::fill_n(recv, count, 0.0);
  Figures allreduce, plain, streaming, handoff;
  for (int round = 0; round < kRounds; ++round) {
    handoff.samples.push_back(ping_pong.handoff_us());
    allreduce.samples.push_back(microseconds(iterations, [&] {
      MPI_Allreduce(send, recv, static_cast<int>(count), MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }));
    plain.samples.push_back(microseconds(iterations, [&] {
      std::memcpy(recv, send, bytes);
      asm volatile("" ::: "memory");
    }));
    streaming.samples.push_back(microseconds(iterations, [&] { stream(recv, send, count); }));
  }
  if (rank_of_this_process() == 0) {
    const double median = allreduce.quantile(0.5);
    std::printf("%10zu %12.3f %10.3f %10.3f %9.3f %10.2f %12.2f %8.2f\n", bytes, median,
                allreduce.quantile(0.25), allreduce.quantile(0.75), handoff.quantile(0.5),
                median / handoff.quantile(0.5), std::min(plain.quantile(0.5), streaming.quantile(0.5)),
                median / std::min(plain.quantile(0.5), streaming.quantile(0.5)));
  }
  std::free(send);
  std::free(recv);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  if (rank_of_this_process() == 0) {
    double load = 0;
    if (getloadavg(&load, 1) != 1) load = -1;
    std::printf(
        "MPI_Allreduce, double sum, hot private buffers; medians of %d rounds, microseconds; load %.2f\n",
        kRounds, load);
    std::printf("%10s %12s %10s %10s %9s %10s %12s %8s\n", "bytes", "allreduce", "quartile1", "quartile3",
                "handoff", "/ handoff", "copy", "/ copy");
  }
  PingPong ping_pong;
  for (const std::size_t bytes : {8ul, 4096ul, 1ul << 20, 64ul << 20}) measure(bytes, ping_pong);
  MPI_Finalize();
}
