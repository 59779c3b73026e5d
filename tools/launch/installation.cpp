#include "launch/installation.hpp"

#include <filesystem>

namespace foldlane::tools {

std::string mpi_library_path() {
  std::error_code error;
  const auto executable = std::filesystem::read_symlink("/proc/self/exe", error);
  if (error) return {};
  const auto library =
      (executable.parent_path() / FOLDLANE_LIBRARY_FROM_BIN / "libmpi_abi.so.1").lexically_normal();
  return std::filesystem::exists(library, error) ? library.string() : std::string();
}

}  // namespace foldlane::tools
