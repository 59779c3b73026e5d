// Messages that are received and yet are mistakes of the program: of other types than their receive, sent as
// one that is awaited when it was not, or shorter than the program has promised.
#pragma once

#include "engine/p2p/communication.hpp"

namespace foldlane::api {

/// Of a message whose type is not that of its receive to the letter. Warns once of each kind of mistake on a
/// communicator; throws if that is checked (core/checks.hpp). `first`: the member that is rank 0.
[[gnu::cold]] void examine(const engine::Receive& receive, int first);

}  // namespace foldlane::api
