// Random programs of point-to-point calls, and whether what they observe is legal. Any MPI will do:
//
//   job planned FIRST COUNT [THREADS]    programs FIRST to FIRST+COUNT-1, of no more ranks than the job's
//   job small FIRST COUNT [THREADS]      short ones whose outcomes are all known, but for those that may
//                                        deadlock
//
// With THREADS each rank has so many, all at once on communicators of their own: each runs the COUNT programs
// behind those of the thread before. With a COUNT of 1, which repeats a failure, the program is printed as
// well.
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "matching/check.hpp"
#include "matching/generate.hpp"
#include "matching/mpi/peer_defects.hpp"
#include "matching/mpi/run.hpp"
#include "matching/mpi/watch.hpp"
#include "matching/walk.hpp"

namespace {

using namespace foldlane::matching;

constexpr int kCounts = 3;  // programs, messages, legal outcomes

/// The programs of one thread of each rank.
class Job {
 public:
  /// Collective, as its end is.
  Job(std::uint64_t first, std::uint64_t count, int thread, const Types& types, Buffer buffer)
      : first_(first), count_(count), thread_(thread), types_(types), buffer_(buffer) {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
    for (int ranks = 1; ranks <= size_; ++ranks) comms_.push_back(make_comms(ranks));
  }
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;
  ~Job() {
    for (std::vector<MPI_Comm>& comms : comms_) free_comms(comms);
  }

  void run(const std::string& kind) {
    kind == "planned" ? run_planned() : run_small();
    end_watch(thread_);
  }

  void count_in(long long (&counts)[kCounts]) const {
    for (int i = 0; i < kCounts; ++i) counts[i] += counted_[i];
  }

 private:
  void run_planned() {
    for (std::uint64_t seed = first_; seed < first_ + count_; ++seed) {
      watch(thread_, "planned", seed);
      const Program program = planned_program(seed, size_);
      if (rank_ < program.ranks() && !has_defect(program)) run_one("planned", program, nullptr);
    }
  }

  /// Each program is explored by one of its ranks, all ranks at a time.
  void run_small() {
    constexpr std::uint64_t kBatch = 256;
    for (std::uint64_t from = first_; from < first_ + count_; from += kBatch) {
      watch(thread_, "small", from);
      explore_batch(from, std::min(kBatch, first_ + count_ - from));
      for (std::size_t i = 0; i < safe_.size(); ++i) {
        const Program program = small_program(from + i, size_);
        watch(thread_, "small", program.seed);
        if (safe_[i] != 0 && rank_ < program.ranks()) run_one("small", program, &legal_[i]);
      }
    }
  }

  int checker_of(const Program& program) const {
    return static_cast<int>(program.seed % static_cast<std::uint64_t>(program.ranks()));
  }

  void explore_batch(std::uint64_t from, std::uint64_t size) {
    constexpr int kMostStates = 20000;
    safe_.assign(size, 0);
    legal_.assign(size, {});
    for (std::uint64_t i = 0; i < size; ++i) {
      const Program program = small_program(from + i, size_);
      if (checker_of(program) != rank_) continue;
      Exploration found = explore(program, kMostStates);
      safe_[i] = found.is_safe() && !has_defect(program);
      if (found.is_safe()) legal_[i] = std::move(found.outcomes);
    }
    MPI_Allreduce(MPI_IN_PLACE, safe_.data(), static_cast<int>(size), MPI_INT, MPI_MAX, comms_.back()[0]);
  }

  /// The sum of the logs also keeps the ranks together: a wildcard must not take the next program's messages.
  void run_one(const char* kind, const Program& program, const std::set<Outcome>* legal) {
    if (count_ == 1 && rank_ == 0) std::fputs(text_of(program).c_str(), stdout);
    const std::vector<MPI_Comm>& comms = comms_[static_cast<std::size_t>(program.ranks() - 1)];
    std::vector<Log> logs;
    for (const Script& script : program.scripts) logs.emplace_back(script.size());
    logs[static_cast<std::size_t>(rank_)] = foldlane::matching::run(program, rank_, comms, types_, buffer_);
    Log together;
    for (const Log& log : logs) together.insert(together.end(), log.begin(), log.end());
    MPI_Allreduce(MPI_IN_PLACE, together.data(), static_cast<int>(together.size() * kWords), MPI_INT64_T,
                  MPI_SUM, comms[0]);
    if (checker_of(program) != rank_) return;
    auto next = together.begin();
    for (Log& log : logs)
      for (Record& record : log) record = *next++;
    judge(kind, program, check(program, logs, legal));
    ++counted_[0];
    counted_[1] += static_cast<long long>(program.messages.size());
    if (legal != nullptr) counted_[2] += static_cast<long long>(legal->size());
  }

  static void judge(const char* kind, const Program& program, const Verdict& verdict) {
    if (verdict.is_legal()) return;
    std::fprintf(stderr, "%s%s %s\n", text_of(program).c_str(), kind, verdict.why.c_str());
    MPI_Abort(MPI_COMM_WORLD, 1);
  }

  std::uint64_t first_, count_;
  int thread_;
  const Types& types_;
  Buffer buffer_;
  int rank_ = 0, size_ = 0;
  std::vector<std::vector<MPI_Comm>> comms_;  // by number of ranks - 1
  std::vector<int> safe_;                     // of a batch
  std::vector<std::set<Outcome>> legal_;      // where this rank checks
  long long counted_[kCounts] = {};
};

using Jobs = std::deque<Job>;

/// All threads send from this one, since a process has no more.
class SharedBuffer {
 public:
  SharedBuffer() { MPI_Buffer_attach(memory_.get(), kBytes); }
  SharedBuffer(const SharedBuffer&) = delete;
  SharedBuffer& operator=(const SharedBuffer&) = delete;
  ~SharedBuffer() {
    void* memory = nullptr;
    int bytes = 0;
    MPI_Buffer_detach(&memory, &bytes);
  }

 private:
  static constexpr int kBytes = 1 << 28;  // more than programs fill; nobody touches most of it
  std::unique_ptr<unsigned char[]> memory_{new unsigned char[kBytes]};
};

void run_all(Jobs& jobs, const std::string& kind) {
  std::vector<std::thread> others;
  for (std::size_t i = 1; i < jobs.size(); ++i) others.emplace_back([&, i] { jobs[i].run(kind); });
  jobs[0].run(kind);
  for (std::thread& other : others) other.join();
}

void report(const std::string& kind, const Jobs& jobs) {
  long long own[kCounts] = {}, all[kCounts] = {};
  int rank = -1;
  for (const Job& job : jobs) job.count_in(own);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Reduce(own, all, kCounts, MPI_LONG_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank != 0) return;
  std::printf("%s: %lld programs with %lld messages are legal", kind.c_str(), all[0], all[1]);
  if (all[2] != 0) std::printf("; they have %lld legal outcomes", all[2]);
  std::printf("\n");
}

struct Arguments {
  std::string kind;
  std::uint64_t first = 0, count = 0;
  int threads = 1;

  bool are_valid() const {
    return (kind == "planned" || kind == "small") && threads >= 1 && threads <= kMostThreads;
  }
};

Arguments arguments_of(int argc, char** argv) {
  if (argc < 4 || argc > 5) return {};
  return {argv[1], std::strtoull(argv[2], nullptr, 10), std::strtoull(argv[3], nullptr, 10),
          argc == 5 ? std::atoi(argv[4]) : 1};
}

void run_job(const Arguments& arguments) {
  end_job_when_calls_fail(MPI_COMM_WORLD);
  const Types types;
  std::optional<SharedBuffer> shared;
  if (arguments.threads > 1) shared.emplace();
  Jobs jobs;
  for (int thread = 0; thread < arguments.threads; ++thread)
    jobs.emplace_back(arguments.first + static_cast<std::uint64_t>(thread) * arguments.count, arguments.count,
                      thread, types, shared ? Buffer::of_process : Buffer::own);
  run_all(jobs, arguments.kind);
  report(arguments.kind, jobs);
}

bool start_mpi(int threads) {
  const int wanted = threads == 1 ? MPI_THREAD_SINGLE : MPI_THREAD_MULTIPLE;
  int provided = wanted;
  threads == 1 ? MPI_Init(nullptr, nullptr) : MPI_Init_thread(nullptr, nullptr, wanted, &provided);
  if (provided >= wanted) return true;
  std::fprintf(stderr, "this MPI has no MPI_THREAD_MULTIPLE\n");
  return false;
}

}  // namespace

int main(int argc, char** argv) {
  const Arguments arguments = arguments_of(argc, argv);
  if (!arguments.are_valid()) {
    std::fprintf(stderr, "usage: %s planned|small FIRST COUNT [THREADS]\n", argv[0]);
    return EXIT_FAILURE;
  }
  const bool started = start_mpi(arguments.threads);
  if (started) run_job(arguments);
  MPI_Finalize();
  return started ? EXIT_SUCCESS : EXIT_FAILURE;
}
