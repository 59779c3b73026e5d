#include "engine/deadlock/policy.hpp"

#include <fmt/format.h>

#include <charconv>

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

shm::Result<std::int64_t> parse_deadlock_haste(std::string_view text) {
  if (text.empty()) return std::int64_t{1};
  std::int64_t haste = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), haste);
  if (error == std::errc() && end == text.data() + text.size() && haste > 0) return haste;
  return shm::Error{shm::Errc::invalid, fmt::format("reading {}: '{}' is no number of 1 or more",
                                                    shm::kDeadlockHasteVariable, text)};
}

}  // namespace foldlane::engine
