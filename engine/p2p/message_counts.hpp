// What a process has sent by which way, and what it has kept and awaited: for the tool interface. Plain
// words, used under the messenger's lock.
#pragma once

#include <algorithm>
#include <cstdint>

namespace foldlane::engine {

struct Traversed {
  std::uint64_t messages = 0;
  std::uint64_t bytes = 0;

  void add(std::uint64_t more) noexcept {
    ++messages;
    bytes += more;
  }
  void remove(std::uint64_t less) noexcept {
    --messages;
    bytes -= less;
  }
};

struct SentCounts {
  Traversed cells;                  // beside their envelopes
  Traversed blocks;                 // in a block of the sender's heap
  Traversed boxes;                  // chunk by chunk
  Traversed direct;                 // read by the receiver where they lie
  Traversed straight;               // written to where the receiver wants them
  Traversed pulled;                 // read by the receiver with the kernel's help
  Traversed agreed;                 // of the above: in the way that this rank has decided for both directions
  std::uint64_t fetched_ahead = 0;  // bytes, while there was nothing else to do
};

/// A number that goes up and down, and the highest that it ever was.
struct Tide {
  std::uint64_t now = 0;
  std::uint64_t peak = 0;

  void set(std::uint64_t value) noexcept {
    now = value;
    peak = std::max(peak, value);
  }
};

struct ReceivedCounts {
  Tide unexpected_messages;
  Tide unexpected_bytes;     // of memory that they take
  std::uint64_t posted = 0;  // receives that wait
  std::uint64_t most_posted = 0;
  std::uint64_t sleeps = 0;  // of a wait that has found no message
  std::uint64_t lifts = 0;   // of the limit for unexpected messages
};

struct MessageCounts {
  SentCounts sent;
  ReceivedCounts received;
};

}  // namespace foldlane::engine
