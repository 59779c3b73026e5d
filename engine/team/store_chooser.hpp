// Plain or streaming stores, whichever this rank finds cheaper while it works.
//
// Into slots: between cores that share a cache, plain stores are right: the reader takes the lines from the
// writer's cache. Where they do not, taking back lines that the reader holds runs at 2-8 GB/s, and streaming
// stores, which bypass the caches, are 4 times faster for the whole call. No topology tells which it is on a
// virtual machine, and it changes when the hypervisor moves a core.
//
// Into results: buffers that are in a cache take twice as long by streaming stores, those that are not up to
// three times as long by plain ones. Only the program knows how it uses its buffers.
//
// So plain and streaming stores are timed now and then, one after the other. A wrong choice costs time, never
// a bit of the result.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace foldlane::engine {

class StoreChooser {
 public:
  class Fill;

  /// Smaller fills of slots are plain: what they could gain is less than what a streaming copy's fence costs.
  static constexpr std::size_t kSmallestBytes = 4 << 10;

  struct Choice {
    bool streaming;
    bool timed;  // report() wants to know how long this fill takes
  };

  struct Habits {
    double dearer;  // plain stores are given up if they take so many times as long
    int warm_ups;   // as many fills of the same kind precede a timed one
    int interval;   // fills between trials; at first they come sooner
  };
  /// Plain against streaming, as timed: near, 0.9 at 256 KiB and 3.2 (at most 4.4) at 4 KiB, where the reader
  /// gains more than that; far, 7.4 at 256 KiB and 11 at 4 KiB.
  static constexpr Habits kSlots{5, 0, 64};
  /// A result that was streamed is in no cache any more: the first plain call after it would pay for that.
  /// Near, plain against streaming is 0.5 in the caches and 1.2 (16 KiB) to 1.6 (1 MiB) outside; a limit of
  /// 1.25 left half of the latter plain. Both kinds of a trial cost twice their time in the wrong state, and
  /// programs change their ways less often than hypervisors: 64 calls between trials cost 5 % of a reduce.
  static constexpr Habits kResults{1.0, 1, 256};

  explicit StoreChooser(Habits habits = kSlots) noexcept : habits_(habits), warm_ups_(habits.warm_ups) {}

  /// How to do the next fill.
  Choice next() noexcept {
    if (countdown_ > 0) {
      --countdown_;
      return {streaming(), false};
    }
    const bool timed = warm_ups_ == 0;
    if (!timed) --warm_ups_;
    return {trial_ == Trial::streaming, timed};
  }

  /// What a timed fill took.
  void report(std::size_t bytes, double nanoseconds) noexcept {
    const double per_byte = nanoseconds / static_cast<double>(bytes);
    warm_ups_ = habits_.warm_ups;
    if (trial_ == Trial::plain) {
      plain_ns_per_byte_ = per_byte;
      trial_ = Trial::streaming;
      return;
    }
    vote(plain_ns_per_byte_ > habits_.dearer * per_byte);
    trial_ = Trial::plain;
    interval_ = std::min(2 * interval_, habits_.interval);
    countdown_ = interval_;
  }

  bool streaming() const noexcept { return score_ > 0; }

 private:
  enum class Trial : std::uint8_t { plain, streaming };

  static constexpr int kMostVotes = 2;  // so that one disturbed trial does not change a settled choice

  void vote(bool for_streaming) noexcept {
    score_ = std::clamp(score_ + (for_streaming ? 1 : -1), 1 - kMostVotes, kMostVotes);
  }

  Habits habits_;
  Trial trial_ = Trial::plain;
  int warm_ups_;
  int countdown_ = 0;
  int interval_ = 2;
  int score_ = 0;
  double plain_ns_per_byte_ = 0;
};

/// One fill, in one or more parts.
class StoreChooser::Fill {
 public:
  /// Without a chooser plain.
  explicit Fill(StoreChooser* chooser) noexcept
      : chooser_(chooser), choice_(chooser != nullptr ? chooser->next() : Choice{false, false}) {}
  Fill(const Fill&) = delete;
  Fill& operator=(const Fill&) = delete;
  ~Fill() {
    if (bytes_ > 0) chooser_->report(bytes_, nanoseconds_);
  }

  /// work(streaming), which stores so many bytes and ends with the fence that streaming needs.
  template <class Work>
  void perform(std::size_t bytes, const Work& work) {
    if (!choice_.timed) return work(choice_.streaming);
    const auto start = std::chrono::steady_clock::now();
    work(choice_.streaming);
    const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - start;
    nanoseconds_ += took.count();
    bytes_ += bytes;
  }

 private:
  StoreChooser* chooser_;
  Choice choice_;
  std::size_t bytes_ = 0;  // of timed parts
  double nanoseconds_ = 0;
};

}  // namespace foldlane::engine
