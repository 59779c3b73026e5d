// A look at requests whose answer depends on time.
#pragma once

#include <optional>

#include "api/replay/outcomes.hpp"
#include "api/request/waiting.hpp"

namespace foldlane::api {

/// Replayed, a call waits for what came in the recorded run: who is to release it is not asked.
template <class Done>
void wait_replayed(const Done& done) {
  wait_until(done, [](engine::WaitNote& note) { note.is_known = false; });
}

/// Whether `is_complete()`, which must not block: now, or, replayed, whether it was in the recorded run; then
/// it is on return.
template <class IsComplete>
bool look(Call call, const IsComplete& is_complete) {
  const std::optional<Outcome> told = replayed(call);
  if (told) {
    const bool was_complete = number(*told, 0) != 0;
    if (was_complete) wait_replayed(is_complete);
    return was_complete;
  }
  const bool now = is_complete();
  record(call, {now});
  return now;
}

}  // namespace foldlane::api
