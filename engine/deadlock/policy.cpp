#include "engine/deadlock/policy.hpp"

#include <fmt/format.h>

#include "shm/job/job.hpp"

namespace foldlane::engine {

shm::Result<DeadlockPolicy> parse_deadlock_policy(std::string_view text) {
  if (text.empty() || text == "abort") return DeadlockPolicy::abort;
  if (text == "report") return DeadlockPolicy::report;
  if (text == "off") return DeadlockPolicy::off;
  return shm::Error{shm::Errc::invalid,
                    fmt::format("reading {}: there is no '{}'; known are abort, report, off",
                                shm::kDeadlockVariable, text)};
}

}  // namespace foldlane::engine
