// Blocks that a member gives itself.
#pragma once

#include <optional>

#include "engine/choice/store_choices.hpp"
#include "engine/moves/movement.hpp"
#include "engine/team/roll_call.hpp"

namespace foldlane::engine {

/// From where they are to where they are wanted. What is wrong if a length is another one than expected.
std::optional<Trouble> copy_blocks_of(const Movement& movement, int own, OwnCopies& copies);

/// One of them, which may be long; both sides have one length, as callers have seen to. Messages are matched
/// meanwhile: their senders may be waiting for that, to copy their part.
void copy_beside_messages(const UserBuffer& to, const UserBuffer& from, const Mail& mail, OwnCopies& copies);

/// The same of all. False: the team has been given up.
template <class Team>
bool copy_own_blocks(Team& team, const Movement& movement) {
  const std::optional<Trouble> trouble =
      copy_blocks_of(movement, team.rank(), team.slots().ring().copies.own);
  if (trouble) team.agreement().give_up(*trouble);
  return !trouble;
}

}  // namespace foldlane::engine
