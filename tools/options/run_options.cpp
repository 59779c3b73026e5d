#include "options/run_options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "engine/p2p/room.hpp"
#include "launch/hosts.hpp"
#include "options/manual.hpp"
#include "options/option_spellings.hpp"
#include "options/option_values.hpp"
#include "shm/segment/layout.hpp"

namespace foldlane::tools {
namespace {

using shm::BindTo;

constexpr char kDescription[] =
    "foldlane run [options] program [arguments] [: [options] program [arguments]]...\n"
    "Starts a job: several processes of a program that work together through MPI. mpiexec and mpirun are the "
    "same.";

constexpr char kFooter[] =
    "Spellings of both launcher families are understood: -np, -c, -prepend-rank, --tag-output, -wd, "
    "-bind-to,\n"
    "--env, ... ':' separates several programs: mpiexec -n 1 ./server : -n 3 ./worker\n"
    "Exit code: that of the first rank that failed, 128+signal if it was killed, 124 after --timeout,\n"
    "126/127 if the program cannot be started, 2 for a wrong command line.\n"
    "\n"
    "On one node other launchers start programs of Foldlane, too: Open MPI's mpirun, mpiexec.hydra, srun, or "
    "what\n"
    "sets torchrun's variables: srun -n 4 ./app. The options above are mpiexec's alone. "
    "FOLDLANE_JOIN_TIMEOUT=S:\n"
    "seconds that ranks wait for each other to come (60). FOLDLANE_ALONE=1: each process is a job of its "
    "own. "
    "On\n"
    "several nodes: a program of another MPI, and foldlane accelerate.";

/// The options of one program, as CLI11 fills them.
struct Section {
  ProgramSpec program;
  RunOptions shared;
  std::vector<EnvironmentSetting> everywhere;  // -genv, -x: for all programs of the job
  std::vector<EnvironmentSetting> here;        // -env
  std::vector<std::string> exported;           // -x K[=V]
  bool accepted = false;                       // target of flags that change nothing
};

void check_hosts(const std::string& list) {
  if (const std::string remote = first_remote_host(list); !remote.empty()) {
    throw Stop{2,
               fmt::format("foldlane: host '{}' is not this machine. Foldlane runs all ranks of a job on one "
                           "machine; drop the host option, or use 'localhost'.",
                           remote)};
  }
}

void add_job_options(CLI::App& app, Section& section) {
  RunOptions& shared = section.shared;
  app.add_option_function<std::string>(
      "--bind-to", [&shared](const std::string& name) { shared.bind_to = binding_named(name); },
      "auto (slices of the cores if the ranks fit), none, slice, core, hwthread, l3, numa, socket, package");
  app.add_option("--cpus-per-rank", shared.cpus_per_rank,
                 "Bind each rank to so many CPUs of its own, for its threads")
      ->check(CLI::PositiveNumber);
  app.add_flag("--report-bindings", shared.report_bindings, "Say on stderr where each rank runs");
  app.add_flag("--label", shared.label, "Start each line of output with [rank] (-l)");
  app.add_flag(
      "--shared-heap", shared.shared_heap,
      "Put what the program allocates after MPI_Init into the shared segment (with mimalloc), so that "
      "large collectives need no copies");
  app.add_flag("--progress-thread", shared.progress_thread,
               "A thread of each rank goes on with nonblocking calls while the program computes");
  app.add_option("--deadlock", shared.deadlock, "Of ranks that wait for each other: abort, report or off")
      ->check(CLI::IsMember({"abort", "report", "off"}));
  app.add_option("--unexpected-limit", shared.unexpected_limit,
                 "Of messages that a rank has not asked for it keeps so many bytes: 64M (default: 16M)")
      ->transform(CLI::AsSizeValue(false) & CLI::Range(engine::kLeastUnexpectedLimit, 1UL << 50))
      ->type_name("BYTES");
  app.add_option_function<std::string>(
         "--check", [&shared](const std::string& names) { shared.checks = checks_named(names); },
         "Names with commas between: leaks (lists what the program made and did not free), types (messages "
         "of other types than their receives are errors), ready (so are messages of MPI_Rsend that nobody "
         "awaited)")
      ->type_name("NAMES");
  app.add_option_function<std::string>(
         "--stats", [&shared](const std::string& how) { shared.statistics = statistics_named(how); },
         "Say on stderr, at the end, what collective calls the ranks made, how long they took, and which "
         "ranks the others waited for; --stats=json: as one line of JSON, --stats=json:FILE: into a file")
      ->expected(0, 1)
      ->type_name("");
  const auto in_full = [](const std::string& path) { return std::filesystem::absolute(path).string(); };
  auto* const record = app.add_option("--record", shared.record,
                                      "Write down in this directory what depends on time: who sent what a "
                                      "receive from anybody got, what was complete first")
                           ->transform(in_full);
  app.add_option("--replay", shared.replay, "Do again what was recorded in this directory")
      ->transform(in_full)
      ->excludes(record);
  app.add_option("--timeout", shared.timeout_s, "End the job after this many seconds (also MPIEXEC_TIMEOUT)")
      ->check(CLI::NonNegativeNumber);
  app.add_option("--grace", shared.grace_s,
                 "Seconds the other ranks have to end by themselves after a failure")
      ->check(CLI::NonNegativeNumber);
  app.add_flag("-q,--quiet", shared.quiet, "No notes on stderr; errors are still reported");
}

void add_program_options(CLI::App& app, Section& section) {
  app.add_option("-n", section.program.ranks, "Number of ranks (default: one per usable CPU)")
      ->check(CLI::Range(1, static_cast<int>(shm::kMaxRanks)));
  app.add_option("--wdir", section.program.directory, "Directory to run in")->check(CLI::ExistingDirectory);
  app.add_option("-x", section.exported,
                 "Set an environment variable for all programs: K=V, or K to pass it on")
      ->expected(1)
      ->take_all();
  app.add_option("--genv", section.everywhere, "Set an environment variable for all programs: K V")
      ->take_all();
  app.add_option("--local-env", section.here, "Set an environment variable for this program: K V (-env)")
      ->take_all();
}

void add_accepted_options(CLI::App& app, Section& section) {
  app.add_option_function<std::string>("--host", check_hosts, "Accepted if it names this machine");
  app.add_option_function<std::string>(
      "--hostfile", [](const std::string& path) { check_hosts(hosts_of_file(path)); },
      "Accepted if it names this machine only");
  for (const char* name : {"--oversubscribe", "--allow-run-as-root", "--genvall"}) {
    app.add_flag(name, section.accepted, "Always so; accepted");
  }
  for (const auto& [name, values] :
       {std::pair{"--mca", 2}, {"--map-by", 1}, {"--rank-by", 1}, {"--ppn", 1}}) {
    app.add_option_function<std::vector<std::string>>(
           name,
           [&section, option = std::string(name)](const std::vector<std::string>& words) {
             section.shared.ignored.push_back(fmt::format("{} {}", option, fmt::join(words, " ")));
           },
           "No meaning here; accepted with a note")
        ->expected(values)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->trigger_on_parse();
  }
}

void describe_options(CLI::App& app, Section& section) {
  app.set_help_flag("-h,--help", "This text");
  app.set_version_flag("--version", "foldlane " FOLDLANE_VERSION " (MPI 5.0 standard ABI)");
  app.footer(kFooter);
  add_manual_flag(app);
  add_program_options(app, section);
  add_job_options(app, section);
  add_accepted_options(app, section);
}

using Words = std::vector<std::string>;

/// Moves the options at the front of `words` to the result, each under the name CLI11 knows. What remains
/// starts with the program's name: from there on everything belongs to the program.
Words take_options(const CLI::App& app, Words& words) {
  Words options;
  std::size_t next = 0;
  while (next < words.size() && words[next].size() > 1 && words[next][0] == '-') {
    const std::string written = words[next++];
    if (written == "--") break;
    const auto equals = written.find('=');
    const std::string name = canonical_option(written.substr(0, equals));
    const CLI::Option* option = app.get_option_no_throw(name);
    if (option == nullptr) {
      throw Stop{2, fmt::format("foldlane: unknown option '{}' (see 'foldlane run --help')", written)};
    }
    const bool has_value = equals != std::string::npos;
    const bool in_one_word = has_value && option->get_items_expected_min() == 0;
    options.push_back(in_one_word ? name + written.substr(equals) : name);
    std::size_t values = static_cast<std::size_t>(option->get_items_expected_min());
    if (has_value && values > 0) {
      options.push_back(written.substr(equals + 1));
      --values;
    }
    for (; values > 0 && next < words.size(); --values) options.push_back(words[next++]);
  }
  words.erase(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(next));
  return options;
}

void parse_with(CLI::App& app, Words options) {
  std::reverse(options.begin(), options.end());  // CLI11 takes its vector as a stack
  try {
    app.parse(std::move(options));
  } catch (const CLI::CallForHelp&) {
    throw Stop{0, app.help("foldlane run")};
  } catch (const CLI::CallForVersion& version) {
    throw Stop{0, version.what()};
  } catch (const CLI::ParseError& error) {
    throw Stop{2, fmt::format("foldlane: {}", error.what())};
  }
}

void add_exported(Section& section) {
  for (const std::string& entry : section.exported) {
    const auto equals = entry.find('=');
    if (equals != std::string::npos) {
      section.everywhere.emplace_back(entry.substr(0, equals), entry.substr(equals + 1));
    }
  }
}

Section parse_section(Words words) {
  Section section;
  CLI::App app(kDescription);
  describe_options(app, section);
  Words options = take_options(app, words);
  parse_with(app, std::move(options));
  if (words.empty()) throw Stop{2, "foldlane: no program given (see 'foldlane run --help')"};
  add_exported(section);
  section.program.arguments = std::move(words);
  return section;
}

std::vector<Words> split_programs(const Words& words) {
  std::vector<Words> sections(1);
  for (const std::string& word : words) {
    if (word == ":") {
      sections.emplace_back();
    } else {
      sections.back().push_back(word);
    }
  }
  return sections;
}

void merge(RunOptions& job, const RunOptions& section) {
  if (section.bind_to != BindTo::automatic) job.bind_to = section.bind_to;
  if (section.cpus_per_rank > 0) job.cpus_per_rank = section.cpus_per_rank;
  job.label |= section.label;
  job.report_bindings |= section.report_bindings;
  job.quiet |= section.quiet;
  job.shared_heap |= section.shared_heap;
  job.progress_thread |= section.progress_thread;
  if (!section.checks.empty()) job.checks += (job.checks.empty() ? "" : ",") + section.checks;
  if (!section.deadlock.empty()) job.deadlock = section.deadlock;
  if (section.unexpected_limit) job.unexpected_limit = section.unexpected_limit;
  if (section.statistics.format != StatisticsOptions::Format::none) job.statistics = section.statistics;
  if (!section.record.empty()) job.record = section.record;
  if (!section.replay.empty()) job.replay = section.replay;
  if (section.timeout_s) job.timeout_s = section.timeout_s;
  if (section.grace_s) job.grace_s = section.grace_s;
  job.ignored.insert(job.ignored.end(), section.ignored.begin(), section.ignored.end());
}

/// The variable that Open MPI and MPICH share; the command line wins over it.
std::optional<double> timeout_from_environment() {
  const char* text = std::getenv("MPIEXEC_TIMEOUT");
  if (text == nullptr || *text == '\0') return std::nullopt;
  char* end = nullptr;
  const double seconds = std::strtod(text, &end);
  if (*end != '\0' || !(seconds >= 0)) {
    throw Stop{2, fmt::format("foldlane: MPIEXEC_TIMEOUT is '{}', not a number of seconds", text)};
  }
  return seconds;
}

RunOptions parse_job(const Words& words) {
  RunOptions job;
  std::vector<EnvironmentSetting> everywhere;
  std::vector<Section> sections;
  for (Words& part : split_programs(words)) {
    sections.push_back(parse_section(std::move(part)));
    const Section& section = sections.back();
    merge(job, section.shared);
    everywhere.insert(everywhere.end(), section.everywhere.begin(), section.everywhere.end());
  }
  if (job.cpus_per_rank > 0 && job.bind_to != BindTo::automatic)
    throw Stop{2, "foldlane: --cpus-per-rank and --bind-to contradict each other; give one of them"};
  if (!job.timeout_s) job.timeout_s = timeout_from_environment();
  for (Section& section : sections) {
    ProgramSpec& program = section.program;
    program.environment = everywhere;
    program.environment.insert(program.environment.end(), section.here.begin(), section.here.end());
    if (program.ranks == 0 && sections.size() > 1) program.ranks = 1;
    job.programs.push_back(std::move(program));
  }
  return job;
}

}  // namespace

ParsedRun parse_run(const std::vector<std::string>& arguments) {
  try {
    return {parse_job(arguments), 0, {}};
  } catch (const Stop& stop) {
    return {std::nullopt, stop.exit_code, stop.text};
  } catch (const std::runtime_error& error) {
    return {std::nullopt, 2, fmt::format("foldlane: {}", error.what())};
  }
}

}  // namespace foldlane::tools
