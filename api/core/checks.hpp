// What this process looks for on top of what is always looked for, as the job asks (mpiexec --check,
// FOLDLANE_CHECK). Decided when the process joins its job.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "shm/base/result.hpp"

namespace foldlane::api {

enum class Check : std::uint8_t {
  leaks,  // objects that the program has not freed
  types,  // messages of other types than their receives: an error instead of a warning
  ready,  // messages of MPI_Rsend that came before their receives: likewise
};
inline constexpr std::size_t kChecks = 3;
inline constexpr std::array<const char*, kChecks> kCheckNames{"leaks", "types", "ready"};

inline constexpr char kCheckVariable[] = "FOLDLANE_CHECK";

class Checks {
 public:
  /// Names with commas between them; the error of an unknown one lists those that there are.
  static shm::Result<Checks> parse(std::string_view names);

  bool has(Check check) const noexcept { return (bits_ >> static_cast<unsigned>(check) & 1) != 0; }

 private:
  unsigned bits_ = 0;
};

[[gnu::visibility("hidden")]] extern Checks checks;

/// Reads the environment.
void read_checks();

}  // namespace foldlane::api
