// What a sender of long messages keeps of each receiver.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "engine/choice/mutual_choices.hpp"

namespace foldlane::engine {

struct Outflow;

class Partner {
 public:
  std::size_t bytes_ahead = 0;  // in boxes that it has not given back

  // ---- long messages that are under way to it, and that can be pulled
  void begin(const Outflow& flow, bool may_be_pulled, bool is_again, std::size_t bytes) noexcept {
    if (latest_ == nullptr) since_ = is_timed_ ? SentMeanwhile::Clock::now() : SentMeanwhile::kNever;
    latest_ = &flow;
    ++begun_;
    is_latest_pulled_ = may_be_pulled;
    is_again_ = is_again;
    size_class_ = size_class(bytes);
    ++count(may_be_pulled);
  }
  /// It goes through boxes after all.
  void withdraw() noexcept {
    --pulled_;
    ++in_boxes_;
    is_latest_pulled_ = false;
  }
  void end(const Outflow& flow, bool may_be_pulled) noexcept {
    --count(may_be_pulled);
    if (latest_ == &flow) latest_ = nullptr;
  }
  /// How many have ever begun.
  std::uint32_t begun() const noexcept { return begun_; }
  /// The one that began last, whatever has become of it, if it is like that.
  SentMeanwhile last(bool is_again, std::size_t bytes) const noexcept {
    if (!is_like(is_again, bytes)) return {};
    return {!is_latest_pulled_, is_latest_pulled_, since_};
  }
  /// The one that began last, if it has not ended.
  const Outflow* latest() const noexcept { return latest_; }
  /// If the latest one is like that.
  SentMeanwhile meanwhile(bool is_again, std::size_t bytes) const noexcept {
    if (!is_like(is_again, bytes)) return {};
    return {in_boxes_ > 0, pulled_ > 0, since_};
  }

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
  static constexpr std::uint32_t kLasting = 64;

  bool is_like(bool is_again, std::size_t bytes) const noexcept {
    return is_again == is_again_ && size_class(bytes) == size_class_;
  }
  std::uint32_t& count(bool may_be_pulled) noexcept { return may_be_pulled ? pulled_ : in_boxes_; }

  const Outflow* latest_ = nullptr;
  bool is_again_ = false;
  std::size_t size_class_ = 0;
  bool is_latest_pulled_ = false;
  std::uint32_t begun_ = 0;
  std::uint32_t in_boxes_ = 0;
  std::uint32_t pulled_ = 0;
  std::uint32_t left_ = 0;
  bool is_timed_ = false;
  std::array<AgreedWays, 2> ways_{};  // of what is sent from elsewhere, and from where others were
  SentMeanwhile::Clock::time_point since_ = SentMeanwhile::kNever;
};

}  // namespace foldlane::engine
