// A message that this process receives and whose data follow its envelope, and the time that its copies take.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "engine/choice/copy_time.hpp"
#include "engine/choice/transfer_choices.hpp"
#include "engine/p2p/communication.hpp"
#include "engine/p2p/transfers/transfer_lines.hpp"

namespace foldlane::engine {

/// The data of a message that has been matched are on their way.
struct Inflow {
  Receive* receive = nullptr;
  TransferReceiver transfer;
  int from = 0;
  std::uint64_t direct = kNoPlace;  // the sender's buffer
  Chunks chunks{0};
  std::byte* boxes = nullptr;          // from the first chunk on
  TransferChoices* choices = nullptr;  // null: there is nothing to choose
  TransferChoices::Use use;
  bool is_in_pieces = false;  // both sides copy it together:
  Pieces cut;
  std::uint64_t source = 0;  // the sender's buffer
  int process = 0;           // in whose memory that is; 0: in a heap of the segment
  bool is_broken = false;    // not all of it could be copied
  PieceClaims claims;
  Inflow* previous = nullptr;
  Inflow* next = nullptr;
};

/// copy(), which copies so many bytes, and what it takes if that is to be known. What is only watched, by one
/// such part, does not wait for its stores, as copy_time() does: that would cost every long message.
template <class Copy>
void carry(Inflow& flow, std::size_t bytes, bool stands_for_all, const Copy& copy) {
  if (flow.use.is_timed()) [[unlikely]] {
    flow.use.nanoseconds += copy_time<shm::RealAtoms>(copy);
  } else if (stands_for_all && std::exchange(flow.use.is_watched, false)) {
    const auto start = std::chrono::steady_clock::now();
    copy();
    const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - start;
    flow.use.part_per_byte = took.count() / static_cast<double>(bytes);
  } else {
    copy();
  }
}
/// The same of the sender, as long as the lines are not its own again.
inline void hear(Inflow& flow) noexcept {
  if (flow.use.is_timed()) [[unlikely]]
    flow.use.sent = flow.transfer.said();
}

}  // namespace foldlane::engine
