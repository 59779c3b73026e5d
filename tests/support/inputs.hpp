// Adversarial input vectors of any element type, reproducible from a seed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/elem.hpp"

namespace foldlane::testing {

/// Random bit patterns for types where every pattern is a value (NaN payloads, infinities and subnormals
/// included), mixed with values of moderate size; pairs have many ties and poisoned padding.
std::vector<std::byte> make_input(kernels::Elem elem, std::size_t count, std::uint64_t seed);

}  // namespace foldlane::testing
