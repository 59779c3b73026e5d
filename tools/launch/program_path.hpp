// Finds the file of a program the way a shell would, before anything is started.
#pragma once

#include <string>

namespace foldlane::tools {

struct FoundProgram {
  std::string path;
  int exit_code = 0;    // 127 not found, 126 not executable; 0 if usable
  std::string problem;  // why it is not usable
};

/// `directory` is where the program will run; a name with a slash is relative to it.
FoundProgram find_program(const std::string& name, const std::string& directory,
                          const std::string& search_path);

}  // namespace foldlane::tools
