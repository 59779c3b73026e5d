// An exchange as part of a longer call, with an announcement of its own.
#pragma once

#include <type_traits>
#include <vector>

#include "engine/algorithms/exchange.hpp"
#include "engine/team/team.hpp"

namespace foldlane::engine {

/// `all` becomes what all members show, by member. `as`: what it is announced as.
template <class Shown>
Procedure exchange_steps(Team& team, CallInfo as, Shown own, std::vector<Shown>& all) {
  static_assert(std::is_trivially_copyable_v<Shown> && sizeof own <= Team::kInlineBytes);
  all.resize(static_cast<std::size_t>(team.size()));
  if (!team.agreement().announce(as)) co_await Surrender();
  if (team.size() == 1) {  // has no lines
    all.front() = own;
    co_return;
  }
  co_await exchange_as_procedure(team, reinterpret_cast<const std::byte*>(&own), sizeof own,
                                 reinterpret_cast<std::byte*>(all.data()));
}

}  // namespace foldlane::engine
