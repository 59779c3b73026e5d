// Random programs of blocking collectives of all kinds, on communicators that come and go, with messages,
// one-sided access and nonblocking collectives under way meanwhile: with datatypes of each rank's own, in
// place, by operations of the program. Where some rank decided otherwise than another, or did not go on with
// what its MPI has under way, they would hang. Results are compared with a serial computation.
//
//   random_calls FIRST COUNT    programs FIRST to FIRST+COUNT-1
//
// What fails names its program; a COUNT of 1 repeats it, and prints what it does.
#include <cstdio>
#include <cstdlib>
#include <list>
#include <memory>
#include <optional>

#include "folds.hpp"
#include "letters.hpp"
#include "moves/random/operation.hpp"
#include "support/watchdog.hpp"
#include "window.hpp"

namespace {

using namespace foldlane;
using namespace foldlane::host_test;
using matching::Random;
using moves::Circle;

struct Job {
  int rank = 0, ranks = 0;
  moves::Layouts layouts;
  moves::Noise noise;
  bool prints = false;
  long long compared = 0;
};

/// Nonblocking, and the host's.
class Behind {
 public:
  explicit Behind(int rank) : rank_(rank) {}

  void begin(int ranks) {
    if (request_ != MPI_REQUEST_NULL) return;
    wanted_ = ranks * (ranks - 1) / 2;
    MPI_Iallreduce(&rank_, &sum_, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request_);
  }
  bool end() {
    MPI_Wait(&request_, MPI_STATUS_IGNORE);
    return sum_ == wanted_;
  }

 private:
  int rank_, sum_ = 0, wanted_ = 0;
  MPI_Request request_ = MPI_REQUEST_NULL;
};

/// A communicator, and how many calls there were on it.
struct Known {
  Circle circle;
  int calls = 0;

  /// Its first calls are the host's, in which all ranks need the same datatypes: Allgatherv of MPICH 4 and
  /// Open MPI 4 cuts messages by the counts of each rank's own.
  bool is_young() const { return calls < 4 && circle.comm != MPI_COMM_WORLD; }
};

/// All ranks draw the same steps.
class Program {
 public:
  Program(Job& job, std::uint64_t number)
      : job_(job), number_(number), random_(number), letters_(job.rank), behind_(job.rank) {
    circles_.push_back({moves::circle_of("world", MPI_COMM_WORLD)});
    if (random_.chance(30)) window_.emplace(job.rank, job.ranks);
  }

  void run() {
    constexpr int kSteps = 40;
    for (int step = 0; step < kSteps; ++step) {
      begin_letters(step);
      if (random_.chance(8)) change_communicators();
      if (window_) visit();
      if (random_.chance(10)) behind_.begin(job_.ranks);
      call();
      if (random_.chance(20)) expect(behind_.end(), "MPI_Iallreduce");
      expect(letters_.end(step), "a message");
    }
    expect(letters_.end(2 * kSteps) && behind_.end(), "at the end");
    expect(!window_ || window_->is_right(), "one-sided access");
    while (circles_.size() > 1) free_communicator();
  }

 private:
  void begin_letters(int step) {
    std::vector<Letter> drawn;
    while (job_.ranks > 1 && random_.chance(40)) drawn.push_back(draw_letter(random_, job_.ranks, step));
    letters_.begin(drawn);
  }

  void visit() {
    if (random_.chance(30)) window_->make(draw_visit(random_, job_.ranks));
  }

  /// Of halves, each rank is in one.
  void change_communicators() {
    constexpr std::size_t kMost = 4;
    if (circles_.size() == kMost) return free_communicator();
    const int kind = random_.below(3);
    MPI_Comm comm;
    if (kind == 0) MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    if (kind == 1) MPI_Comm_split(MPI_COMM_WORLD, 0, -job_.rank, &comm);
    if (kind == 2) MPI_Comm_split(MPI_COMM_WORLD, job_.rank % 2, job_.rank, &comm);
    circles_.push_back({moves::circle_of(kind == 0 ? "duplicate" : kind == 1 ? "reversed" : "half", comm)});
  }
  void free_communicator() {
    const auto gone = std::next(circles_.begin(), 1 + random_.below(static_cast<int>(circles_.size()) - 1));
    MPI_Comm_free(&gone->circle.comm);
    circles_.erase(gone);
  }

  void call() {
    const int number = random_.below(static_cast<int>(circles_.size()));
    Known& known = *std::next(circles_.begin(), number);
    const Circle& circle = known.circle;
    const int kind = random_.below(20);
    if (kind == 0) {
      print("barrier", circle);
      MPI_Barrier(circle.comm);
    } else if (kind < 9) {
      fold(known);
    } else if (kind < 11) {
      broadcast(circle);
    } else {
      move(known);
    }
    ++known.calls;
    ++job_.compared;
  }

  /// What members of halves draw must not depend on which half it is.
  void fold(const Known& known) {
    const Circle& circle = known.circle;
    Fold drawn = draw_fold(random_, 1 << 20);
    drawn.root %= static_cast<int>(circle.own.size());
    // MPICH 4.0 reads from the address MPI_IN_PLACE, and copies buffers onto themselves.
    if (known.is_young() || drawn.has_own_operation() || wants_blocks(drawn)) drawn.in_place = false;
    print(drawn.text(), circle);
    expect(is_right(drawn, circle), drawn.text());
  }

  /// On the nodes that MPICH pretends ranks are not in blocks of neighbours, and such calls are the host's.
  static bool wants_blocks(const Fold& fold) {
    return std::getenv("MPIR_CVAR_NUM_CLIQUES") != nullptr && fold.call >= FoldCall::scan;
  }

  void broadcast(const Circle& circle) {
    constexpr int kCounts[] = {0, 1, 40, 3000, 60'000};
    const int count = kCounts[random_.below(5)],
              root = random_.below(1 << 20) % static_cast<int>(circle.own.size());
    const int value = random_.below(1000), ways = random_.below(1 << 20);
    const moves::Layout& layout = job_.layouts.of(1, (ways + circle.rank) % moves::Layouts::kSingles);
    print("bcast of " + std::to_string(count) + " ints", circle);
    std::vector<int> memory(layout.extent / sizeof(int) * static_cast<std::size_t>(count), -1);
    const auto place = [&](int i) -> int& { return memory[layout.place_of(i) / sizeof(int)]; };
    for (int i = 0; i < count && circle.rank == root; ++i) place(i) = value + i;
    MPI_Bcast(memory.data(), count, layout.type, root, circle.comm);
    bool same = true;
    for (int i = 0; i < count; ++i) same = same && place(i) == value + i;
    for (const int word : memory) same = same && word >= -1;
    expect(same, "MPI_Bcast");
  }

  void move(const Known& known) {
    const Circle& circle = known.circle;
    moves::Move drawn = moves::draw_move(random_, 0, true);
    drawn.is_alike = known.is_young();
    drawn.form = moves::Form::blocking;
    drawn.rounds = 1;
    print(drawn.text(), circle);
    moves::Operation operation(drawn, circle, job_.layouts, job_.noise);
    operation.begin();
    const std::string wrong = operation.compared();
    expect(wrong.empty(), wrong);
  }

  void print(const std::string& what, const Circle& circle) const {
    if (job_.prints && job_.rank == 0) std::printf("%s on %s\n", what.c_str(), circle.name.c_str());
  }
  void expect(bool holds, const std::string& what) const {
    if (holds) return;
    std::fprintf(stderr, "program %llu, rank %d: wrong: %s\n", static_cast<unsigned long long>(number_),
                 job_.rank, what.c_str());
    MPI_Abort(MPI_COMM_WORLD, 1);
  }

  Job& job_;
  std::uint64_t number_;
  Random random_;
  std::list<Known> circles_;
  Letters letters_;
  Behind behind_;
  std::optional<Window> window_;
};

void run_job(std::uint64_t first, std::uint64_t count) {
  Job job;
  job.prints = count == 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &job.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &job.ranks);
  for (std::uint64_t number = first; number < first + count; ++number) {
    testing::watch("program", number);
    Program(job, number).run();
  }
  if (job.rank == 0)
    std::printf("%llu programs, %lld collective calls by rank 0, none hangs, none differs\n",
                static_cast<unsigned long long>(count), job.compared);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: %s FIRST COUNT\n", argv[0]);
    return EXIT_FAILURE;
  }
  MPI_Init(&argc, &argv);
  run_job(std::strtoull(argv[1], nullptr, 10), std::strtoull(argv[2], nullptr, 10));
  MPI_Finalize();
  return EXIT_SUCCESS;
}
