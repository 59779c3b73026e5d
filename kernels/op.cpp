// Names of the operations, and on which class of element each has a meaning.
#include "kernels/op.hpp"

#include <array>

namespace foldlane::kernels {
namespace {

enum class Class { integer, real, complex, pair };

Class class_of(Elem elem) noexcept {
  if (elem <= Elem::u128) return Class::integer;
  if (elem <= Elem::f128) return Class::real;
  if (elem <= Elem::c128) return Class::complex;
  return Class::pair;
}

constexpr std::array kNames{"sum",  "prod", "min", "max",  "land",   "lor",
                            "lxor", "band", "bor", "bxor", "minloc", "maxloc"};
static_assert(kNames.size() == static_cast<std::size_t>(Op::maxloc) + 1);

}  // namespace

bool valid(Op op, Elem elem) noexcept {
  switch (class_of(elem)) {
    case Class::integer:
      return op <= Op::bxor;
    case Class::real:
      return op <= Op::max;
    case Class::complex:
      return op <= Op::prod;
    case Class::pair:
      return op >= Op::minloc;
  }
  return false;
}

const char* name(Op op) noexcept { return kNames[static_cast<std::size_t>(op)]; }

}  // namespace foldlane::kernels
