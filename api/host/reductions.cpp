#include "api/host/reductions.hpp"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <string>
#include <string_view>

#include "api/table/element_class.hpp"
#include "kernels/op.hpp"

namespace foldlane::host {
namespace {

using api::ElementClass;
using kernels::Elem;
using kernels::Op;

struct NamedType {
  std::string_view name;
  Elem element;
  ElementClass element_class;
};

constexpr NamedType kTypes[] = {
#include "host_datatypes.inc"
};

/// Of the operation that the kernels call "sum": MPI_SUM.
std::string mpi_name(Op op) {
  std::string name = std::string("MPI_") + kernels::name(op);
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::toupper(letter)); });
  return name;
}

/// A host may have Fortran types of other sizes, and some not at all.
bool has_same_size(const Host& host, Handle type, Elem element) {
  std::ptrdiff_t lower_bound = 0, extent = 0;
  return type != host.value("MPI_DATATYPE_NULL") &&
         host.call().Type_get_extent(type, &lower_bound, &extent) == 0 &&
         extent == static_cast<std::ptrdiff_t>(kernels::elem_bytes(element));
}

}  // namespace

void HandleMap::put(Handle handle, int number) noexcept {
  std::size_t at = place_of(handle, kBits);
  while (places_[at].number != kNone && places_[at].handle != handle) at = (at + 1) % kPlaces;
  if (places_[at].number == kNone) places_[at] = {handle, number};
}

Reductions::Reductions(const Host& host) {
  static_assert(std::size(kTypes) <= std::tuple_size_v<decltype(rows_)>);
  for (std::size_t i = 0; i < std::size(kTypes); ++i) {
    const auto& [name, element, element_class] = kTypes[i];
    const auto type = host.value(name);
    if (!type || !has_same_size(host, *type, element)) continue;
    rows_[i] = {api::ops_of(element_class), element,
                kernels::has_padding(element) ? 0 : kernels::elem_bytes(element)};
    types_.put(*type, static_cast<int>(i));
  }
  for (std::size_t i = 0; i < kOps; ++i) {
    const auto op = static_cast<Op>(i);
    if (const auto handle = host.value(mpi_name(op))) ops_.put(*handle, static_cast<int>(i));
    for (int element = 0; element < kernels::kElemCount; ++element) {
      engine::Reduction& reduction = reductions_[i][static_cast<std::size_t>(element)];
      reduction = engine::Reduction::of(op, static_cast<Elem>(element));
      reduction.operation = static_cast<std::uint16_t>(i);
      reduction.type = static_cast<std::uint16_t>(element);
    }
  }
}

}  // namespace foldlane::host
