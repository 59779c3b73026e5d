// The predefined datatypes: what a handle stands for, and which operations the standard defines on it.
#pragma once

#include <mpi.h>

#include <array>
#include <cstdint>

#include "kernels/elem.hpp"
#include "kernels/op.hpp"

namespace foldlane::api {

struct Datatype {
  const char* name;     // null: no datatype has this handle
  std::int64_t extent;  // bytes from one element to the next
  std::int32_t size;    // bytes of an element without padding
  std::uint16_t ops;    // bit n: kernels::Op n is defined by the standard (the classes of MPI-5.0, 6.9.2)
  kernels::Elem elem;   // how to fold it; meaningless without ops
};

constexpr std::uint16_t op_bit(kernels::Op op) noexcept {
  return static_cast<std::uint16_t>(1U << static_cast<unsigned>(op));
}

inline constexpr std::size_t kDatatypeHandles = 256;  // predefined handles are MPI_DATATYPE_NULL + 0 … 255
extern const std::array<Datatype, kDatatypeHandles> datatypes;

/// Null if the handle is not a datatype.
inline const Datatype* find_datatype(MPI_Datatype handle) noexcept {
  const auto index =
      reinterpret_cast<std::uintptr_t>(handle) - reinterpret_cast<std::uintptr_t>(MPI_DATATYPE_NULL);
  if (index >= kDatatypeHandles || datatypes[index].name == nullptr) return nullptr;
  return &datatypes[index];
}

}  // namespace foldlane::api
