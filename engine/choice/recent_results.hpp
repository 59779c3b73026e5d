// Which results go where others went a short while ago.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/choice/decision.hpp"

namespace foldlane::engine {

/// A cache mostly holds these, and mostly not what a program that walks through memory stores.
class RecentResults {
 public:
  /// How the last one that went there was stored; nothing if that is long ago, or forgotten.
  std::optional<Arm> find(const void* result) const noexcept {
    if (places_.empty()) return {};
    const std::uint64_t mixed = mix(result);
    const Place& place = places_[slot(mixed)];
    if (place.tag != tag(mixed) || stored_lines_ - place.stored_lines > kWithinLines) return {};
    return place.arm;
  }
  void note(const void* result, std::size_t bytes, Arm arm = Arm::first) noexcept {
    places_.resize(std::size_t{1} << kBits);
    const std::uint64_t mixed = mix(result);
    places_[slot(mixed)] = {tag(mixed), stored_lines_, arm};
    stored_lines_ += static_cast<std::uint32_t>(bytes / kLineBytes);
  }

 private:
  static constexpr std::size_t kLineBytes = 64;
  /// A window of messages is 8 MiB long, or a few vectors that a program uses in turn. What lies further back
  /// may be in a cache or not.
  static constexpr std::uint32_t kWithinLines = (8 << 20) / kLineBytes;
  /// Four for each piece of 32 KiB in it, so that few share one.
  static constexpr unsigned kBits = 10;
  struct Place {
    std::uint32_t tag = 0;
    std::uint32_t stored_lines = 0;  // before it
    Arm arm = Arm::first;
  };

  /// Multiplied by the golden ratio, addresses in equal steps fall into different slots.
  static std::uint64_t mix(const void* result) noexcept {
    constexpr std::uint64_t kGoldenRatio = 0x9E37'79B9'7F4A'7C15;
    return reinterpret_cast<std::uintptr_t>(result) * kGoldenRatio;
  }
  static std::size_t slot(std::uint64_t mixed) noexcept { return mixed >> (64 - kBits); }
  static std::uint32_t tag(std::uint64_t mixed) noexcept {
    return static_cast<std::uint32_t>(mixed >> (32 - kBits));
  }

  std::vector<Place> places_;  // none as long as there is nothing to remember
  std::uint32_t stored_lines_ = kWithinLines + 1;
};

}  // namespace foldlane::engine
