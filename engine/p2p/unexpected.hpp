// A message that has come before anybody asked for it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "engine/p2p/envelope.hpp"
#include "engine/p2p/lane.hpp"
#include "shm/sync/atoms.hpp"

namespace foldlane::engine {

struct Unexpected {
  Envelope envelope;
  int from;  // a rank of the job
  // Of one carried in a cell or a block.
  std::size_t room = 0;  // of long_payload
  std::unique_ptr<std::byte[]> long_payload;
  alignas(8) std::byte payload[BasicCell<shm::RealAtoms>::kPayloadBytes];  // all of it, or nothing
  // Of one whose data are to follow.
  DataPlace place;
  // Its neighbours among those of the same source and tag, of the same source, of the same tag, and all.
  Unexpected* previous_of_envelope = nullptr;
  Unexpected* next_of_envelope = nullptr;
  Unexpected* previous_of_source = nullptr;
  Unexpected* next_of_source = nullptr;
  Unexpected* previous_of_tag = nullptr;
  Unexpected* next_of_tag = nullptr;
  Unexpected* previous = nullptr;
  Unexpected* next = nullptr;

  const std::byte* data() const noexcept { return long_payload ? long_payload.get() : payload; }
};

}  // namespace foldlane::engine
