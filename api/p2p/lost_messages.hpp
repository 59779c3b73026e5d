// What is said about messages that nobody has received when their communicator goes, or MPI ends.
#pragma once

#include <vector>

#include "engine/p2p/channel.hpp"

namespace foldlane::api {

/// One line on stderr: such a program is wrong (MPI-5.0, 11.2.2), but has its results.
void report_lost_messages(const engine::Channel& channel, const std::vector<engine::Envelope>& lost);

}  // namespace foldlane::api
