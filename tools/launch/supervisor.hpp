// Watches a running job: forwards its streams and signals, notices the first failure, ends the others, and
// makes sure that nothing of the job is left.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "launch/guardian.hpp"
#include "launch/signal_setup.hpp"
#include "launch/verdict.hpp"
#include "options/run_options.hpp"
#include "shm/job/job.hpp"
#include "terminal/input_feed.hpp"
#include "terminal/output_mux.hpp"

namespace foldlane::tools {

/// A started rank. It stays a zombie until the job is over: as long as it is not reaped, its number cannot be
/// taken by a stranger, and every signal to its group hits what it is meant for.
struct RankProcess {
  std::string program;
  pid_t pid;
  shm::UniqueFd pidfd;
  std::optional<ProcessEnd> end;
};

/// What the launcher owns while the job runs.
struct JobParts {
  std::vector<RankProcess> ranks;
  const SignalSetup& signals;
  Guardian& guardian;
  OutputMux& output;
  InputFeed& input;
  shm::JobMonitor monitor;
};

class Supervisor {
 public:
  Supervisor(JobParts& parts, const RunOptions& options);

  /// Returns when the job is over, the launcher's exit code and the signal it should die of (0: none).
  struct Outcome {
    int exit_code = 0;
    int signal = 0;
    std::string line;  // for stderr; empty if there is nothing to say
  };
  Outcome run();

 private:
  using Time = Clock::time_point;
  enum class Phase { running, grace, terminating, killing, lingering, flushing, finished };

  void watch_all();
  int poll_timeout_ms(Time now) const;
  void take_signals();
  void take_signal(int signal);
  void collect_end(std::size_t rank);
  void judge_ends();
  bool awaits_dying();
  void forget_ends();
  bool anyone_joined(std::size_t except) const;
  void check_missing();
  void fail(const Verdict& verdict);
  void begin_ending(const shm::Failure& failure, std::chrono::duration<double> grace);
  void advance(Time now);
  void terminate(Time now);
  void on_timeout();
  void clean_up();
  void signal_groups(int signal) const;
  std::size_t running() const;
  bool waits_in_mpi() const;

  JobParts& job_;
  const RunOptions& options_;
  Poller poller_;
  Phase phase_ = Phase::running;
  std::optional<Time> phase_end_;
  std::optional<Time> job_end_;
  std::optional<Time> judgement_;  // of what has ended, at the latest
  std::vector<std::size_t> new_ends_;
  std::vector<std::size_t> missing_;  // ended normally without having joined
  std::optional<shm::Failure> failure_;
  int ending_signals_ = 0;
  Outcome outcome_;
};

/// Ends the groups of all ranks at once and reaps whatever the launcher has as children, the guardian
/// excepted.
void kill_and_reap(const std::vector<RankProcess>& ranks, pid_t guardian);

}  // namespace foldlane::tools
