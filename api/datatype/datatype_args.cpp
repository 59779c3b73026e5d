#include "api/datatype/datatype_args.hpp"

#include <fmt/format.h>

#include <limits>

namespace foldlane::api {

namespace reject {

void array(const char* parameter) {
  fail(MPI_ERR_ARG, fmt::format("{} is null, but the count is not 0", parameter));
}

void negative_length(std::int64_t length, const char* parameter) {
  fail(MPI_ERR_ARG, fmt::format("{} is {}; it must not be negative", parameter, length));
}

void huge_displacement(std::int64_t displacement, const Datatype& type) {
  fail(MPI_ERR_ARG,
       fmt::format("a displacement of {} elements of {} bytes exceeds 63 bits", displacement, type.extent));
}

}  // namespace reject

std::size_t check_packed_count(std::int64_t count, const Datatype& type) {
  std::int64_t bytes;
  if (count < 0) reject::negative_count(count);
  if (__builtin_mul_overflow(count, type.size, &bytes)) {
    fail(MPI_ERR_COUNT,
         fmt::format("{} elements of {} packed bytes are too many; at most {} fit into 63 bits", count,
                     type.size, std::numeric_limits<std::int64_t>::max() / type.size));
  }
  return static_cast<std::size_t>(bytes);
}

void check_elements(const void* buffer, std::size_t bytes, const Datatype& type, const char* parameter) {
  if (buffer == nullptr && type.true_lb != 0) return;
  check_buffer(buffer, bytes, parameter);
}

std::size_t check_position(std::int64_t position, std::int64_t size, std::size_t bytes) {
  if (size < 0) fail(MPI_ERR_ARG, fmt::format("the packed buffer has {} bytes", size));
  if (position < 0 || position > size) {
    fail(MPI_ERR_ARG,
         fmt::format("position is {}; it must be between 0 and {}, the size of the packed buffer", position,
                     size));
  }
  if (bytes > static_cast<std::size_t>(size - position)) {
    fail(MPI_ERR_TRUNCATE,
         fmt::format("the elements take {} packed bytes, but only {} are left at position {}", bytes,
                     size - position, position));
  }
  return static_cast<std::size_t>(position);
}

}  // namespace foldlane::api
