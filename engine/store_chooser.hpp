// Plain or streaming stores into slots, whichever this rank finds cheaper while it works.
//
// Between cores that share a cache, plain stores are right: the reader takes the lines from the writer's
// cache. Where they do not, taking back lines that the reader holds runs at 2-8 GB/s, and streaming stores,
// which bypass the caches, are 4 times faster for the whole call. No topology tells which it is on a virtual
// machine, and it changes when the hypervisor moves a core; so two fills in a row are timed now and then, one
// of each kind. A wrong choice costs time, never a bit of the result.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace foldlane::engine {

class StoreChooser {
 public:
  /// Smaller fills are plain: what they could gain is less than what a streaming copy's fence costs.
  static constexpr std::size_t kSmallestBytes = 4 << 10;

  struct Choice {
    bool streaming;
    bool timed;  // report() wants to know how long this fill takes
  };

  /// How to do the next fill.
  Choice next() noexcept {
    if (countdown_ > 0) {
      --countdown_;
      return {streaming(), false};
    }
    return {trial_ == Trial::streaming, true};
  }

  /// What a timed fill took.
  void report(std::size_t bytes, double nanoseconds) noexcept {
    const double per_byte = nanoseconds / static_cast<double>(bytes);
    if (trial_ == Trial::plain) {
      plain_ns_per_byte_ = per_byte;
      trial_ = Trial::streaming;
      return;
    }
    vote(plain_ns_per_byte_ > kDearer * per_byte);
    trial_ = Trial::plain;
    interval_ = std::min(2 * interval_, kLongestInterval);
    countdown_ = interval_;
  }

  bool streaming() const noexcept { return score_ > 0; }

 private:
  enum class Trial : std::uint8_t { plain, streaming };

  /// Plain against streaming, as timed: near, 0.9 at 256 KiB and 3.2 (at most 4.4) at 4 KiB, where the reader
  /// gains more than that; far, 7.4 at 256 KiB and 11 at 4 KiB.
  static constexpr double kDearer = 5;
  /// One dear fill in 64 is lost on the trial; at first trials come soon.
  static constexpr int kLongestInterval = 64;
  static constexpr int kMostVotes = 2;  // so that one disturbed trial does not change a settled choice

  void vote(bool for_streaming) noexcept {
    score_ = std::clamp(score_ + (for_streaming ? 1 : -1), 1 - kMostVotes, kMostVotes);
  }

  Trial trial_ = Trial::plain;
  int countdown_ = 0;
  int interval_ = 2;
  int score_ = 0;
  double plain_ns_per_byte_ = 0;
};

}  // namespace foldlane::engine
