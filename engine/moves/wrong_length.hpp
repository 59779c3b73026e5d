// What is wrong where a member has sent other than another one expects.
#pragma once

#include <cstdint>

#include "engine/team/agreement.hpp"

namespace foldlane::engine {

inline Trouble wrong_length(int from, int to, std::uint64_t sent, std::uint64_t expected) noexcept {
  return {Broken::length, {from, to}, {}, true, {sent, expected}};
}

}  // namespace foldlane::engine
