// What a datatype handle stands for, predefined or derived, and which operations the standard defines on it.
#pragma once

#include <mpi.h>

#include <array>
#include <cstdint>
#include <memory>
#include <string>

#include "api/table/element_class.hpp"
#include "engine/data/signature.hpp"
#include "engine/data/type_map.hpp"
#include "kernels/elem.hpp"

namespace foldlane::api {

struct Contents;

/// On a line of its own, so that a reduction reads one: what it needs comes first.
struct alignas(64) Datatype {
  std::int64_t extent;  // bytes from one element to the next
  std::int64_t size;    // bytes of an element without padding
  std::uint16_t ops;    // bit n: kernels::Op n is defined by the standard (the classes of MPI-5.0, 6.9.2)
  kernels::Elem elem;   // how to fold it; meaningless without ops, unless the type is predefined
  bool committed;       // predefined types are; false where no predefined datatype has the handle
  bool plain;  // elements may be moved as `extent` bytes each: dense, or with padding that is nobody's
  std::int64_t lower_bound;
  std::int64_t true_lb;
  std::int64_t true_extent;
  engine::Signature signature;
  std::shared_ptr<const engine::TypeMap> type_map;  // never null; without the padding of a pair
  std::shared_ptr<const Contents> contents;         // how it was made; null: named
  MPI_Datatype handle;                              // of predefined types, which live for ever; null: derived
  std::string name;                                 // read and written with datatype_name, set_datatype_name

  bool predefined() const noexcept { return handle != nullptr; }
  /// The packed form of any number of elements equals their memory.
  bool dense() const noexcept { return plain && extent == size; }
};

inline constexpr std::size_t kDatatypeHandles = 256;  // named handles are MPI_DATATYPE_NULL + 0 … 255
extern std::array<Datatype, kDatatypeHandles> datatypes;

/// A datatype without a name of the standard: those that users make, and those for Fortran's precisions. Null
/// if there is none. It lives until it is freed.
const Datatype* find_unnamed_datatype(MPI_Datatype handle) noexcept;

/// Null if the handle is not a datatype.
inline const Datatype* find_datatype(MPI_Datatype handle) noexcept {
  const auto index =
      reinterpret_cast<std::uintptr_t>(handle) - reinterpret_cast<std::uintptr_t>(MPI_DATATYPE_NULL);
  if (index >= kDatatypeHandles) [[unlikely]]
    return find_unnamed_datatype(handle);
  return datatypes[index].committed ? &datatypes[index] : nullptr;
}

/// The datatype of a valid handle, kept alive although its handle is freed: for operations that outlast a
/// call.
std::shared_ptr<const Datatype> share_datatype(MPI_Datatype handle);

/// As the user has named it; empty if it has no name.
std::string datatype_name(const Datatype& type);

/// For messages.
std::string describe(const Datatype& type);

}  // namespace foldlane::api
