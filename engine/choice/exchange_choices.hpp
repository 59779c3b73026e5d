// What a member of a team of two decides about long blocks (engine/moves/pair/long_exchange.hpp,
// long_pass.hpp).
#pragma once

#include <cstdint>

#include "engine/choice/by_reuse.hpp"
#include "engine/choice/chooser.hpp"

namespace foldlane::engine {

/// Whether the leaf of a gather asks where its block may be put, for which it waits until its root comes: as
/// long as that helps, and now and then.
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

struct ExchangeChoices {
  explicit ExchangeChoices(Decisions& decisions) : ways(Chooser(decisions.of(Decision::exchange_way))) {}

  ByReuse<Chooser> ways;  // the first member's are used
  bool may_pull = true;   // until the system has refused
  Question where;         // of this member as a leaf
};

}  // namespace foldlane::engine
