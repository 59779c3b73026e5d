#include "engine/job/environment.hpp"

#include <fmt/format.h>

#include <cstdlib>

#include "engine/identity/numbers.hpp"
#include "engine/p2p/room.hpp"
#include "shm/job/job.hpp"
#include "shm/program_heap/program_heap.hpp"

namespace foldlane::engine {
namespace {

using shm::Errc;
using shm::Error;
using shm::Result;

/// Empty if it is not set.
const char* variable(const char* name) {
  const char* const text = std::getenv(name);
  return text == nullptr ? "" : text;
}

Result<int> integer_variable(const char* name) {
  auto number = number_in(name);
  if (number.ok()) return number;
  return Error{Errc::invalid,
               fmt::format("joining the job: {}; it is set by `foldlane run` together with {} and {}",
                           number.error().message, shm::kRankVariable, shm::kSegmentVariable)};
}

}  // namespace

bool is_launched() noexcept { return std::getenv(shm::kRankVariable) != nullptr; }

Result<std::optional<Identity>> identity_from_environment() {
  if (!is_launched()) return std::optional<Identity>();
  const auto rank = integer_variable(shm::kRankVariable);
  const auto size = integer_variable(shm::kSizeVariable);
  const auto fd = integer_variable(shm::kSegmentVariable);
  for (const auto* each : {&rank, &size, &fd}) {
    if (!each->ok()) return each->error();
  }
  if (rank.value() >= size.value()) {
    return Error{Errc::invalid, fmt::format("joining the job: rank {} does not exist among {} ranks",
                                            rank.value(), size.value())};
  }
  return std::optional(Identity{rank.value(), size.value(), fd.value()});
}

Result<Settings> settings_from_environment() {
  const auto forced = parse_forced_arms(variable(kArmsVariable));
  if (!forced.ok()) return forced.error();
  const auto policy = parse_deadlock_policy(variable(shm::kDeadlockVariable));
  if (!policy.ok()) return policy.error();
  const auto haste = parse_deadlock_haste(variable(shm::kDeadlockHasteVariable));
  if (!haste.ok()) return haste.error();
  const auto limit = parse_unexpected_limit(variable(shm::kUnexpectedLimitVariable));
  if (!limit.ok()) return limit.error();
  return Settings{forced.value(), policy.value(), haste.value(), limit.value(),
                  is_launched() && shm::shared_heap_wanted()};
}

}  // namespace foldlane::engine
