#include "api/info/info_environment.hpp"

#include <mpi.h>
#include <sys/utsname.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <system_error>
#include <vector>

#include "engine/identity/launchers.hpp"
#include "engine/job/job.hpp"
#include "shm/job/job.hpp"

namespace foldlane::api {
namespace {

using CommandLine = std::vector<std::string>;

CommandLine real_command_line() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  CommandLine words;
  for (std::string word; std::getline(file, word, '\0');) words.push_back(std::move(word));
  return words;
}

CommandLine given_command_line(int argc, char** argv) {
  if (argc == 0 || argv == nullptr) return real_command_line();
  CommandLine words;
  for (const char* word : std::span(argv, static_cast<std::size_t>(argc))) {
    if (word != nullptr) words.emplace_back(word);
  }
  return words;
}

std::string joined(std::span<const std::string> words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

// Values have a limit; a long command line is cut there rather than missing.
void put(InfoMap& map, std::string_view key, std::string_view value) {
  if (!value.empty()) map.set(key, value.substr(0, MPI_MAX_INFO_VAL - 1));
}

void put_command(InfoMap& map, const CommandLine& words) {
  if (words.empty()) return;
  put(map, "command", words.front());
  put(map, "argv", joined(std::span(words).subspan(1)));
}

// Null: it has none.
const char* size_variable() {
  if (engine::is_launched()) return shm::kSizeVariable;
  const engine::Launcher* const launcher = engine::foreign_launcher();
  return launcher == nullptr ? nullptr : launcher->size;
}

// Who was not started by a launcher is a job of one; a launcher may tell the size only to who joins.
void put_size(InfoMap& map) {
  const char* const variable = size_variable();
  const char* const size = variable == nullptr ? nullptr : std::getenv(variable);
  if (size != nullptr) return put(map, "maxprocs", size);
  if (!engine::is_launched() && engine::foreign_launcher() == nullptr) put(map, "maxprocs", "1");
}

void put_machine(InfoMap& map) {
  utsname machine{};
  if (uname(&machine) == 0) {
    put(map, "host", machine.nodename);
    put(map, "arch", machine.machine);
  }
  std::error_code none;
  put(map, "wdir", std::filesystem::current_path(none).string());
}

InfoMap describe(const CommandLine& words) {
  InfoMap map;
  put_command(map, words);
  put_size(map);
  put_machine(map);
  put(map, "mpi_initial_errhandler", "mpi_errors_are_fatal");
  put(map, "mpi_memory_alloc_kinds", "mpi,system");
  return map;
}

}  // namespace

const InfoMap& environment_info() {
  static const InfoMap map = describe(real_command_line());
  return map;
}

InfoMap environment_info_of(int argc, char** argv) { return describe(given_command_line(argc, argv)); }

}  // namespace foldlane::api
