// Messages that have come before anybody asked for them.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

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

/// Places for them, used again and again: freed memory at its end the C library gives back to the system, and
/// pages that come instead take longer than all the rest (windows of 64 messages of 8 KiB: 5.9 us a message).
class UnexpectedPool {
 public:
  UnexpectedPool() = default;
  UnexpectedPool(const UnexpectedPool&) = delete;
  UnexpectedPool& operator=(const UnexpectedPool&) = delete;
  ~UnexpectedPool() {
    for (Unexpected* place : free_)
      while (place != nullptr) delete std::exchange(place, place->next);
  }

  /// With room for so many bytes of data, kMostBytes at most; none lie there yet.
  Unexpected* take(std::size_t bytes) {
    Unexpected*& free = free_[kind_of(bytes)];
    if (free == nullptr) return make(bytes);
    free_bytes_ -= cost_of(*free);
    return std::exchange(free, free->next);
  }
  void give_back(Unexpected* place) noexcept {
    if (free_bytes_ + cost_of(*place) > kMostFreeBytes) return delete place;
    free_bytes_ += cost_of(*place);
    place->next = std::exchange(free_[kind_of(place->room)], place);
  }
  /// What it takes of memory.
  static std::size_t cost_of(const Unexpected& place) noexcept { return sizeof place + place.room; }

  std::size_t free_bytes() const noexcept { return free_bytes_; }

  static constexpr std::size_t kMostBytes = 8 << 10;

 private:
  /// As much as a window of 64 of the longest, twice.
  static constexpr std::size_t kMostFreeBytes = 128 * (kMostBytes + sizeof(Unexpected));
  static constexpr std::size_t kLeastRoom = 256;
  /// By room: none, 256 bytes, twice, four times … so many.
  static constexpr std::size_t kKinds = 2 + std::bit_width(kMostBytes / kLeastRoom - 1);

  static std::size_t kind_of(std::size_t bytes) noexcept {
    if (bytes <= sizeof(Unexpected::payload)) return 0;
    return 1 + static_cast<std::size_t>(std::bit_width((bytes - 1) / kLeastRoom));
  }
  static Unexpected* make(std::size_t bytes) {
    auto* const place = new Unexpected;
    if (const std::size_t kind = kind_of(bytes); kind != 0) {
      place->room = kLeastRoom << (kind - 1);
      place->long_payload = std::make_unique_for_overwrite<std::byte[]>(place->room);
    }
    return place;
  }

  std::array<Unexpected*, kKinds> free_{};  // the first of each kind
  std::size_t free_bytes_ = 0;
};

}  // namespace foldlane::engine
