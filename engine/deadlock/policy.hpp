// What becomes of a deadlock, as the user wishes.
#pragma once

#include <cstdint>
#include <string_view>

#include "shm/base/result.hpp"

namespace foldlane::engine {

enum class DeadlockPolicy : std::uint8_t {
  abort,   // it is reported, and ends the job
  report,  // it is reported
  off,     // nobody looks
};

/// Reads what shm::kDeadlockVariable holds; "" is the default, abort. Errors: invalid, with what is known.
shm::Result<DeadlockPolicy> parse_deadlock_policy(std::string_view text);
/// Reads what shm::kDeadlockHasteVariable holds: by what all times of the watch are divided. "" is 1.
shm::Result<std::int64_t> parse_deadlock_haste(std::string_view text);

}  // namespace foldlane::engine
