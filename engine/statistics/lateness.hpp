// Who waited for whom in a call: a pure function of when its members were in it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "engine/collectives/collective.hpp"

namespace foldlane::engine {

/// When a member was in a call, in ticks.
struct Stay {
  std::uint64_t entered;     // or started it, if it goes on while the member does other things
  std::uint64_t waits_from;  // a blocking call: entered; else when it began the call that completed it
  std::uint64_t left;

  /// How long the member did nothing but wait, if what it needed came not before `arrival`.
  std::uint64_t waited_until(std::uint64_t arrival) const noexcept {
    const std::uint64_t end = std::min(arrival, left);
    return end > waits_from ? end - waits_from : 0;
  }
};

/// Whose arrival the result of a member depends on.
struct Needs {
  enum Whom : std::uint8_t {
    everybody,     // of everybody
    all_at_root,   // of everybody, at the root only (reduce)
    root,          // of the root (bcast)
    those_before,  // of the members up to this one (scan)
    unknown,       // calls between two groups, or among neighbours
  } whom;
  std::uint16_t root_member = 0;
};
Needs needs_of(const Collective& call) noexcept;

/// Of one member in one call.
struct Lateness {
  std::uint64_t waited = 0;  // until the last one whom it needed had come
  std::uint64_t kept = 0;    // what others waited for this one, all together
};
Lateness lateness_of(const Needs& needs, std::size_t member, std::span<const Stay> members) noexcept;

}  // namespace foldlane::engine
