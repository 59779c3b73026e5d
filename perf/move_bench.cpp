// What calls that meet or move blocks could take: bare programs that do nothing else. They move blocks
// through shared places in two copies or, "straight", in one, because inputs and results lie in shared
// memory; they wait by pauses, or where there are more processes than CPUs by yields.
//   move_bench MOVE BYTES PROCESSES [straight]
// MOVE: meet (at a counter; BYTES mean nothing), gather, scatter, allgather, alltoall; BYTES of a block.
// Prints microseconds per call, medians: of calls in a row, and of each from the first entry to the last exit
// (and from the last entry) when they start as `foldlane bench` has ranks start (perf/METHOD.md).
#include <fmt/format.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <vector>

#include "shm/sync/atoms.hpp"
#include "shm/sync/pause.hpp"
#include "shm/sync/yield.hpp"

namespace foldlane::perf {
namespace {

using Word = shm::RealAtoms::Word<std::uint64_t>;

constexpr std::array<std::string_view, 5> kMoves{"meet", "gather", "scatter", "allgather", "alltoall"};
enum class Move : std::uint8_t { meet, gather, scatter, allgather, alltoall };

/// So many calls a process may be ahead of who reads what it gives.
constexpr std::uint64_t kPlaces = 4;
constexpr std::int64_t kLeadNs = 1500;
constexpr int kSlices = 11, kCalls = 200;

/// Of a process; words are numbers of calls or of starts, or nanoseconds.
struct Lines {
  alignas(128) Word filled;
  alignas(128) Word finished;
  alignas(128) Word turn;
  alignas(128) Word start;
  Word entry, exit;
};
struct Meeting {
  alignas(128) Word arrived;
  alignas(128) Word met;
};

/// Until the program ends.
template <class T>
T* shared(std::size_t count) {
  void* const memory =
      mmap(nullptr, count * sizeof(T), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) std::abort();
  return static_cast<T*>(memory);
}

std::int64_t now_ns() {
  using namespace std::chrono;
  return duration_cast<nanoseconds>(steady_clock::now().time_since_epoch()).count();
}

std::vector<std::size_t> usable_cpus() {
  cpu_set_t mask;
  sched_getaffinity(0, sizeof mask, &mask);
  std::vector<std::size_t> cpus;
  for (std::size_t cpu = 0; cpu < CPU_SETSIZE; ++cpu)
    if (CPU_ISSET(cpu, &mask)) cpus.push_back(cpu);
  return cpus;
}

struct Job {
  Job(Move what, std::size_t block, std::size_t processes, bool goes_straight)
      : move(what),
        straight(goes_straight),
        bytes(block),
        size(processes),
        cpus(usable_cpus()),
        lines(shared<Lines>(size)),
        meeting(shared<Meeting>(1)),
        inputs(shared<std::byte>(size * size * bytes + 1)),
        results(shared<std::byte>(size * size * bytes + 1)),
        places(shared<std::byte>(size * kPlaces * size * bytes + 1)) {}

  void pause() const {
    if (size > cpus.size()) return shm::yield_cpu();
    shm::pause();
  }
  void await(const Word& word, std::uint64_t value) const {
    while (word.observe() < value) pause();
  }
  /// A block of the input and of the result of a process.
  std::byte* input(std::size_t rank, std::size_t block) const {
    return inputs + (rank * size + block) * bytes;
  }
  std::byte* result(std::size_t rank, std::size_t block) const {
    return results + (rank * size + block) * bytes;
  }
  std::byte* place(std::size_t rank, std::uint64_t call) const {
    return places + (rank * kPlaces + call % kPlaces) * size * bytes;
  }
  bool gives_one_to_each() const { return move == Move::scatter || move == Move::alltoall; }
  bool has_root() const { return move == Move::gather || move == Move::scatter; }

  Move move;
  bool straight;
  std::size_t bytes, size;
  std::vector<std::size_t> cpus;
  Lines* lines;
  Meeting* meeting;
  std::byte *inputs, *results, *places;
};

/// Process 0 is the root.
class Process {
 public:
  Process(const Job& job, std::size_t rank) : job_(job), rank_(rank) {}

  void perform() {
    ++call_;
    if (job_.move == Move::meet) return meet();
    job_.straight ? move_straight() : move_through_places();
  }
  /// As the ranks of `foldlane bench`.
  void start_together() {
    ++turn_;
    if (rank_ > 0) {
      own().turn.publish(turn_);
      job_.await(job_.lines[0].turn, turn_);
    } else {
      for (std::size_t other = 1; other < job_.size; ++other) job_.await(job_.lines[other].turn, turn_);
      own().start.publish(static_cast<std::uint64_t>(now_ns() + kLeadNs));
      own().turn.publish(turn_);
    }
    const auto start = static_cast<std::int64_t>(job_.lines[0].start.observe());
    while (now_ns() < start) job_.pause();
  }
  void stamp() {
    start_together();
    const std::int64_t entry = now_ns();
    perform();
    own().exit.publish(static_cast<std::uint64_t>(now_ns()));
    own().entry.publish(static_cast<std::uint64_t>(entry));
  }

 private:
  bool is_root() const { return rank_ == 0; }
  Lines& own() const { return job_.lines[rank_]; }

  void meet() const {
    Meeting& at = *job_.meeting;
    if (at.arrived.add(1) + 1 == call_ * job_.size) return at.met.publish(call_);
    job_.await(at.met, call_);
  }

  // ---- through places

  void move_through_places() const {
    const bool gives = !job_.has_root() || is_root() == (job_.move == Move::scatter);
    const bool takes = !job_.has_root() || !gives;
    if (gives) give();
    if (!job_.has_root() || is_root()) keep_own();
    for (std::size_t giver = 0; takes && giver < job_.size; ++giver)
      if (giver != rank_ && (job_.move != Move::scatter || giver == 0)) take_from(giver);
    own().finished.publish(call_);
  }
  /// Once nobody reads what lay there before.
  void give() const {
    for (std::size_t reader = 0; call_ > kPlaces && reader < job_.size; ++reader)
      if (reader != rank_ && (job_.move != Move::gather || reader == 0))
        job_.await(job_.lines[reader].finished, call_ - kPlaces);
    std::memcpy(job_.place(rank_, call_), job_.input(rank_, 0),
                (job_.gives_one_to_each() ? job_.size : 1) * job_.bytes);
    own().filled.publish(call_);
  }
  void take_from(std::size_t giver) const {
    job_.await(job_.lines[giver].filled, call_);
    const std::size_t block = job_.gives_one_to_each() ? rank_ : 0;
    std::memcpy(job_.result(rank_, giver), job_.place(giver, call_) + block * job_.bytes, job_.bytes);
  }
  void keep_own() const {
    const std::size_t block = job_.gives_one_to_each() ? rank_ : 0;
    std::memcpy(job_.result(rank_, rank_), job_.input(rank_, block), job_.bytes);
  }

  // ---- straight

  /// The leaves copy; each of the others takes what is its.
  void move_straight() const {
    own().filled.publish(call_);
    if (!job_.has_root() || is_root()) keep_own();
    for (std::size_t other = 0; other < job_.size; ++other)
      if (other != rank_ && (!job_.has_root() || (!is_root() && other == 0))) copy_straight(other);
    own().finished.publish(call_);
    for (std::size_t other = 0; other < job_.size; ++other)
      if (!job_.has_root() || is_root()) job_.await(job_.lines[other].finished, call_);
  }
  void copy_straight(std::size_t other) const {
    job_.await(job_.lines[other].filled, call_);
    if (job_.move == Move::gather) {
      std::memcpy(job_.result(other, rank_), job_.input(rank_, 0), job_.bytes);
    } else {
      std::memcpy(job_.result(rank_, other), job_.input(other, job_.gives_one_to_each() ? rank_ : 0),
                  job_.bytes);
    }
  }

  const Job& job_;
  std::size_t rank_;
  std::uint64_t call_ = 0, turn_ = 0;
};

double median(std::vector<double>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

struct Times {
  std::vector<double> in_a_row, stamped, since_last;

  /// What all have left.
  void add_stamps(const Job& job) {
    std::uint64_t first = ~std::uint64_t{0}, last_in = 0, last_out = 0;
    for (std::size_t each = 0; each < job.size; ++each) {
      first = std::min(first, job.lines[each].entry.observe());
      last_in = std::max(last_in, job.lines[each].entry.observe());
      last_out = std::max(last_out, job.lines[each].exit.observe());
    }
    stamped.push_back(static_cast<double>(last_out - first) / 1e3);
    since_last.push_back(static_cast<double>(last_out - std::min(last_in, last_out)) / 1e3);
  }
};

/// All of them do this. The first slice warms up.
void live(const Job& job, std::size_t rank, Times& times) {
  cpu_set_t mask;
  CPU_ZERO(&mask);
  CPU_SET(job.cpus[rank * job.cpus.size() / std::max(job.size, job.cpus.size())], &mask);
  sched_setaffinity(0, sizeof mask, &mask);
  std::memset(job.input(rank, 0), 1, job.size * job.bytes);
  Process process(job, rank);
  for (int slice = 0; slice <= kSlices; ++slice) {
    process.start_together();
    const std::int64_t begin = now_ns();
    for (int i = 0; i < kCalls; ++i) process.perform();
    if (slice > 0) times.in_a_row.push_back(static_cast<double>(now_ns() - begin) / 1e3 / kCalls);
    for (int i = 0; i < kCalls; ++i) {
      process.stamp();
      process.start_together();
      if (slice > 0 && rank == 0) times.add_stamps(job);
    }
  }
}

int run(const Job& job) {
  Times times;
  for (std::size_t rank = 1; rank < job.size; ++rank) {
    const pid_t parent = getpid(), child = fork();
    if (child < 0) return 1;  // the others end with this one
    if (child > 0) continue;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() == parent) live(job, rank, times);
    std::_Exit(0);
  }
  live(job, 0, times);
  while (wait(nullptr) > 0) {
  }
  fmt::print(
      "{}{} of {} bytes, {} processes: {:.2f} us in a row; stamped {:.2f}, {:.2f} of it since the last "
      "entry\n",
      kMoves[static_cast<std::size_t>(job.move)], job.straight ? " straight" : "", job.bytes, job.size,
      median(times.in_a_row), median(times.stamped), median(times.since_last));
  return 0;
}

}  // namespace
}  // namespace foldlane::perf

int main(int argc, char** argv) {
  using namespace foldlane::perf;
  const auto* const move = argc > 3 ? std::find(kMoves.begin(), kMoves.end(), argv[1]) : kMoves.end();
  const long bytes = argc > 3 ? std::atol(argv[2]) : 0, size = argc > 3 ? std::atol(argv[3]) : 0;
  const bool straight = argc == 5 && std::string_view(argv[4]) == "straight";
  if (move == kMoves.end() || bytes < 0 || size < 2 || argc > (straight ? 5 : 4)) {
    fmt::print("usage: move_bench meet|gather|scatter|allgather|alltoall BYTES PROCESSES [straight]\n");
    return 2;
  }
  return run(Job(static_cast<Move>(move - kMoves.begin()), static_cast<std::size_t>(bytes),
                 static_cast<std::size_t>(size), straight));
}
