// What a sender of long messages keeps of each receiver.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "engine/choice/mutual_choices.hpp"

namespace foldlane::engine {

struct Outflow;

class Partner {
 public:
  std::size_t bytes_ahead = 0;  // in boxes that it has not given back

  // ---- long messages that are under way to it, and that can be pulled
  /// `is_first`: the one that began last before it is over.
  void begin(const Outflow& flow, Arm way, bool is_again, std::size_t bytes, bool is_first) noexcept {
    if (is_first) since_ = left_ > 0 ? SentMeanwhile::Clock::now() : SentMeanwhile::kNever;
    const bool goes_on = latest_.is_like(is_again, bytes) && !(is_first && is_answered_);
    unanswered_ = goes_on ? std::min(unanswered_ + 1, kLasting) : 1;
    is_answered_ = false;
    latest_ = {&flow, way, is_again, size_class(bytes)};
    ++begun_;
    ++count(way);
  }
  /// It goes through boxes after all.
  void withdraw(const Outflow& flow) noexcept {
    --pulled_;
    ++in_boxes_;
    if (latest_.flow == &flow) latest_.way = Arm::first;
  }
  void end(const Outflow& flow, Arm way) noexcept {
    --count(way);
    if (latest_.flow == &flow) latest_.flow = nullptr;
  }
  /// How many are under way.
  std::uint32_t under_way() const noexcept { return in_boxes_ + pulled_; }
  /// How many have ever begun.
  std::uint32_t begun() const noexcept { return begun_; }
  /// The one that began last, whatever has become of it, if it is like that.
  SentMeanwhile last(bool is_again, std::size_t bytes) const noexcept {
    if (!latest_.is_like(is_again, bytes)) return {};
    return latest_.way == Arm::second ? SentMeanwhile{0, 1, since_} : SentMeanwhile{1, 0, since_};
  }
  /// One like that has come back, and answers those that went there. They may be over: of two that send each
  /// other windows one may receive all of the other one's before its own are taken, and who answers each
  /// message sends none meanwhile.
  SentMeanwhile answer(bool is_again, std::size_t bytes) noexcept {
    if (unanswered_ == 0 || !latest_.is_like(is_again, bytes)) return {};
    is_answered_ = true;
    const std::uint32_t sent = std::exchange(unanswered_, unanswered_ - 1);
    return latest_.way == Arm::second ? SentMeanwhile{0, sent, since_} : SentMeanwhile{sent, 0, since_};
  }
  /// The one that began last, if it has not ended.
  const Outflow* latest() const noexcept { return latest_.flow; }
  /// If the latest one is like that.
  SentMeanwhile meanwhile(bool is_again, std::size_t bytes) const noexcept {
    if (!latest_.is_like(is_again, bytes)) return {};
    return {in_boxes_, pulled_, since_};
  }

  // ---- how both send, if this rank has decided that
  void agree(bool is_again, std::size_t bytes, Arm way) noexcept {
    ways_[is_again ? 1 : 0].set(bytes, way);
    left_ = kLasting;
  }
  /// For the next message. Nothing if there is nothing agreed, or the other one has not sent for long.
  std::optional<Arm> agreed(bool is_again, std::size_t bytes) noexcept {
    if (left_ == 0) return std::nullopt;
    --left_;
    return ways_[is_again ? 1 : 0].of(bytes);
  }

 private:
  /// Windows of 64 are usual.
  static constexpr std::uint32_t kLasting = 64;

  struct Latest {
    const Outflow* flow = nullptr;  // null: it has ended
    Arm way = Arm::first;
    bool is_again = false;
    std::size_t size = 0;  // its class

    bool is_like(bool again, std::size_t bytes) const noexcept {
      return again == is_again && size_class(bytes) == size;
    }
  };
  std::uint32_t& count(Arm way) noexcept { return way == Arm::second ? pulled_ : in_boxes_; }

  Latest latest_;
  std::uint32_t begun_ = 0;
  std::uint32_t unanswered_ = 0;  // like the latest one
  bool is_answered_ = false;      // since that began
  std::uint32_t in_boxes_ = 0;
  std::uint32_t pulled_ = 0;
  std::uint32_t left_ = 0;
  std::array<AgreedWays, 2> ways_{};  // of what is sent from elsewhere, and from where others were
  SentMeanwhile::Clock::time_point since_ = SentMeanwhile::kNever;
};

}  // namespace foldlane::engine
