// The checks of datatypes and of counts of their elements, for all calls that have such arguments.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>

#include "api/datatype/datatype.hpp"
#include "api/errors/args.hpp"

namespace foldlane::api {

namespace reject {

[[noreturn, gnu::cold]] void datatype(MPI_Datatype datatype);
[[noreturn, gnu::cold]] void uncommitted(const Datatype& type);
[[noreturn, gnu::cold]] void huge_count(std::int64_t count, const Datatype& type);

}  // namespace reject

inline const Datatype& check_datatype(MPI_Datatype datatype) {
  const Datatype* found = find_datatype(datatype);
  if (found == nullptr) [[unlikely]]
    reject::datatype(datatype);
  return *found;
}

/// What takes part in communication must be committed.
inline void check_committed(const Datatype& type) {
  if (!type.committed) [[unlikely]]
    reject::uncommitted(type);
}

/// The bytes of `count` elements as the checks of buffers below count them: none where there are gaps between
/// them, for then the buffer may start anywhere, even at MPI_BOTTOM, and others may lie in the gaps.
inline std::size_t check_vector(std::int64_t count, const Datatype& type) {
  std::int64_t bytes;
  if (count < 0) [[unlikely]]
    reject::negative_count(count);
  if (__builtin_mul_overflow(count, type.extent, &bytes)) [[unlikely]]
    reject::huge_count(count, type);
  if (type.plain) [[likely]]
    return static_cast<std::size_t>(bytes);
  if (__builtin_mul_overflow(count, type.size, &bytes)) reject::huge_count(count, type);
  return 0;
}

}  // namespace foldlane::api
