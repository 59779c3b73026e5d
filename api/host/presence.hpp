// Whether all ranks of a node have Foldlane, before any of them makes a collective call over it: a rank
// without would not make that call.
#pragma once

#include "api/host/founding.hpp"

namespace foldlane::host {

/// The same on all of them that ask. Where no launcher says what job this is nobody can be asked, and all are
/// taken to have it. One of those that ask says what is wrong.
bool all_ranks_of_node_are_here(const Host& host, HostProgress& progress);

}  // namespace foldlane::host
