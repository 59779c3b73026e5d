// What a member of a team of two decides about long blocks (engine/moves/pair/long_exchange.hpp,
// long_pass.hpp).
#pragma once

#include "engine/choice/by_reuse.hpp"
#include "engine/choice/chooser.hpp"
#include "engine/choice/question.hpp"

namespace foldlane::engine {

struct ExchangeChoices {
  explicit ExchangeChoices(Decisions& decisions) : ways(Chooser(decisions.of(Decision::exchange_way))) {}

  ByReuse<Chooser> ways;  // the first member's are used
  bool may_pull = true;   // until the system has refused
  Question where;         // of this member as a leaf
};

}  // namespace foldlane::engine
