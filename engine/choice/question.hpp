// Whether the leaf of a gather asks where its block may be put.
#pragma once

#include <cstdint>

namespace foldlane::engine {

/// It waits until its root comes then: as long as that helps, and now and then.
class Question {
 public:
  bool is_due() noexcept {
    if (calls_left_ == 0) return true;
    --calls_left_;
    return false;
  }
  void note_answer(bool helps) noexcept { calls_left_ = helps ? 0 : kBetween; }

 private:
  /// In vain it costs a handoff, a part of a call, or the wait for a root that is late.
  static constexpr std::uint32_t kBetween = 63;

  std::uint32_t calls_left_ = 0;
};

}  // namespace foldlane::engine
