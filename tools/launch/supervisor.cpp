#include "launch/supervisor.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "shm/machine/process_memory.hpp"

namespace foldlane::tools {
namespace {

using std::chrono::duration;
using std::chrono::duration_cast;

// After a failure: long enough for every rank to return from its MPI call and print why.
constexpr duration<double> kFailureGrace(0.5);
// After a signal that asks the job to end: programs that catch it save their work first.
constexpr duration<double> kSignalGrace(5);
// Between SIGTERM and SIGKILL.
constexpr duration<double> kTerminationGrace(2);
// What a rank left running (a `tee` of its wrapper script) may still write.
constexpr duration<double> kLinger(0.5);
// For the memory of a killed process to be given back (256 MiB take 20 ms), before its end can be seen.
constexpr duration<double> kDyingGrace(0.5);
// How often to look whether a rank joins that would wait for one that has ended.
constexpr std::chrono::milliseconds kMissingCheck(100);
// How often to look whether the launcher may read its terminal again.
constexpr std::chrono::milliseconds kForegroundCheck(200);

Clock::time_point after(Clock::time_point now, duration<double> wait) {
  return now + duration_cast<Clock::duration>(wait);
}

std::string ranks_text(std::size_t count) { return fmt::format("{} rank{}", count, count == 1 ? "" : "s"); }

/// "; the other 3 ranks were ended", empty if nobody was left to end.
std::string others_text(std::size_t ended, std::size_t ranks) {
  if (ended == 0) return {};
  const char* verb = ended == 1 ? "was" : "were";
  if (ended + 1 < ranks) return fmt::format("; {} of the other ranks {} ended", ended, verb);
  return fmt::format("; the other {} {} ended", ended == 1 ? "rank" : ranks_text(ended), verb);
}

}  // namespace

Supervisor::Supervisor(JobParts& parts, const RunOptions& options) : job_(parts), options_(options) {
  if (options.timeout_s && *options.timeout_s > 0)
    job_end_ = after(Clock::now(), duration<double>(*options.timeout_s));
}

Supervisor::Outcome Supervisor::run() {
  while (phase_ != Phase::finished) {
    watch_all();
    poller_.wait(poll_timeout_ms(Clock::now()));
    judge_ends();
    check_missing();
    advance(Clock::now());
  }
  if (const int error = job_.output.error(); error != 0 && error != EPIPE) {
    outcome_.line = fmt::format("writing the ranks' output: {}", std::strerror(error));
    if (outcome_.exit_code == 0) outcome_.exit_code = 1;
  }
  return outcome_;
}

void Supervisor::watch_all() {
  poller_.clear();
  poller_.watch(job_.signals.fd(), POLLIN, [this] { take_signals(); });
  job_.output.watch(poller_);
  if (phase_ == Phase::flushing) return;
  job_.input.watch(poller_);
  for (std::size_t rank = 0; rank < job_.ranks.size(); ++rank) {
    if (!job_.ranks[rank].end) {
      poller_.watch(job_.ranks[rank].pidfd.get(), POLLIN, [this, rank] { collect_end(rank); });
    }
  }
  poller_.watch(job_.guardian.pidfd(), POLLIN, [this] {
    std::vector<pid_t> groups;
    for (const RankProcess& rank : job_.ranks) groups.push_back(rank.pid);
    job_.guardian.replace(groups);
  });
}

int Supervisor::poll_timeout_ms(Time now) const {
  std::optional<Time> next = job_.output.next_deadline();
  const auto consider = [&](const std::optional<Time>& time) {
    if (time && (!next || *time < *next)) next = time;
  };
  consider(phase_end_);
  consider(judgement_);
  if (phase_ == Phase::running) consider(job_end_);
  if (!missing_.empty() && phase_ == Phase::running) consider(now + kMissingCheck);
  if (job_.input.paused()) consider(now + kForegroundCheck);
  if (!next) return -1;
  // Rounded up: waking a fraction early would mean to spin through it.
  const auto wait = std::chrono::ceil<std::chrono::milliseconds>(*next - now).count();
  return static_cast<int>(std::clamp<long>(wait, 0, 1'000'000));
}

void Supervisor::take_signals() {
  while (const auto signal = job_.signals.next()) take_signal(*signal);
}

void Supervisor::take_signal(int signal) {
  if (!ends_job(signal)) {
    signal_groups(signal);
    if (signal == SIGTSTP) ::kill(::getpid(), SIGSTOP);
    return;
  }
  if (phase_ == Phase::lingering || phase_ == Phase::flushing) {
    phase_ = Phase::finished;  // only a reader of our output could still keep us
    return;
  }
  signal_groups(++ending_signals_ == 1 ? signal : SIGKILL);
  if (failure_) return;
  outcome_ = {128 + signal, signal,
              fmt::format("interrupted by signal {} ({}); {} ended", signal, ::strsignal(signal),
                          ranks_text(running()))};
  const duration<double> grace = options_.grace_s ? duration<double>(*options_.grace_s) : kSignalGrace;
  begin_ending({-1, shm::Cause::interrupt, signal}, grace);
}

void Supervisor::collect_end(std::size_t rank) {
  RankProcess& process = job_.ranks[rank];
  siginfo_t info{};
  if (process.end ||
      ::waitid(P_PID, static_cast<id_t>(process.pid), &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
      info.si_pid == 0) {
    return;
  }
  process.end = ProcessEnd{info.si_code != CLD_EXITED, info.si_status};
  job_.monitor.declare_ended(static_cast<int>(rank));
  new_ends_.push_back(rank);
}

void Supervisor::judge_ends() {
  if (new_ends_.empty()) return;
  if (failure_) {
    job_.monitor.declare(*failure_);  // after a signal ranks may go on, but not with one of them gone
    forget_ends();
    return;
  }
  // A failure can reach other ranks before it reaches us: look at all of them, and blame the one that began.
  for (std::size_t rank = 0; rank < job_.ranks.size(); ++rank) collect_end(rank);
  Verdict worst;
  std::vector<std::size_t> missing;
  for (const std::size_t rank : new_ends_) {
    const shm::RankReport report = job_.monitor.report(static_cast<int>(rank));
    const Verdict verdict = judge(static_cast<int>(rank), *job_.ranks[rank].end, report, anyone_joined(rank));
    if (verdict.weight > worst.weight) worst = verdict;
    if (!verdict.failed && report.state == shm::RankState::absent) missing.push_back(rank);
  }
  if (worst.failed && worst.failure.cause != shm::Cause::signal && awaits_dying()) return;
  missing_.insert(missing_.end(), missing.begin(), missing.end());
  forget_ends();
  check_missing();
  if (worst.failed && !failure_) fail(worst);
}

/// Whether some rank has no memory any more, which other ranks see, but has not ended yet: it may be the one
/// that began. Not for long: so looks a process, too, whose first thread alone has ended.
bool Supervisor::awaits_dying() {
  const Time now = Clock::now();
  const bool any = std::any_of(job_.ranks.begin(), job_.ranks.end(),
                               [](const RankProcess& rank) { return !rank.end && shm::has_ended(rank.pid); });
  if (any && !judgement_) judgement_ = after(now, kDyingGrace);
  return any && now < *judgement_;
}

void Supervisor::forget_ends() {
  new_ends_.clear();
  judgement_.reset();
}

bool Supervisor::anyone_joined(std::size_t except) const {
  for (std::size_t rank = 0; rank < job_.ranks.size(); ++rank) {
    if (rank != except && job_.monitor.report(static_cast<int>(rank)).state != shm::RankState::absent)
      return true;
  }
  return false;
}

void Supervisor::check_missing() {
  if (missing_.empty() || failure_ || !anyone_joined(missing_.front())) return;
  const std::size_t rank = missing_.front();
  fail(judge(static_cast<int>(rank), *job_.ranks[rank].end, {shm::RankState::absent, 0}, true));
}

void Supervisor::fail(const Verdict& verdict) {
  const auto rank = static_cast<std::size_t>(verdict.failure.rank);
  const RankProcess& culprit = job_.ranks[rank];
  const bool reader_left =
      job_.output.error() == EPIPE && culprit.end->by_signal && culprit.end->value == SIGPIPE;
  if (outcome_.exit_code == 0) {
    const std::size_t ended = verdict.ends_job ? running() : 0;
    outcome_.exit_code = verdict.exit_code;
    if (!reader_left) {
      outcome_.line = fmt::format("rank {} ({}, pid {}) {}{}", rank, culprit.program, culprit.pid,
                                  verdict.what, others_text(ended, job_.ranks.size()));
    }
  }
  if (!verdict.ends_job) return;
  job_.monitor.declare(verdict.failure);
  const duration<double> grace = options_.grace_s ? duration<double>(*options_.grace_s) : kFailureGrace;
  begin_ending(verdict.failure, waits_in_mpi() ? grace : duration<double>(0));
}

void Supervisor::begin_ending(const shm::Failure& failure, duration<double> grace) {
  failure_ = failure;
  phase_ = Phase::grace;
  phase_end_ = after(Clock::now(), grace);
}

void Supervisor::advance(Time now) {
  job_.output.flush_quiet(now);
  const auto due = [&] { return phase_end_ && now >= *phase_end_; };
  if (phase_ < Phase::lingering && running() == 0) {
    phase_ = Phase::lingering;
    phase_end_ = after(now, kLinger);
  } else if (phase_ == Phase::running && job_end_ && now >= *job_end_) {
    on_timeout();
  } else if (phase_ == Phase::grace && due()) {
    terminate(now);
  } else if (phase_ == Phase::terminating && due()) {
    signal_groups(SIGKILL);
    phase_ = Phase::killing;
    phase_end_.reset();
  }
  if (phase_ == Phase::lingering && (due() || !job_.output.listening())) clean_up();
  if (phase_ == Phase::flushing && !job_.output.pending()) phase_ = Phase::finished;
}

void Supervisor::on_timeout() {
  const int seconds = static_cast<int>(std::min(*options_.timeout_s, 65535.0));
  outcome_ = {124, 0,
              fmt::format("the job did not end within {:g} s (--timeout); {} ended", *options_.timeout_s,
                          ranks_text(running()))};
  const shm::Failure failure{-1, shm::Cause::timeout, seconds};
  job_.monitor.declare(failure);
  begin_ending(failure, waits_in_mpi() ? kFailureGrace : duration<double>(0));
}

void Supervisor::terminate(Time now) {
  job_.monitor.declare(*failure_);
  signal_groups(SIGTERM);
  signal_groups(SIGCONT);  // a stopped process takes no SIGTERM
  phase_ = Phase::terminating;
  phase_end_ = after(now, kTerminationGrace);
}

void Supervisor::clean_up() {
  kill_and_reap(job_.ranks, job_.guardian.pid());
  job_.output.drain();
  phase_ = Phase::flushing;
  phase_end_.reset();
}

void Supervisor::signal_groups(int signal) const {
  for (const RankProcess& rank : job_.ranks) {
    // A rank that has moved to another group is reached by its pid, which stays its own until it is reaped.
    if (::kill(-rank.pid, signal) != 0) ::kill(rank.pid, signal);
  }
}

std::size_t Supervisor::running() const {
  return static_cast<std::size_t>(
      std::count_if(job_.ranks.begin(), job_.ranks.end(), [](const RankProcess& rank) { return !rank.end; }));
}

/// Whether a running rank is a member of the job, so that it will notice the abort word by itself.
bool Supervisor::waits_in_mpi() const {
  for (std::size_t rank = 0; rank < job_.ranks.size(); ++rank) {
    const auto state = job_.monitor.report(static_cast<int>(rank)).state;
    if (!job_.ranks[rank].end && state != shm::RankState::absent) return true;
  }
  return false;
}

}  // namespace foldlane::tools
