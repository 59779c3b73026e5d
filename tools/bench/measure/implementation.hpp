// An MPI that can be measured: ours, or one that is found on the machine.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace foldlane::bench {

struct Implementation {
  std::string name;                 // "foldlane", "openmpi", or the directory that was given
  std::string version;              // "Open MPI 4.1.4"
  std::string options;              // for its mpiexec, as the user gave them
  std::vector<std::string> launch;  // mpiexec and its options, but for "-n N"
  std::string probe;                // the measurement program, built for it
};

/// Foldlane itself, as this executable belongs to it. `bound`: whether ranks will bind themselves to CPUs, so
/// that their memory should be there too. Throws std::runtime_error if the installation lacks the measurement
/// program.
Implementation own_implementation(bool bound);

/// What --vs names: "openmpi", "mpich" or a directory with bin/mpicc and bin/mpiexec, then options for its
/// mpiexec, separated by blanks.
struct PeerRequest {
  std::string name;
  std::vector<std::string> options;
  bool accelerated = false;  // with Foldlane under it

  bool operator==(const PeerRequest&) const = default;
};
/// Throws std::invalid_argument for a name that is neither.
PeerRequest parse_peer(const std::string& text);

/// Finds the peer and builds the measurement program for it in `directory`. Throws std::runtime_error that
/// names what is missing, and the package that has it, or the setting (MPIR_CVAR_…) that it does not know.
Implementation build_peer(const PeerRequest& request, const std::filesystem::path& directory);

/// A private directory that goes away with its object.
class ScratchDirectory {
 public:
  ScratchDirectory();
  ScratchDirectory(const ScratchDirectory&) = delete;
  ScratchDirectory& operator=(const ScratchDirectory&) = delete;
  ~ScratchDirectory();

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace foldlane::bench
