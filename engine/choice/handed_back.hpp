#pragma once

#include <cstdint>

namespace foldlane::engine {

/// How the receiver of a long message hands its boxes back. Only within a trial does it say so: the sender is
/// to take the time the next time it fills them.
enum class HandedBack : std::uint8_t { unsaid, clean, dirty };

/// What the sender says of one message.
struct Sent {
  HandedBack state = HandedBack::unsaid;  // in which its boxes came back from the message before
  double nanoseconds = 0;                 // for filling them again, unless that is unsaid
};

}  // namespace foldlane::engine
