// Random sequences of the calls that move blocks, also among neighbours, in all their forms, on several
// communicators, some of which each sequence makes anew, with several of them under way at a time, against a
// serial shuffle of known bytes. Gaps of datatypes, gaps between blocks, and what lies before and behind
// buffers are compared, too. Any MPI with the calls of MPI-4 will do.
//
//   random_moves FIRST COUNT    sequences FIRST to FIRST+COUNT-1
//
// What fails names its sequence; a COUNT of 1 repeats it, and prints what it does.
#include <cstdio>
#include <cstdlib>
#include <memory>

#include "neighbours.hpp"
#include "operation.hpp"
#include "support/watchdog.hpp"

namespace {

using namespace foldlane::moves;
using foldlane::matching::Random;
namespace testing = foldlane::testing;

struct Job {
  Circles circles;
  Layouts layouts;
  Noise noise;
  bool prints = false;
  long long compared = 0;
};

/// All ranks draw the same calls; when they look at which of them is each rank's own affair.
class Sequence {
 public:
  Sequence(Job& job, std::uint64_t number)
      : job_(job),
        number_(number),
        random_(number),
        own_(number * 1'000'003 + rank_in_world() + 1),
        topologies_(random_) {}

  void run() {
    constexpr int kCalls = 50;
    constexpr std::size_t kMostUnderWay = 6;
    for (int i = 0; i < kCalls; ++i) {
      make_call();
      if (random_.chance(10)) meet();
      if (under_way_.size() == kMostUnderWay || random_.chance(30)) complete(random_.below(4) + 1);
    }
    while (!under_way_.empty()) complete(4);
  }

 private:
  using Under = std::unique_ptr<Operation>;

  std::uint64_t rank_in_world() const { return static_cast<std::uint64_t>(job_.circles[0].rank); }

  const Circle& circle_of(int number) const {
    const int shared = job_.circles.size();
    return number < shared ? job_.circles[number] : topologies_[number - shared];
  }

  void make_call() {
    const int number = random_.below(job_.circles.size() + topologies_.size());
    const Circle& circle = circle_of(number);
    const Move move = circle.has_topology && random_.chance(75)
                          ? draw_neighbours_move(random_, number)
                          : draw_move(random_, number, !circle.is_inter);
    if (job_.prints && rank_in_world() == 0)
      std::printf("%s on %s\n", move.text().c_str(), circle.name.c_str());
    auto operation = std::make_unique<Operation>(move, circle, job_.layouts, job_.noise);
    operation->begin();
    if (operation->is_under_way()) {
      under_way_.push_back(std::move(operation));
    } else {
      judge(*operation);
    }
  }

  /// A reduction and a message of the program between.
  void meet() const {
    const Circle& world = job_.circles[0];
    const int size = static_cast<int>(world.own.size());
    int sum = 0, from = -1;
    MPI_Allreduce(&world.rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Sendrecv(&world.rank, 1, MPI_INT, (world.rank + 1) % size, 0, &from, 1, MPI_INT,
                 (world.rank + size - 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (sum != size * (size - 1) / 2 || from != (world.rank + size - 1) % size)
      fail("MPI_Allreduce or MPI_Sendrecv has brought something else");
  }

  /// So many, of those that are under way; what is to be repeated starts again.
  void complete(int number) {
    random_.shuffle(under_way_);
    const std::size_t some = std::min(under_way_.size(), static_cast<std::size_t>(number));
    std::vector<Under> chosen;
    for (std::size_t i = 0; i < some; ++i) {
      chosen.push_back(std::move(under_way_.back()));
      under_way_.pop_back();
    }
    wait_for(chosen);
    for (Under& one : chosen) {
      judge(*one);
      if (!one->has_more_rounds()) continue;
      one->begin();
      under_way_.push_back(std::move(one));
    }
  }

  void wait_for(const std::vector<Under>& chosen) {
    std::vector<Operation*> order;
    std::vector<MPI_Request> requests;
    for (const Under& one : chosen) order.push_back(one.get());
    own_.shuffle(order);
    for (Operation* one : order) requests.push_back(one->request());
    const int size = static_cast<int>(requests.size());
    const int way = own_.below(3);
    int done = 0;
    if (way == 0) MPI_Waitall(size, requests.data(), MPI_STATUSES_IGNORE);
    if (way == 1)
      for (MPI_Request& request : requests) MPI_Wait(&request, MPI_STATUS_IGNORE);
    while (way == 2 && done == 0) MPI_Testall(size, requests.data(), &done, MPI_STATUSES_IGNORE);
    for (std::size_t i = 0; i < order.size(); ++i) order[i]->request() = requests[i];
  }

  void judge(Operation& operation) {
    const std::string wrong = operation.compared();
    if (!wrong.empty()) fail(wrong);
    ++job_.compared;
  }

  void fail(const std::string& why) const {
    std::fprintf(stderr, "sequence %llu: %s\n", static_cast<unsigned long long>(number_), why.c_str());
    MPI_Abort(MPI_COMM_WORLD, 1);
  }

  Job& job_;
  std::uint64_t number_;
  Random random_, own_;
  Topologies topologies_;
  std::vector<Under> under_way_;
};

void run_job(std::uint64_t first, std::uint64_t count) {
  Job job;
  job.prints = count == 1;
  for (std::uint64_t number = first; number < first + count; ++number) {
    testing::watch("sequence", number);
    Sequence(job, number).run();
  }
  long long all = 0;
  MPI_Reduce(&job.compared, &all, 1, MPI_LONG_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (job.circles[0].rank == 0)
    std::printf("sequences %llu to %llu: %lld calls by rank 0, %lld by all ranks, no byte differs\n",
                static_cast<unsigned long long>(first), static_cast<unsigned long long>(first + count - 1),
                job.compared, all);
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
