#include "launch/installation.hpp"

#include <filesystem>

namespace foldlane::tools {
namespace {

namespace fs = std::filesystem;

/// `path` as seen from the directory of the running executable; empty without /proc.
fs::path from_bin(const fs::path& path) {
  std::error_code error;
  const fs::path executable = fs::read_symlink("/proc/self/exe", error);
  return error ? fs::path() : (executable.parent_path() / path).lexically_normal();
}

std::string library_path(const char* name) {
  const fs::path library = from_bin(fs::path(FOLDLANE_LIBRARY_FROM_BIN) / name);
  std::error_code error;
  return fs::exists(library, error) ? library : fs::path();
}

}  // namespace

std::string mpi_library_path() { return library_path("libmpi_abi.so.1"); }

std::string accelerator_library_path() { return library_path("libfoldlane_accel.so"); }

std::string bench_program_path() { return from_bin(FOLDLANE_BENCH_FROM_BIN); }

}  // namespace foldlane::tools
