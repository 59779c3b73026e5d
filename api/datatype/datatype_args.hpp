// Checks of the arguments that only datatype calls have.
#pragma once

#include <cstddef>
#include <cstdint>

#include "api/datatype/checks.hpp"
#include "api/errors/args.hpp"

namespace foldlane::api {

namespace reject {

[[noreturn, gnu::cold]] void array(const char* parameter);
[[noreturn, gnu::cold]] void negative_length(std::int64_t length, const char* parameter);
[[noreturn, gnu::cold]] void huge_displacement(std::int64_t displacement, const Datatype& type);

}  // namespace reject

/// A count of blocks or elements in a constructor.
inline void check_type_count(std::int64_t count) {
  if (count < 0) reject::negative_count(count);
}

inline std::uint64_t check_length(std::int64_t length, const char* parameter) {
  if (length < 0) reject::negative_length(length, parameter);
  return static_cast<std::uint64_t>(length);
}

template <class T>
const T* check_array(const T* array, std::int64_t count, const char* parameter) {
  if (array == nullptr && count != 0) reject::array(parameter);
  return array;
}

/// `displacement` extents of `type`, in bytes.
inline std::int64_t check_displacement(std::int64_t displacement, const Datatype& type) {
  std::int64_t bytes;
  if (__builtin_mul_overflow(displacement, type.extent, &bytes))
    reject::huge_displacement(displacement, type);
  return bytes;
}

/// The packed bytes of `count` elements.
std::size_t check_packed_count(std::int64_t count, const Datatype& type);

/// The user's elements: null is MPI_BOTTOM if their addresses are absolute.
void check_elements(const void* buffer, std::size_t bytes, const Datatype& type, const char* parameter);

/// Where packing continues, so that `bytes` more fit into `size`.
std::size_t check_position(std::int64_t position, std::int64_t size, std::size_t bytes);

}  // namespace foldlane::api
