// The predefined reduction operations, and which of them is defined on which element type.
#pragma once

#include <cstdint>

#include "kernels/elem.hpp"

namespace foldlane::kernels {

enum class Op : std::uint8_t { sum, prod, min, max, land, lor, lxor, band, bor, bxor, minloc, maxloc };

/// True if `op` has a meaning on `elem` (arithmetic only; MPI's narrower classes are the caller's business).
bool valid(Op op, Elem elem) noexcept;

const char* name(Op op) noexcept;

}  // namespace foldlane::kernels
