// The ways of calls, as statistics count them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "engine/collectives/collective.hpp"
#include "engine/plans/plan.hpp"

namespace foldlane::engine {

enum class Route : std::uint8_t {
  alone,
  inline_line,
  central,  // inline, by the last to arrive
  one_shot,
  two_shot,
  pipelined,
  gathered,
  boxes,
  grouped,
  direct,
  offered,  // direct if everybody offered it: with other calls under way nobody counts which one was
  messages,
};
inline constexpr std::size_t kRoutes = 12;

std::string_view name(Route route) noexcept;

/// What a plan says, if the call does not go direct.
Route route_of(const Plan& plan, bool is_predefined) noexcept;

/// What a member knows of the way of its call before it begins.
struct Outlook {
  Route route;             // unless it is direct
  bool could_be_direct;    // with all buffers in common memory
  bool offers_own_buffer;  // they are in common memory; of a bcast the root's, which others need not know
};

/// For the calls of one team.
class Outlooks {
 public:
  Outlook of(Team& team, const Collective& call);

 private:
  bool is_same(const Collective& call) const noexcept;

  /// Of the newest call, which is like the one before as a rule: to plan takes as long as to read the clock.
  Plan plan_{};
  Call call_{};
  std::uint64_t bytes_ = 0;
  const Reduction* reduction_ = nullptr;
  bool is_known_ = false;
};

}  // namespace foldlane::engine
