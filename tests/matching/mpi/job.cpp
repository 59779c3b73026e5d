// Random programs of point-to-point calls, and whether what they observe is legal. Any MPI will do:
//
//   job planned FIRST COUNT    programs FIRST to FIRST+COUNT-1, of up to as many ranks as the job has
//   job small FIRST COUNT      short ones, of which all outcomes are known; those that may deadlock are left
//   out
//
// With a COUNT of 1, which repeats a failure, the program is printed as well.
#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "matching/check.hpp"
#include "matching/generate.hpp"
#include "matching/mpi/peer_defects.hpp"
#include "matching/mpi/run.hpp"
#include "matching/walk.hpp"

namespace {

using namespace foldlane::matching;

/// Written by who notices that it hangs, or that a call fails.
char current_program[64];

void end_failed_call(MPI_Comm*, int* code, ...) {
  char text[MPI_MAX_ERROR_STRING];
  int length = 0;
  MPI_Error_string(*code, text, &length);
  std::fprintf(stderr, "%s has a call that fails: %s\n", current_program, text);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

void begin_program(const char* kind, std::uint64_t seed) {
  constexpr unsigned kSeconds = 120;
  std::snprintf(current_program, sizeof current_program, "%s program %llu", kind,
                static_cast<unsigned long long>(seed));
  signal(SIGALRM, [](int) {
    static constexpr char kHangs[] = " hangs\n";
    if (write(STDERR_FILENO, current_program, std::strlen(current_program)) < 0) _exit(3);
    if (write(STDERR_FILENO, kHangs, sizeof kHangs - 1) < 0) _exit(3);
    _exit(2);
  });
  alarm(kSeconds);
}

class Job {
 public:
  Job(std::uint64_t first, std::uint64_t count) : first_(first), count_(count) {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
    MPI_Errhandler handler;
    MPI_Comm_create_errhandler(end_failed_call, &handler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);  // those made of it have it too
    MPI_Errhandler_free(&handler);
    for (int ranks = 1; ranks <= size_; ++ranks) comms_.push_back(make_comms(ranks));
  }
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;
  ~Job() {
    for (std::vector<MPI_Comm>& comms : comms_) free_comms(comms);
  }

  void run_planned() {
    for (std::uint64_t seed = first_; seed < first_ + count_; ++seed) {
      begin_program("planned", seed);
      const Program program = planned_program(seed, size_);
      if (rank_ < program.ranks() && !has_defect(program)) run_one("planned", program, nullptr);
    }
  }

  /// Each program is explored by one of its ranks, all ranks at a time.
  void run_small() {
    constexpr std::uint64_t kBatch = 256;
    for (std::uint64_t from = first_; from < first_ + count_; from += kBatch) {
      begin_program("small", from);
      explore_batch(from, std::min(kBatch, first_ + count_ - from));
      for (std::size_t i = 0; i < safe_.size(); ++i) {
        const Program program = small_program(from + i, size_);
        begin_program("small", program.seed);
        if (safe_[i] != 0 && rank_ < program.ranks()) run_one("small", program, &legal_[i]);
      }
    }
  }

  void report(const char* kind) {
    // programs, messages, outcomes
    long long all[3] = {};
    MPI_Reduce(counted_, all, 3, MPI_LONG_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank_ != 0) return;
    std::printf("%s: %lld programs with %lld messages are legal", kind, all[0], all[1]);
    if (all[2] != 0) std::printf("; they have %lld legal outcomes", all[2]);
    std::printf("\n");
  }

 private:
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
    MPI_Allreduce(MPI_IN_PLACE, safe_.data(), static_cast<int>(size), MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  }

  /// The sum of the logs also keeps the ranks together: a wildcard must not take the next program's messages.
  void run_one(const char* kind, const Program& program, const std::set<Outcome>* legal) {
    if (count_ == 1 && rank_ == 0) std::fputs(text_of(program).c_str(), stdout);
    const std::vector<MPI_Comm>& comms = comms_[static_cast<std::size_t>(program.ranks() - 1)];
    std::vector<Log> logs;
    for (const Script& script : program.scripts) logs.emplace_back(script.size());
    logs[static_cast<std::size_t>(rank_)] = run(program, rank_, comms, types_);
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
  int rank_, size_;
  std::vector<std::vector<MPI_Comm>> comms_;  // by number of ranks - 1
  Types types_;
  std::vector<int> safe_;                 // of a batch
  std::vector<std::set<Outcome>> legal_;  // where this rank checks
  long long counted_[3] = {};
};

int run_job(int argc, char** argv) {
  const std::string kind = argc == 4 ? argv[1] : "";
  if (kind != "planned" && kind != "small") {
    std::fprintf(stderr, "usage: %s planned|small FIRST COUNT\n", argv[0]);
    return EXIT_FAILURE;
  }
  Job job(std::strtoull(argv[2], nullptr, 10), std::strtoull(argv[3], nullptr, 10));
  kind == "planned" ? job.run_planned() : job.run_small();
  job.report(kind.c_str());
  return EXIT_SUCCESS;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int result = run_job(argc, argv);
  MPI_Finalize();
  return result;
}
