// A call that the program's MPI has given up, from its entry on: taken, passed on, or failed.
#pragma once

#include <cstdint>
#include <exception>
#include <string>

#include "api/host/accelerator.hpp"
#include "shm/base/result.hpp"

namespace foldlane::host {

/// Of this process, from the first call that comes here on.
inline Accelerator* the = nullptr;

/// A call as it was made.
struct Made {
  foldlane_call call;
  Handle comm;
};

/// The engine's error in the host's way.
[[gnu::cold]] int fail(const Made& made, const std::string& why);
/// What was thrown before or behind the engine's part: peers must not wait for this member.
[[gnu::cold]] int give_up(const Made& made, engine::Team& team, const std::exception& error);

template <class Body>
[[gnu::always_inline]] inline int attempt(const Made& made, engine::Team& team, const Body& body) {
  try {
    const shm::Result<void> done = body();
    if (done.ok()) [[likely]]
      return 0;
    return fail(made, done.error().message);
  } catch (const std::exception& error) {
    return give_up(made, team, error);
  }
}

template <class Body>
[[gnu::always_inline]] inline int run(const Made& made, engine::Team& team, std::uint64_t bytes,
                                      const Body& body) {
  const std::uint64_t begun_ns = the->begin_ns();
  const int code = attempt(made, team, body);
  the->note_here(made.call, bytes, begun_ns);
  return code;
}

/// Members on other nodes cannot be told of an error: they may be waiting in the host already.
[[gnu::cold, noreturn]] void end_job(const Made& made, int code);

template <class Body>
int run(const Made& made, AcrossNodes& nodes, std::uint64_t bytes, const Body& body) {
  const int code = run(made, nodes.team(), bytes, body);
  if (code != 0) end_job(made, code);
  return 0;
}

template <class... Arguments>
[[gnu::noinline]] int pass_on(const Made& made, Reason reason, Arguments... arguments) {
  const std::uint64_t begun_ns = the->begin_ns();
  const int code = the->pass_on(made.call, arguments...);
  the->note_host(made.call, reason, begun_ns);
  return code;
}

template <class... Arguments>
foldlane_function any(int (*function)(Arguments...)) {
  return reinterpret_cast<foldlane_function>(function);
}

}  // namespace foldlane::host
