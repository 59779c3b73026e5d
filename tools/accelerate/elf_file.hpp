// What the first bytes of a program say about it.
#pragma once

#include <cstdint>
#include <string>

namespace foldlane::tools {

enum class FileKind : std::uint8_t {
  program,         // of which a dynamic linker loads the libraries; also a script, and what cannot be read
  static_program,  // of this machine's kind: nothing can be preloaded into it
  library,
};
FileKind kind_of_file(const std::string& path);

}  // namespace foldlane::tools
