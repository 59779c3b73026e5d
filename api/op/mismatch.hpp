// Errors of a call on a team as Failures: the team knows more than the error says if its members disagree.
#pragma once

#include <utility>

#include "engine/team/team.hpp"
#include "shm/base/result.hpp"

namespace foldlane::api {

/// Throws the error of a call on `team` as a Failure of the fitting class.
[[noreturn, gnu::cold]] void fail(const engine::Team& team, const shm::Error& error);

/// The same where the team may be gone.
[[noreturn, gnu::cold]] void fail(const engine::Trouble& trouble, const shm::Error& error);

inline void require(const engine::Team& team, const shm::Result<void>& result) {
  if (!result.ok()) [[unlikely]]
    fail(team, result.error());
}

template <class Value>
Value require(const engine::Team& team, shm::Result<Value> result) {
  if (!result.ok()) [[unlikely]]
    fail(team, result.error());
  return std::move(result.value());
}

}  // namespace foldlane::api
