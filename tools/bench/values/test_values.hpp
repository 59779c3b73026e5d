// Inputs whose folds are known to be right or wrong.
#pragma once

#include <cstddef>
#include <cstdint>

#include "bench/report/report.hpp"

namespace foldlane::bench {

enum class Values : std::uint8_t {
  exact,   // their fold is, in every order
  random,  // floating-point ones round; integers are exact all the same
};

/// `count` elements of what a source folds, from element `first` on; of the case's type, for its operation.
/// Always the same for the same arguments.
void fill_values(const Case& what, Values values, int source, std::uint64_t first, std::size_t count,
                 std::byte* to);

}  // namespace foldlane::bench
