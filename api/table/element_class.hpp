// The standard's classes of basic elements: which predefined operations are defined on each.
#pragma once

#include <cstdint>

#include "kernels/op.hpp"

namespace foldlane::api {

/// One bit per operation, in sets of them.
constexpr std::uint16_t op_bit(kernels::Op op) noexcept {
  return static_cast<std::uint16_t>(1U << static_cast<unsigned>(op));
}

enum class ElementClass : std::uint8_t {
  none,
  c_integer,
  fortran_integer,
  multi_language,
  floating,
  complex,
  logical,
  byte,
  pair
};

constexpr std::uint16_t ops_of(ElementClass element_class) {
  using enum kernels::Op;
  constexpr auto all_of = [](auto... ops) { return static_cast<std::uint16_t>((op_bit(ops) | ...)); };
  switch (element_class) {
    case ElementClass::none:
      return 0;
    case ElementClass::c_integer:
    case ElementClass::multi_language:  // the standard has no logic on them, but Open MPI and MPICH do
      return all_of(min, max, sum, prod, land, lor, lxor, band, bor, bxor);
    case ElementClass::fortran_integer:
      return all_of(min, max, sum, prod, band, bor, bxor);
    case ElementClass::floating:
      return all_of(min, max, sum, prod);
    case ElementClass::complex:
      return all_of(sum, prod);
    case ElementClass::logical:
      return all_of(land, lor, lxor);
    case ElementClass::byte:
      return all_of(band, bor, bxor);
    case ElementClass::pair:
      return all_of(minloc, maxloc);
  }
  return 0;
}

}  // namespace foldlane::api
