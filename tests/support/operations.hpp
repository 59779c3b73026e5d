// Operations by themselves; requests of MPI keep theirs in their own memory.
#pragma once

#include <memory>
#include <type_traits>

#include "engine/collectives/operation.hpp"

namespace foldlane::testing {

inline std::unique_ptr<engine::CollectiveOperation> make_operation(engine::Team& team,
                                                                   const engine::Collective& call) {
  return engine::with_operation_for(
      team, call,
      [&]<class Operation>(std::type_identity<Operation>) -> std::unique_ptr<engine::CollectiveOperation> {
        return std::make_unique<Operation>(team, call);
      });
}

}  // namespace foldlane::testing
