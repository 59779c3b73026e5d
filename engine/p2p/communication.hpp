// What a call has under way: a message to be sent, or one to be received. It belongs to the call, or to the
// request that stands for it, and must stay in its place until it is done.
#pragma once

#include <cstdint>

#include "engine/p2p/envelope.hpp"
#include "engine/p2p/lane.hpp"
#include "engine/p2p/user_buffer.hpp"
#include "shm/sync/atoms.hpp"

namespace foldlane::engine {

class Channel;

enum class Delivery : std::uint8_t {
  under_way,
  done,
  truncated,    // the message was longer than the buffer; what fits is there, the rest is lost
  cancelled,    // a receive that nobody will answer
  peer_failed,  // the job has failed, or the rank that it depends on has died
  no_memory,    // of the segment, for what must lie there
};

struct Communication;

/// Those without an owner that are over. Whoever has no lock at all ends them: what they keep may be the last
/// use of a team.
class Ended {
 public:
  bool empty() const noexcept { return first_.peek() == nullptr; }  // any thread may ask
  void add(Communication& communication) noexcept;
  Communication* take_all() noexcept {
    Communication* const all = first_.peek();
    first_.publish(nullptr);
    return all;
  }

 private:
  shm::RealAtoms::Word<Communication*> first_{};
};

/// What both kinds have in common.
struct Communication {
  Communication() = default;
  Communication(const Communication&) = delete;
  Communication& operator=(const Communication&) = delete;

  /// Any thread may ask.
  Delivery delivery() const noexcept { return static_cast<Delivery>(state.observe()); }
  bool over() const noexcept { return delivery() != Delivery::under_way; }
  /// Once it is over nobody but its owner touches it.
  void end(Delivery how) noexcept {
    Ended* const among = without_owner;
    state.publish(static_cast<std::uint32_t>(how));
    if (among != nullptr) among->add(*this);
  }

  shm::RealAtoms::Word<std::uint32_t> state{};
  // Of one whose owner has gone; `at_end(what_stays)` is called when it is over. Else only the first says so.
  Ended* without_owner = nullptr;
  Communication* next_ended;
  void (*at_end)(void* what_stays);
  void* what_stays;
};

inline void Ended::add(Communication& communication) noexcept {
  communication.next_ended = first_.peek();
  first_.publish(&communication);
}

enum class SendMode : std::uint8_t {
  standard,
  synchronous,  // over when the receiver has begun to receive
  ready,        // the receive is there already, says the program
};

/// What is sent, and to whom.
struct Parcel {
  Channel* channel = nullptr;
  UserBuffer buffer;
  SendMode mode = SendMode::standard;
  int to = 0;  // a rank of the job
  std::int32_t tag = 0;
};

struct Send : Communication, Parcel {
  Send* next = nullptr;  // behind it in the queue of a lane that is full
};

/// Where a receive waits for its message (channel.hpp).
enum class Waits : std::uint8_t { nowhere, in_order, in_bin };

struct Receive : Communication {
  // What is wanted.
  Channel* channel = nullptr;
  UserBuffer buffer;
  int source = kAnySource;  // a member of the channel's team
  int tag = kAnyTag;
  // What came; known as soon as a message is matched.
  Envelope envelope;
  // While it waits, in a list of its channel's.
  Waits waits = Waits::nowhere;
  std::uint64_t number;  // in a bin: in the order of their posting
  Receive* previous;
  Receive* next;

  /// Of one that has been answered.
  Delivery outcome() const noexcept {
    return envelope.bytes > buffer.bytes ? Delivery::truncated : Delivery::done;
  }
};

/// What a wait for messages is for.
enum class Expected : std::uint8_t { anything, short_messages };
inline Expected expected_by(const Communication&) noexcept { return Expected::anything; }
/// Nothing longer than its buffer can come.
inline Expected expected_by(const Receive& receive) noexcept {
  return receive.buffer.bytes <= BasicCell<shm::RealAtoms>::kPayloadBytes ? Expected::short_messages
                                                                          : Expected::anything;
}

}  // namespace foldlane::engine
