// The one place where calls about requests wait.
#pragma once

#include "api/core/world.hpp"

namespace foldlane::api {

/// Returns when `done`, which polls what is waited for and must not block, is true. All that is under way in
/// this process goes on meanwhile. What no operation of the engine makes true is told by wake_waiting().
template <class Predicate>
void wait_until(const Predicate& done, const engine::WaitDescriber& describe,
                engine::Expected expected = engine::Expected::anything) {
  if (!done()) world.job->messenger().wait_until(done, describe, expected);
}

/// Another thread's call has completed something that a thread in wait_until() may be waiting for.
inline void wake_waiting() { world.job->wake_waiting(); }

}  // namespace foldlane::api
