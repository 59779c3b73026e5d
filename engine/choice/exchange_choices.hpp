// What a member of a team of two decides about long blocks that both exchange
// (engine/moves/long_exchange.hpp).
#pragma once

#include "engine/choice/by_reuse.hpp"
#include "engine/choice/chooser.hpp"
#include "engine/choice/permission.hpp"

namespace foldlane::engine {

struct ExchangeChoices {
  explicit ExchangeChoices(Decisions& decisions) : ways(Chooser(decisions.of(Decision::exchange_way))) {}

  ByReuse<Chooser> ways;  // the first member's are used
  Permission permission = Permission::unknown;
};

}  // namespace foldlane::engine
