// What each rank keeps of its calls in the segment, for as long as the launcher was asked for statistics.
// There the launcher finds it whatever has become of the rank. A rank writes its own records only; others
// read the arrivals, to find out who waited for whom, and nothing else before the job is over.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "engine/statistics/call_kind.hpp"
#include "engine/statistics/routes.hpp"
#include "shm/segment/layout.hpp"

namespace foldlane::engine {

/// Of all calls of one kind on one communicator. Times are in ticks.
struct CallTotals {
  std::uint64_t calls;
  std::uint64_t bytes;          // of inputs; of the message of a bcast
  std::uint64_t inside;         // time in the call; else in the calls that started and completed it
  std::uint64_t compared;       // calls of which this rank knows when everybody was in them; of these:
  std::uint64_t waited;         //   how much of `inside` it was waiting for ranks that came later
  std::uint64_t times_late;     //   in how many others waited for this rank longer than for any other
  std::uint64_t kept_waiting;   //   how long they did, all together
  std::uint64_t direct_bytes;   // of calls that went straight between buffers
  std::uint64_t private_calls;  // that would have, but for the place of this rank's buffers
  std::uint64_t private_bytes;  // of these
  std::array<std::uint64_t, kRoutes> routes;  // calls
};

/// When this rank was in a call (Stay), by the number of the call on its communicator. `left` is zero until
/// it has left.
struct Arrival {
  shm::Epoch entered;
  shm::Epoch waits_from;
  shm::Epoch left;
  std::uint64_t what;  // its owner's: kind and needs
};

/// Of the newest calls. Nobody waits for who reads them: a reader notices what has been overwritten.
inline constexpr std::size_t kArrivals = 256;

/// Of one rank on one communicator; a table of these is the rank's area.
struct alignas(shm::kAreaAlignment) CommunicatorRecord {
  shm::Epoch team;         // the same on all members, and of no other communicator; 0: nobody's
  shm::Epoch calls;        // that have been entered
  std::uint64_t compared;  // up to this call
  std::uint32_t member;
  std::uint32_t members;
  std::array<char, 128> name;  // empty: it has none
  std::array<CallTotals, kKinds> totals;
  std::array<Arrival, kArrivals> arrivals;
};
static_assert(std::is_trivially_copyable_v<CommunicatorRecord>);

/// In a table. The first is for all communicators that get none of their own.
inline constexpr std::size_t kCommunicatorRecords = 64;
inline constexpr std::uint64_t kOverflowTeam = ~std::uint64_t{0};

}  // namespace foldlane::engine
