// What MPI_Type_create_subarray and MPI_Type_create_darray have in common: an array whose dimensions are made
// one by one, the fastest first.
#pragma once

#include <cstdint>

#include "api/datatype/datatype.hpp"
#include "engine/data/type_map.hpp"

namespace foldlane::api {

void check_dimensions(int dimensions);
void check_order(int order);

/// The i-th fastest dimension.
int dimension_at(int i, int dimensions, int order);

class ArrayBuilder {
 public:
  explicit ArrayBuilder(const Datatype& element) : type_map_(*element.type_map), stride_(element.extent) {}

  const engine::TypeMap& inner() const { return type_map_; }
  std::int64_t stride() const { return stride_; }  // bytes between neighbours in the dimension at hand

  /// Before a dimension of `size` is made: a Failure if the array becomes too large.
  void check_size(std::int64_t size);
  /// What has been made of the dimension at hand.
  void finish_dimension(std::optional<engine::TypeMap> type_map, std::int64_t size);
  /// The whole, with the extent of the whole array.
  std::optional<engine::TypeMap> finish() const { return type_map_.resized(0, stride_); }

 private:
  engine::TypeMap type_map_;
  std::int64_t stride_;
};

}  // namespace foldlane::api
