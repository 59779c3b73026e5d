// The `foldlane` command; under the names mpiexec and mpirun it is `foldlane run`.
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "accelerate/accelerate.hpp"
#include "info/explain.hpp"
#include "info/info.hpp"
#include "launch/installation.hpp"
#include "launch/launcher.hpp"
#include "options/manual.hpp"

namespace {

using namespace foldlane::tools;

constexpr char kUsage[] =
    "usage: foldlane COMMAND [options]\n"
    "\n"
    "  run         start a job (also as mpiexec and mpirun)\n"
    "  info        what Foldlane sees and does on this machine\n"
    "  explain     how a collective would be carried out\n"
    "  accelerate  run a job of another MPI with Foldlane under its collectives\n"
    "  bench       how fast collectives are, beside physical limits and other MPIs\n"
    "\n"
    "'foldlane COMMAND --help' tells more.\n";

constexpr char kSummary[] = "MPI inside one machine: start jobs, ask and measure";
constexpr char kSynopsis[] =
    "foldlane run|info|explain|accelerate|bench [options]\n"
    "foldlane COMMAND --help";

constexpr char kBenchSection[] =
    ".SH FOLDLANE BENCH\n"
    "Measures collectives, and compares MPIs:\n"
    ".BR foldlane\\-bench (1).\n";

/// The page of foldlane, or that of mpiexec: foldlane --man [mpiexec].
int manual_command(bool of_mpiexec) {
  if (of_mpiexec) {
    fmt::print("{}",
               manual_head("mpiexec", "start an MPI job on this machine",
                           "mpiexec [options] program [arguments] [: [options] program [arguments]]..."));
    return run_command({"--man"});
  }
  fmt::print("{}", manual_head("foldlane", kSummary, kSynopsis));
  run_command({"--man"});
  info_command({"--man"});
  explain_command({"--man"});
  accelerate_command({"--man"});
  fmt::print("{}", kBenchSection);
  return 0;
}

/// `foldlane bench` is a program of its own, because jobs need none of it and it is a quarter of a build.
/// Returns only if it cannot be executed.
int bench_command(const std::vector<std::string>& arguments) {
  const std::string program = bench_program_path();
  std::vector<char*> words{const_cast<char*>(program.c_str())};
  for (const std::string& argument : arguments) words.push_back(const_cast<char*>(argument.c_str()));
  words.push_back(nullptr);
  ::execv(program.c_str(), words.data());
  const int error = errno;
  const char* const hint =
      error == ENOENT ? " (was it built? cmake --build build/release --target foldlane_bench)" : "";
  fmt::print(stderr, "foldlane bench: cannot start {}: {}{}\n", program, std::strerror(error), hint);
  return error == ENOENT ? 127 : 126;
}

int dispatch(const std::string& command, const std::vector<std::string>& arguments) {
  if (command == "run") return run_command(arguments);
  if (command == "info") return info_command(arguments);
  if (command == "explain") return explain_command(arguments);
  if (command == "accelerate") return accelerate_command(arguments);
  if (command == "bench") return bench_command(arguments);
  if (command == "--man") return manual_command(arguments == std::vector<std::string>{"mpiexec"});
  if (command == "--version" || command == "-V") return run_command({"--version"});
  if (command == "--help" || command == "-h" || command == "help") {
    fmt::print("{}", kUsage);
    return 0;
  }
  fmt::print(stderr, "foldlane: unknown command '{}'\n{}", command, kUsage);
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> arguments(argv + 1, argv + argc);
  const std::string_view invoked = argc > 0 ? argv[0] : "foldlane";
  const std::string_view name = invoked.substr(invoked.rfind('/') + 1);
  if (name.substr(0, 7) == "mpiexec" || name.substr(0, 6) == "mpirun") return run_command(arguments);
  if (arguments.empty()) {
    fmt::print(stderr, "{}", kUsage);
    return 2;
  }
  const std::string command = arguments.front();
  arguments.erase(arguments.begin());
  return dispatch(command, arguments);
}
