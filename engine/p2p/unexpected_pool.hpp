// Places for messages that come before anybody asks for them, used again and again: freed memory at its end
// the C library gives back to the system, and pages that come instead take longer than all the rest (windows
// of 64 messages of 8 KiB: 5.9 us a message).
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "engine/p2p/unexpected.hpp"

namespace foldlane::engine {

class UnexpectedPool {
 public:
  /// With room for so many bytes of data, kMostBytes at most; none lie there yet.
  Unexpected* take(std::size_t bytes) {
    std::vector<std::unique_ptr<Unexpected>>& free = free_[kind_of(bytes)];
    if (free.empty()) return make(bytes);
    Unexpected* const place = free.back().release();
    free.pop_back();
    free_bytes_ -= cost_of(*place);
    return place;
  }
  void give_back(Unexpected* place) noexcept {
    std::unique_ptr<Unexpected> owned(place);
    if (free_bytes_ + cost_of(*place) > kMostFreeBytes) return;
    free_bytes_ += cost_of(*place);
    free_[kind_of(place->room)].push_back(std::move(owned));
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

  std::array<std::vector<std::unique_ptr<Unexpected>>, kKinds> free_;
  std::size_t free_bytes_ = 0;
};

}  // namespace foldlane::engine
