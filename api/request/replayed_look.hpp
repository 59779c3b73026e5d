// A look at requests whose answer depends on time.
#pragma once

#include <optional>

#include "api/replay/outcomes.hpp"
#include "api/request/waiting.hpp"

namespace foldlane::api {

/// Whether `is_complete()`, which must not block: now, or, replayed, whether it was in the recorded run; then
/// it is on return.
template <class IsComplete>
bool look(Call call, const IsComplete& is_complete) {
  const std::optional<Outcome> told = replayed(call);
  if (told) {
    const bool was_complete = number(*told, 0) != 0;
    if (was_complete) wait_until(is_complete);
    return was_complete;
  }
  const bool now = is_complete();
  record(call, {now});
  return now;
}

}  // namespace foldlane::api
