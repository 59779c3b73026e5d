// What a sender of long messages keeps of each receiver.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "engine/choice/mutual_choices.hpp"

namespace foldlane::engine {

class Partner {
 public:
  std::size_t bytes_ahead = 0;  // in boxes that it has not given back

  // ---- messages that are under way to it, and not read where they lie in the segment
  void begin(bool may_be_pulled) noexcept {
    if (!meanwhile().any()) since_ = is_timed_ ? SentMeanwhile::Clock::now() : SentMeanwhile::kNever;
    ++count(may_be_pulled);
  }
  void end(bool may_be_pulled) noexcept { --count(may_be_pulled); }
  SentMeanwhile meanwhile() const noexcept { return {in_boxes_ > 0, pulled_ > 0, since_}; }

  // ---- how both send, if this rank has decided that
  void agree(bool is_again, std::size_t bytes, const MutualChoices::Agreed& agreed) noexcept {
    ways_[is_again ? 1 : 0].set(bytes, agreed.way);
    is_timed_ = agreed.is_timed;
    left_ = kLasting;
  }
  /// For the next message. Nothing if there is nothing agreed, or the other one has not sent for long.
  std::optional<Arm> agreed(bool is_again, std::size_t bytes) noexcept {
    if (left_ == 0) return std::nullopt;
    if (--left_ == 0) is_timed_ = false;
    return ways_[is_again ? 1 : 0].of(bytes);
  }

 private:
  /// Windows of 64 are usual.
  static constexpr std::uint32_t kLasting = 256;

  std::uint32_t& count(bool may_be_pulled) noexcept { return may_be_pulled ? pulled_ : in_boxes_; }

  std::uint32_t in_boxes_ = 0;
  std::uint32_t pulled_ = 0;
  std::uint32_t left_ = 0;
  bool is_timed_ = false;
  std::array<AgreedWays, 2>
      ways_{};  // of what comes from elsewhere, and from where it came a short while ago
  SentMeanwhile::Clock::time_point since_ = SentMeanwhile::kNever;
};

}  // namespace foldlane::engine
