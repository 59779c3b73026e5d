// What `foldlane run` was asked to do: the command line, in the spellings of both families of launchers.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "shm/machine/placement.hpp"

namespace foldlane::tools {

using EnvironmentSetting = std::pair<std::string, std::string>;

/// One program of the job; `mpiexec -n 1 a : -n 3 b` has two.
struct ProgramSpec {
  int ranks = 0;                       // 0: not given
  std::vector<std::string> arguments;  // arguments[0] is the program
  std::string directory;               // empty: the launcher's
  std::vector<EnvironmentSetting> environment;
};

/// What is to be said of the job's calls when it is over.
struct StatisticsOptions {
  enum class Format : std::uint8_t { none, text, json } format = Format::none;
  std::string file;  // empty: stderr
};

struct RunOptions {
  std::vector<ProgramSpec> programs;
  shm::BindTo bind_to = shm::BindTo::automatic;
  int cpus_per_rank = 0;  // 0: not given
  bool label = false;
  bool report_bindings = false;
  bool quiet = false;
  bool shared_heap = false;
  bool progress_thread = false;
  std::string checks;                             // their names, with commas between them
  std::string deadlock;                           // what becomes of one; empty: not given
  std::optional<std::uint64_t> unexpected_limit;  // bytes
  StatisticsOptions statistics;
  std::string record;  // the directory to record the run in; empty: none
  std::string replay;  // the same for the run to repeat
  std::optional<double> timeout_s;
  std::optional<double> grace_s;
  std::vector<std::string> ignored;  // options that mean nothing inside one machine, as the user wrote them
};

/// Either options, or the text to print and the code to exit with (0 for help and version).
struct ParsedRun {
  std::optional<RunOptions> options;
  int exit_code = 0;
  std::string text;
};

/// `arguments` without the command's own name.
ParsedRun parse_run(const std::vector<std::string>& arguments);

}  // namespace foldlane::tools
