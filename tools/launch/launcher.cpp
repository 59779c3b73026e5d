#include "launch/launcher.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <exception>

#include "engine/job/areas.hpp"
#include "launch/bindings.hpp"
#include "launch/program_path.hpp"
#include "launch/rank_environment.hpp"
#include "launch/rank_process.hpp"
#include "launch/shared_heap.hpp"
#include "launch/supervisor.hpp"
#include "options/run_options.hpp"
#include "shm/job/job.hpp"
#include "shm/program_heap/program_heap.hpp"
#include "statistics/job_report.hpp"

namespace foldlane::tools {
namespace {

/// Ends the command with one line on stderr.
struct Fatal {
  int exit_code;
  std::string line;
};

/// One write, whose failure (a closed or full stderr) must not end the job.
void say(const std::string& line) {
  const std::string text = "foldlane: " + line + "\n";
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
}

/// A closed stream would otherwise be taken by the first pipe opened, and ranks would talk into it.
void open_standard_streams() {
  for (int fd = 0; fd < 3; ++fd) {
    if (::fcntl(fd, F_GETFD) < 0) {
      [[maybe_unused]] const int opened = ::open("/dev/null", O_RDWR);  // the lowest free number: fd
    }
  }
}

/// Three descriptors per rank and a few more; returns the limit the ranks shall have.
rlimit raise_open_files(int ranks) {
  rlimit original{};
  ::getrlimit(RLIMIT_NOFILE, &original);
  const auto needed = static_cast<rlim_t>(ranks) * 3 + 32;
  if (original.rlim_cur >= needed) return original;
  if (original.rlim_max < needed) {
    throw Fatal{1, fmt::format("{} ranks need {} open files, the limit is {} (ulimit -Hn)", ranks, needed,
                               original.rlim_max)};
  }
  const rlimit raised{needed, original.rlim_max};
  ::setrlimit(RLIMIT_NOFILE, &raised);
  return original;
}

/// A program of the job, ready to be executed.
struct Program {
  const ProgramSpec* spec;
  std::string path;
  std::vector<char*> arguments;
};

Program prepare(const ProgramSpec& spec) {
  std::string search_path = "/usr/local/bin:/usr/bin:/bin";
  if (const char* path = std::getenv("PATH")) search_path = path;
  for (const auto& [name, value] : spec.environment) {
    if (name == "PATH") search_path = value;
  }
  FoundProgram found = find_program(spec.arguments[0], spec.directory, search_path);
  if (found.exit_code != 0) throw Fatal{found.exit_code, "cannot start " + found.problem};
  // A relative path was looked up from here, but is executed after entering the program's directory.
  if (!spec.directory.empty() && found.path[0] != '/') {
    if (char* absolute = ::realpath(found.path.c_str(), nullptr)) {
      found.path = absolute;
      std::free(absolute);
    }
  }
  Program program{&spec, std::move(found.path), {}};
  for (const std::string& argument : spec.arguments)
    program.arguments.push_back(const_cast<char*>(argument.c_str()));
  program.arguments.push_back(nullptr);
  return program;
}

std::vector<Program> prepare_all(const RunOptions& options) {
  std::vector<Program> programs;
  for (const ProgramSpec& spec : options.programs) programs.push_back(prepare(spec));
  return programs;
}

int count_ranks(RunOptions& options) {
  int ranks = 0;
  for (ProgramSpec& spec : options.programs) {
    if (spec.ranks == 0) {
      spec.ranks = shm::usable_cpus().usable;
      if (!options.quiet) {
        say(fmt::format("no -n given: {} rank{}, one per usable CPU (-q hides this)", spec.ranks,
                        spec.ranks == 1 ? "" : "s"));
      }
    }
    ranks += spec.ranks;
  }
  if (ranks > static_cast<int>(shm::kMaxRanks)) {
    throw Fatal{2, fmt::format("{} ranks asked for, a job has at most {}", ranks, shm::kMaxRanks)};
  }
  return ranks;
}

struct Places {
  shm::Placement placement;
  std::uint64_t llc_bytes;
};

Places place(const RunOptions& options, int ranks) {
  auto topology = shm::discover_topology();
  if (!topology.ok()) throw Fatal{1, topology.error().message};
  const shm::UsableCpus cpus = shm::usable_cpus();
  if (const long needed = long{options.cpus_per_rank} * ranks; needed > cpus.usable) {
    throw Fatal{1, fmt::format("--cpus-per-rank {} with {} ranks takes {} CPUs, {} can be used",
                               options.cpus_per_rank, ranks, needed, cpus.usable)};
  }
  return {shm::place_ranks(topology.value(), cpus, ranks, options.bind_to, options.cpus_per_rank),
          topology.value().llc_bytes};
}

shm::Pipe make_pipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0)
    throw Fatal{1, fmt::format("making a pipe: {}", std::strerror(errno))};
  return {shm::UniqueFd(ends[0]), shm::UniqueFd(ends[1])};
}

/// Starts the ranks one after the other; if one cannot be started, those before it are ended again.
class Starter {
 public:
  Starter(JobParts& job, shm::Segment& segment, const shm::Placement& placement, rlimit open_files)
      : job_(job), segment_(segment), placement_(placement), open_files_(open_files) {}

  void start_all(const std::vector<Program>& programs, const RunOptions& options) {
    job_.ranks.reserve(placement_.ranks.size());
    for (const Program& program : programs) {
      RankEnvironment environment =
          environment_of(*program.spec, static_cast<int>(placement_.ranks.size()), segment_.fd(), options);
      for (int copy = 0; copy < program.spec->ranks; ++copy) start(program, environment);
    }
    job_.input.handed_over();
  }

 private:
  void start(const Program& program, RankEnvironment& environment) {
    const std::size_t rank = job_.ranks.size();
    environment.set(shm::kRankVariable, std::to_string(rank));
    shm::Pipe out = make_pipe();
    shm::Pipe err = make_pipe();
    StartedRank started =
        start_rank({program.path.c_str(), program.arguments.data(), environment.block(),
                    program.spec->directory.empty() ? nullptr : program.spec->directory.c_str(),
                    rank == 0 ? job_.input.rank0_stdin() : null_.get(), out.write_end.get(),
                    err.write_end.get(), segment_.fd(), job_.guardian.announce_fd(),
                    &placement_.ranks[rank].os_cpus, &job_.signals, open_files_});
    if (started.error != 0) give_up(program, rank, started);
    job_.output.add_stdout(static_cast<int>(rank), std::move(out.read_end));
    job_.output.add_stderr(static_cast<int>(rank), std::move(err.read_end));
    job_.ranks.push_back({program.spec->arguments[0], started.pid, std::move(started.pidfd), std::nullopt});
  }

  [[noreturn]] void give_up(const Program& program, std::size_t rank, const StartedRank& started) {
    const char* hint = started.error == ENOENT ? " (is the interpreter it names there?)" : "";
    throw Fatal{started.error == ENOENT ? 127 : 126,
                fmt::format("cannot start rank {} ({}): {}: {}{}", rank, program.path, started.step,
                            std::strerror(started.error), hint)};
  }

  JobParts& job_;
  shm::Segment& segment_;
  const shm::Placement& placement_;
  rlimit open_files_;
  shm::UniqueFd null_{::open("/dev/null", O_RDONLY | O_CLOEXEC)};
};

void require_shared_heap() {
  const std::string problem = problem_with_shared_heap();
  if (problem.empty()) return;
  throw Fatal{1, fmt::format("--shared-heap needs mimalloc 2 (on Debian: apt-get install libmimalloc2.0): {}",
                             problem)};
}

Supervisor::Outcome run_job(RunOptions& options) {
  open_standard_streams();
  const SignalSetup signals;
  const int ranks = count_ranks(options);
  const std::vector<Program> programs = prepare_all(options);
  if (options.shared_heap) require_shared_heap();
  JobReport report(options.statistics);
  const rlimit open_files = raise_open_files(ranks);
  const Places places = place(options, ranks);
  if (options.report_bindings)
    for (const std::string& line : binding_lines(places.placement)) say(line);
  // Orphans of ranks become our children, so that none is out of reach when the job ends.
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  auto segment =
      shm::Segment::create(engine::shape_for(ranks, report.capacity()), places.placement, places.llc_bytes);
  if (!segment.ok()) throw Fatal{1, segment.error().message};
  Guardian guardian{shm::JobMonitor(segment.value())};
  if (guardian.pid() < 0)
    throw Fatal{1, fmt::format("starting the guardian process: {}", std::strerror(errno))};
  OutputMux output(options.label, ranks);
  InputFeed input;
  JobParts job{{}, signals, guardian, output, input, shm::JobMonitor(segment.value())};
  try {
    Starter(job, segment.value(), places.placement, open_files).start_all(programs, options);
    const Supervisor::Outcome outcome = Supervisor(job, options).run();
    report.write(segment.value(), places.placement);
    return outcome;
  } catch (...) {
    kill_and_reap(job.ranks, guardian.pid());
    throw;
  }
}

/// Dying of the signal that ended the job is what lets a shell script around us stop as well.
void die_of(int signal) {
  struct sigaction action {};
  action.sa_handler = SIG_DFL;
  ::sigaction(signal, &action, nullptr);
  sigset_t one;
  sigemptyset(&one);
  sigaddset(&one, signal);
  ::raise(signal);
  ::sigprocmask(SIG_UNBLOCK, &one, nullptr);
}

int run_and_report(RunOptions& options) {
  if (!options.quiet) {
    for (const std::string& option : options.ignored)
      say(fmt::format("'{}' has no meaning here and is ignored", option));
  }
  const Supervisor::Outcome outcome = run_job(options);
  if (!outcome.line.empty()) say(outcome.line);
  if (outcome.signal == SIGINT) die_of(SIGINT);
  return outcome.exit_code;
}

}  // namespace

int run_command(const std::vector<std::string>& arguments) {
  ParsedRun parsed = parse_run(arguments);
  if (!parsed.options) {
    fmt::print(parsed.exit_code == 0 ? stdout : stderr, "{}\n", parsed.text);
    return parsed.exit_code;
  }
  try {
    return run_and_report(*parsed.options);
  } catch (const Fatal& fatal) {
    say(fatal.line);
    return fatal.exit_code;
  } catch (const std::exception& error) {
    say(error.what());
    return 1;
  }
}

}  // namespace foldlane::tools
