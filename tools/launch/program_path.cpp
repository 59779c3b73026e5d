#include "launch/program_path.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cstring>
#include <sstream>

namespace foldlane::tools {
namespace {

bool is_file(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode);
}

bool is_executable(const std::string& path) { return is_file(path) && ::access(path.c_str(), X_OK) == 0; }

FoundProgram check(const std::string& name, const std::string& path) {
  if (is_executable(path)) return {path, 0, {}};
  if (::access(path.c_str(), F_OK) != 0) return {{}, 127, name + ": " + std::strerror(errno)};
  if (!is_file(path)) return {{}, 126, name + ": not a file that can be executed"};
  return {{}, 126, name + ": not executable (chmod +x?)"};
}

}  // namespace

FoundProgram find_program(const std::string& name, const std::string& directory,
                          const std::string& search_path) {
  const std::string base = directory.empty() ? "" : directory + "/";
  if (name.find('/') != std::string::npos) return check(name, name[0] == '/' ? name : base + name);
  std::istringstream entries(search_path);
  for (std::string entry; std::getline(entries, entry, ':');) {
    const std::string path = (entry.empty() ? "." : entry) + "/" + name;
    if (is_executable(path)) return {path, 0, {}};
  }
  if (is_file(base + name)) {
    return {{}, 127, name + ": not in PATH; the file in the working directory is ./" + name};
  }
  return {{}, 127, name + ": not in PATH"};
}

}  // namespace foldlane::tools
