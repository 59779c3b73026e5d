#include "api/datatype/datatype_array.hpp"

#include <fmt/format.h>

#include "api/core/failure.hpp"

namespace foldlane::api {
namespace {

[[noreturn]] void fail_too_large() { fail(MPI_ERR_ARG, "the array is too large: its bytes exceed 63 bits"); }

}  // namespace

void check_dimensions(int dimensions) {
  if (dimensions < 1) {
    fail(MPI_ERR_ARG, fmt::format("ndims is {}; an array has at least one dimension", dimensions));
  }
}

void check_order(int order) {
  if (order != MPI_ORDER_C && order != MPI_ORDER_FORTRAN) {
    fail(MPI_ERR_ARG, fmt::format("order is {}; it must be MPI_ORDER_C or MPI_ORDER_FORTRAN", order));
  }
}

int dimension_at(int i, int dimensions, int order) { return order == MPI_ORDER_C ? dimensions - 1 - i : i; }

void ArrayBuilder::check_size(std::int64_t size) {
  std::int64_t bytes;
  if (__builtin_mul_overflow(stride_, size, &bytes)) fail_too_large();
}

void ArrayBuilder::finish_dimension(std::optional<engine::TypeMap> type_map, std::int64_t size) {
  if (!type_map) fail_too_large();
  type_map_ = std::move(*type_map);
  stride_ *= size;
}

}  // namespace foldlane::api
