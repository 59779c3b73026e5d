#include <cstring>

#include "api/fortran/sections.hpp"

namespace foldlane::fortran {
namespace {

/// Calls `visit` with the elements of dimensions 0 to `dimension` one after the other, beginning at
/// `element`.
template <class Visit>
void for_each(const Strides& section, int dimension, std::byte* element, Visit& visit) noexcept {
  const auto d = static_cast<std::size_t>(dimension);
  for (CFI_index_t i = 0; i < section.extent[d]; ++i, element += section.stride[d]) {
    if (dimension > 0) {
      for_each(section, dimension - 1, element, visit);
    } else {
      visit(element);
    }
  }
}

}  // namespace

Strides::Strides(const CFI_cdesc_t* array) noexcept
    : base(static_cast<std::byte*>(array->base_addr)),
      element_bytes(array->elem_len),
      rank(array->rank),
      extent(),
      stride() {
  for (std::size_t d = 0; d < static_cast<std::size_t>(rank); ++d) {
    extent[d] = array->dim[d].extent;
    stride[d] = array->dim[d].sm;
  }
}

std::size_t Strides::elements() const noexcept {
  std::size_t product = 1;
  for (std::size_t d = 0; d < static_cast<std::size_t>(rank); ++d)
    product *= static_cast<std::size_t>(extent[d]);
  return product;
}

PackedCopy::PackedCopy(const Strides& section, Use use)
    : section_(section), bytes_(section.elements() * section.element_bytes), packed_(new std::byte[bytes_]) {
  if (use == Use::write) before_.reset(new std::byte[bytes_]);
}

void PackedCopy::pack() noexcept {
  auto append = [&, to = packed_.get()](const std::byte* element) mutable {
    std::memcpy(to, element, section_.element_bytes);
    to += section_.element_bytes;
  };
  for_each(section_, section_.rank - 1, section_.base, append);
  if (before_ != nullptr) std::memcpy(before_.get(), packed_.get(), bytes_);
}

void PackedCopy::unpack() noexcept {
  if (before_ == nullptr) return;
  auto write = [&, place = std::size_t{0}](std::byte* element) mutable {
    if (std::memcmp(packed_.get() + place, before_.get() + place, section_.element_bytes) != 0)
      std::memcpy(element, packed_.get() + place, section_.element_bytes);
    place += section_.element_bytes;
  };
  for_each(section_, section_.rank - 1, section_.base, write);
}

}  // namespace foldlane::fortran
