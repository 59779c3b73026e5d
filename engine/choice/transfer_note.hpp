// What the sender of a long message knows and its receiver decides by.
#pragma once

#include <cstdint>

namespace foldlane::engine {

/// In the note of a transfer's place (engine/p2p/envelope.hpp).
struct TransferNote {
  bool is_again = false;         // it has sent from there a short while ago
  bool could_be_pulled = false;  // as far as it is concerned
  std::uint32_t others = 0;      // such messages that it has under way to the receiver

  static constexpr TransferNote of(std::uint32_t word) noexcept {
    return {(word & 1) != 0, (word & 2) != 0, word >> 2};
  }
  constexpr std::uint32_t word() const noexcept {
    return (is_again ? 1U : 0U) | (could_be_pulled ? 2U : 0U) | others << 2;
  }
};

}  // namespace foldlane::engine
