// The memory of the program that a message comes from or goes to.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "engine/data/type_map.hpp"
#include "kernels/copy.hpp"

namespace foldlane::engine {

struct UserBuffer {
  using CopyBy = kernels::CopyBy;

  std::byte* address = nullptr;
  std::uint64_t bytes = 0;            // packed
  const TypeMap* type_map = nullptr;  // null: the bytes lie one after the other
  std::uint16_t type = 0;             // of the elements; 0: not to be compared
  std::uint64_t start = 0;            // with a type map: it begins behind so many packed bytes

  /// Packed bytes from `offset` on. `by`: of bytes that lie one after the other.
  void copy_to(std::byte* packed, std::uint64_t offset, std::size_t count,
               CopyBy by = CopyBy::vectors) const {
    if (type_map != nullptr) return type_map->pack(packed, address, start + offset, count);
    copy(packed, address + offset, count, by);
  }
  /// What is beyond the end is dropped.
  void copy_from(const std::byte* packed, std::uint64_t offset, std::size_t count,
                 CopyBy by = CopyBy::vectors) const {
    if (offset >= bytes) return;
    const auto fitting = static_cast<std::size_t>(std::min<std::uint64_t>(count, bytes - offset));
    if (type_map != nullptr) return type_map->unpack(address, packed, start + offset, fitting);
    copy(address + offset, packed, fitting, by);
  }
  /// Packed bytes will come here; the lines of so many are fetched meanwhile.
  void fetch_for_result(std::size_t most) const noexcept {
    if (contiguous()) kernels::fetch_for_result(address, bytes, most);
  }
  bool contiguous() const noexcept { return type_map == nullptr; }
  /// No byte is in both, for sure. Unsigned differences: each is small only if the one begins in the other.
  bool is_apart_from(const UserBuffer& other) const noexcept {
    const auto own = reinterpret_cast<std::uintptr_t>(address),
               others = reinterpret_cast<std::uintptr_t>(other.address);
    return contiguous() && other.contiguous() &&
           ((own - others >= other.bytes && others - own >= bytes) || bytes == 0 || other.bytes == 0);
  }
  /// `count` of its packed bytes from `offset` on.
  UserBuffer part(std::uint64_t offset, std::uint64_t count) const noexcept {
    UserBuffer part = *this;
    part.bytes = count;
    if (contiguous()) {
      part.address += offset;
    } else {
      part.start += offset;
    }
    return part;
  }

 private:
  static void copy(std::byte* to, const std::byte* from, std::size_t count, CopyBy by) noexcept {
    if (count <= kernels::kShortCopyBytes) return kernels::copy_short(to, from, count);
    kernels::copy(to, from, count, by);
  }
};

}  // namespace foldlane::engine
