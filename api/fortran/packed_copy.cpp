#include <cstring>

#include "api/fortran/sections.hpp"

namespace foldlane::fortran {
namespace {

enum class Direction { to_packed, to_section };

template <Direction kDirection>
void copy_element(std::byte* packed, std::byte* element, std::size_t bytes) noexcept {
  if constexpr (kDirection == Direction::to_packed) {
    std::memcpy(packed, element, bytes);
  } else {
    std::memcpy(element, packed, bytes);
  }
}

/// The elements of dimensions 0 to `dimension`, beginning at `element`. Returns where the packed ones go on.
template <Direction kDirection>
std::byte* copy(const Strides& section, int dimension, std::byte* element, std::byte* packed) noexcept {
  const auto d = static_cast<std::size_t>(dimension);
  for (CFI_index_t i = 0; i < section.extent[d]; ++i, element += section.stride[d]) {
    if (dimension > 0) {
      packed = copy<kDirection>(section, dimension - 1, element, packed);
    } else {
      copy_element<kDirection>(packed, element, section.element_bytes);
      packed += section.element_bytes;
    }
  }
  return packed;
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
    : section_(section), use_(use), packed_(new std::byte[section.elements() * section.element_bytes]) {}

void PackedCopy::pack() noexcept {
  copy<Direction::to_packed>(section_, section_.rank - 1, section_.base, packed_.get());
}

void PackedCopy::unpack() noexcept {
  if (use_ == Use::write)
    copy<Direction::to_section>(section_, section_.rank - 1, section_.base, packed_.get());
}

}  // namespace foldlane::fortran
