#include "bench/measure/implementation.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <stdlib.h>
#include <unistd.h>

#include <fstream>
#include <sstream>
#include <stdexcept>

#include "bench/probe/probe_source.hpp"
#include "bench/process/child.hpp"
#include "bench/suites/under.hpp"

namespace foldlane::bench {
namespace {

namespace fs = std::filesystem;

/// How one family of MPIs is called.
struct Family {
  const char* name;
  const char* title;
  const char* mark;                 // what only the line of its `mpiexec --version` with the number says
  const char* package;              // null: it is no other MPI that could be missing
  std::vector<std::string> launch;  // options that make its start equal to ours
};

const std::vector<Family>& families() {
  // Ranks bind themselves, alike under every implementation; more ranks than cores are meant.
  static const std::vector<Family> all{
      {"openmpi",
       "Open MPI",
       "(Open",
       "openmpi-bin and libopenmpi-dev",
       {"--allow-run-as-root", "--use-hwthread-cpus", "--oversubscribe", "--bind-to", "none"}},
      {"mpich", "MPICH", "Version:", "mpich and libmpich-dev", {"-bind-to", "none"}},
      {"foldlane",
       "Foldlane",
       "foldlane",
       nullptr,
       {"--quiet", "--bind-to", "none"}},  // another build of ours
  };
  return all;
}

bool exists_in_path(const std::string& program) {
  std::istringstream path(std::getenv("PATH") != nullptr ? std::getenv("PATH") : "/usr/bin:/bin");
  for (std::string directory; std::getline(path, directory, ':');) {
    std::error_code ignored;
    if (fs::exists(fs::path(directory) / program, ignored)) return true;
  }
  return false;
}

struct Commands {
  std::string compiler;
  std::string launcher;
};

Commands found(const Commands& commands, bool there, const std::string& name, const std::string& advice) {
  if (there) return commands;
  throw std::runtime_error(fmt::format("--vs {}: there is no {} or no {}; {}", name, commands.compiler,
                                       commands.launcher, advice));
}

bool is_directory_name(const std::string& name) { return name.find('/') != std::string::npos; }

const Family* family_named(const std::string& name) {
  for (const Family& family : families()) {
    if (name == family.name && family.package != nullptr) return &family;
  }
  return nullptr;
}

/// Debian names the commands of MPIs that are installed side by side "mpicc.openmpi".
Commands commands_of(const PeerRequest& request) {
  const std::string& name = request.name;
  if (is_directory_name(name)) {
    const fs::path bin = fs::path(name) / "bin";
    const Commands commands{bin / "mpicc", bin / "mpiexec"};
    return found(commands, fs::exists(commands.compiler) && fs::exists(commands.launcher), name,
                 "name the directory where an MPI is installed");
  }
  const Commands commands{"mpicc." + name, "mpiexec." + name};
  return found(
      commands, exists_in_path(commands.compiler) && exists_in_path(commands.launcher), name,
      fmt::format("install {}, or name the directory where another one is", family_named(name)->package));
}

struct Identity {
  const Family& family;
  std::string version;  // "Open MPI 4.1.4"
};

Identity identify(const std::string& version_text, const PeerRequest& request) {
  std::istringstream lines(version_text);
  for (std::string line; std::getline(lines, line);) {
    for (const Family& family : families()) {
      const std::size_t digit = line.find_first_of("0123456789");
      if (line.find(family.mark) == std::string::npos || digit == std::string::npos) continue;
      const std::string number = line.substr(digit, line.find_first_of(" \t\r", digit) - digit);
      return {family, fmt::format("{} {}", family.title, number)};
    }
  }
  throw std::runtime_error(fmt::format(
      "--vs {}: its mpiexec is of no family that is known here (Open MPI, MPICH and its kin)", request.name));
}

std::string build_probe(const Commands& commands, const PeerRequest& request, const fs::path& directory) {
  std::string program = directory / "probe-XXXXXX";
  ::close(::mkstemp(program.data()));
  std::vector<std::string> compile{commands.compiler, "-std=c11", "-O2", "-pthread", "-o", program};
  for (const SourceFile& source : probe_sources()) {
    const fs::path file = directory / source.name;
    std::ofstream(file) << source.text;
    if (file.extension() == ".c") compile.push_back(file);
  }
  const Finished built = run_to_end(compile);
  if (built.code == 0) return program;
  throw std::runtime_error(fmt::format("--vs {}: {} cannot build the measurement program:\n{}", request.name,
                                       commands.compiler, built.output));
}

/// MPICH overlooks a setting that its build does not have, and would be measured as if it were another.
void require_settings(const PeerRequest& request, const std::string& probe) {
  for (const std::string& word : request.options) {
    if (word.starts_with("MPIR_CVAR_") && run_to_end({probe, "setting", word}).code != 0)
      throw std::runtime_error(fmt::format("--vs {} {}: this build of it has no setting {}", request.name,
                                           fmt::join(request.options, " "), word));
  }
}

fs::path libexec_directory() { return fs::read_symlink("/proc/self/exe").parent_path(); }

std::string own_command() { return (libexec_directory() / FOLDLANE_COMMAND_FROM_LIBEXEC).lexically_normal(); }

/// As a user would.
void put_foldlane_under(Implementation& peer) {
  const std::vector<std::string> words{own_command(), "accelerate"};
  peer.name = accelerated_name(peer.name);
  peer.launch.insert(peer.launch.begin(), words.begin(), words.end());
}

}  // namespace

PeerRequest parse_peer(const std::string& text) {
  std::istringstream words(text);
  PeerRequest request;
  words >> request.name;
  for (std::string word; words >> word;) request.options.push_back(word);
  if (!is_directory_name(request.name) && family_named(request.name) == nullptr)
    throw std::invalid_argument(
        fmt::format("--vs {}: this is neither openmpi nor mpich nor a directory (with a /) nor a .json file",
                    request.name));
  return request;
}

Implementation build_peer(const PeerRequest& request, const fs::path& directory) {
  const Commands commands = commands_of(request);
  const Identity identity = identify(run_to_end({commands.launcher, "--version"}).output, request);
  Implementation peer{.name = request.name,
                      .version = identity.version,
                      .options = fmt::format("{}", fmt::join(request.options, " ")),
                      .launch = {commands.launcher},
                      .probe = build_probe(commands, request, directory)};
  require_settings(request, peer.probe);
  peer.launch.insert(peer.launch.end(), identity.family.launch.begin(), identity.family.launch.end());
  peer.launch.insert(peer.launch.end(), request.options.begin(), request.options.end());
  if (request.accelerated) put_foldlane_under(peer);
  return peer;
}

Implementation own_implementation(bool bound) {
  const fs::path probe = libexec_directory() / "bench-probe";
  if (!fs::exists(probe)) {
    throw std::runtime_error(fmt::format(
        "the measurement program {} is not there: this installation is not whole", probe.string()));
  }
  return {.name = "foldlane",
          .version = FOLDLANE_VERSION,
          .options = "",
          .launch = {own_command(), "run", "--quiet", "--bind-to", bound ? "hwthread" : "none"},
          .probe = probe};
}

ScratchDirectory::ScratchDirectory() {
  std::string name = fs::temp_directory_path() / "foldlane-bench-XXXXXX";
  if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot make a directory like " + name);
  path_ = name;
}

ScratchDirectory::~ScratchDirectory() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

}  // namespace foldlane::bench
