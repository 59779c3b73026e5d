#include "accelerate/accelerate.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <utility>

#include "accelerate/elf_file.hpp"
#include "launch/installation.hpp"
#include "launch/program_path.hpp"
#include "options/manual.hpp"

namespace foldlane::tools {
namespace {

constexpr char kSummary[] =
    "Starts a job of another MPI (Open MPI, MPICH, and those with MPICH's ABI or the standard ABI), "
    "unmodified, "
    "with Foldlane under its blocking collectives.";
constexpr char kFooter[] =
    "Foldlane has MPI_Allgather(v), MPI_Allreduce, MPI_Alltoall(v, w), MPI_Barrier, MPI_Bcast, MPI_Exscan,\n"
    "MPI_Gather(v), MPI_Reduce, MPI_Reduce_scatter, MPI_Reduce_scatter_block, MPI_Scan and MPI_Scatter(v).\n"
    "All else the other MPI does as before: nonblocking and persistent calls, operations of the program,\n"
    "reductions of derived datatypes, intercommunicators. Over several nodes Foldlane works on each, and "
    "the\n"
    "other MPI carries data between them; alltoalls of long blocks stay with that MPI there.\n"
    "\n"
    "It is the same as LD_PRELOAD=.../libfoldlane_accel.so before the command, behind the libraries of "
    "tools\n"
    "that wrap MPI calls. FOLDLANE_ACCEL=0 switches it off, FOLDLANE_ACCEL_EXPLAIN=1 is --explain. Over\n"
    "several nodes it takes FOLDLANE_ACCEL_NODES=all, too: the library is preloaded on each of them, where "
    "it\n"
    "must be in the same place. A program that is linked statically runs as it is.\n"
    "\n"
    "  foldlane accelerate mpirun -n 4 ./app\n"
    "  foldlane accelerate --explain mpiexec.hydra -n 4 ./app\n"
    "  foldlane accelerate srun --mpi=pmi2 -n 4 ./app      (a program of MPICH; of Open MPI: --mpi=pmix)\n";

int complain(int exit_code, const std::string& why) {
  fmt::print(stderr, "foldlane accelerate: {}\n", why);
  return exit_code;
}

std::string search_path() {
  const char* const path = std::getenv("PATH");
  return path == nullptr ? "/usr/local/bin:/usr/bin:/bin" : path;
}

/// Behind what is there: tools that wrap MPI calls come first.
void append_to_preloads(const std::string& library) {
  const char* const before = std::getenv("LD_PRELOAD");
  const std::string all =
      before == nullptr || *before == '\0' ? library : std::string(before) + ":" + library;
  ::setenv("LD_PRELOAD", all.c_str(), 1);
}

/// Open MPI's takes the environment to other nodes only where it is told to.
bool is_open_mpi(const std::string& launcher) {
  std::error_code error;
  const std::string name = std::filesystem::canonical(launcher, error).filename();
  return name.rfind("orterun", 0) == 0 || name.rfind("prterun", 0) == 0 || name == "mpirun.openmpi" ||
         name == "mpiexec.openmpi";
}

/// The first word behind the launcher that is a program, if it is one that nothing can be preloaded into.
std::string static_program_in(const std::vector<std::string>& words) {
  for (std::size_t i = 1; i < words.size(); ++i) {
    if (words[i].empty() || words[i][0] == '-') continue;
    const FoundProgram found = find_program(words[i], "", search_path());
    if (found.exit_code != 0) continue;
    const FileKind kind = kind_of_file(found.path);
    if (kind != FileKind::library) return kind == FileKind::static_program ? found.path : "";
  }
  return "";
}

int execute(const std::string& launcher, const std::vector<std::string>& words) {
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  ::execv(launcher.c_str(), arguments.data());
  return complain(126, fmt::format("cannot start {}: {}", launcher, std::strerror(errno)));
}

/// The job with the library in all its processes.
std::vector<std::string> accelerated(std::vector<std::string> words, const std::string& launcher,
                                     const std::string& library, bool explains) {
  append_to_preloads(library);
  ::setenv("FOLDLANE_ACCEL_NODES", "all", 1);
  if (explains) ::setenv("FOLDLANE_ACCEL_EXPLAIN", "1", 1);
  if (is_open_mpi(launcher)) {
    words.insert(words.begin() + 1, {"-x", "LD_PRELOAD", "-x", "FOLDLANE_ACCEL_NODES"});
    if (explains) words.insert(words.begin() + 1, {"-x", "FOLDLANE_ACCEL_EXPLAIN"});
  }
  return words;
}

int start(const std::vector<std::string>& words, bool explains) {
  const std::string library = accelerator_library_path();
  if (library.empty())
    return complain(1, "libfoldlane_accel.so is not there: it belongs beside libmpi_abi.so.1");
  const FoundProgram launcher = find_program(words[0], "", search_path());
  if (launcher.exit_code != 0) return complain(launcher.exit_code, "cannot start " + launcher.problem);
  if (const std::string program = static_program_in(words); !program.empty()) {
    fmt::print(
        stderr,
        "foldlane: nothing is accelerated: {} is linked statically; link it with the shared library of its "
        "MPI\n",
        program);
    return execute(launcher.path, words);
  }
  return execute(launcher.path, accelerated(words, launcher.path, library, explains));
}

/// As CLI11 takes words. Options from the first word that is none on belong to the launcher.
std::vector<std::string> as_stack(std::vector<std::string> arguments) {
  const auto is_option = [](const std::string& word) { return word.rfind('-', 0) == 0; };
  arguments.insert(std::find_if_not(arguments.begin(), arguments.end(), is_option), "--");
  std::reverse(arguments.begin(), arguments.end());
  return arguments;
}

}  // namespace

int accelerate_command(const std::vector<std::string>& arguments) {
  bool explains = false;
  std::vector<std::string> command;
  CLI::App app(kSummary, "foldlane accelerate");
  app.add_flag(
      "--explain", explains,
      "At the end: which calls of rank 0 ran here, how often, with how many bytes, how long they took, "
      "and why others did not");
  app.add_option("COMMAND", command, "What starts the job, such as mpirun, with its options and the program")
      ->required();
  app.footer(kFooter);
  add_manual_flag(app);
  try {
    app.parse(as_stack(arguments));
  } catch (const CLI::ExtrasError&) {
    return complain(2, fmt::format("unknown option '{}'; its own come before the launcher (see --help)",
                                   app.remaining().front()));
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  return start(std::move(command), explains);
}

}  // namespace foldlane::tools
