// MPI_Type_create_subarray.
#include <fmt/format.h>

#include "api/core/calls.hpp"
#include "api/datatype/datatype_args.hpp"
#include "api/datatype/datatype_array.hpp"
#include "api/datatype/datatype_store.hpp"

namespace foldlane::api {
namespace {

template <class Integer>
struct Subarray {
  int dimensions;
  const Integer* sizes;
  const Integer* subsizes;
  const Integer* starts;
  int order;
};

void check_dimension(int d, std::int64_t size, std::int64_t subsize, std::int64_t start) {
  if (size < 1) fail(MPI_ERR_ARG, fmt::format("array_of_sizes[{}] is {}; it must be at least 1", d, size));
  if (subsize < 1 || subsize > size) {
    fail(MPI_ERR_ARG,
         fmt::format("array_of_subsizes[{}] is {}; it must be between 1 and {}, the size", d, subsize, size));
  }
  if (start < 0 || start > size - subsize) {
    fail(MPI_ERR_ARG,
         fmt::format("array_of_starts[{}] is {}; it must be between 0 and {}, size minus subsize", d, start,
                     size - subsize));
  }
}

template <class Integer>
void check(const Subarray<Integer>& array) {
  check_dimensions(array.dimensions);
  check_array(array.sizes, array.dimensions, "array_of_sizes");
  check_array(array.subsizes, array.dimensions, "array_of_subsizes");
  check_array(array.starts, array.dimensions, "array_of_starts");
  check_order(array.order);
  for (int d = 0; d < array.dimensions; ++d) {
    check_dimension(d, array.sizes[d], array.subsizes[d], array.starts[d]);
  }
}

template <class Integer>
Recipe recipe_of(Call call, const Subarray<Integer>& array, MPI_Datatype oldtype) {
  Recipe recipe(call, MPI_COMBINER_SUBARRAY);
  recipe.integer(array.dimensions);
  for (const Integer* numbers : {array.sizes, array.subsizes, array.starts}) {
    for (int d = 0; d < array.dimensions; ++d) recipe.count(numbers[d]);
  }
  recipe.integer(array.order);
  recipe.type(oldtype);
  return recipe;
}

template <class Integer>
int subarray(Call call, const Subarray<Integer>& array, MPI_Datatype oldtype, MPI_Datatype* newtype) {
  return run(call, [&] {
    check_active();
    check(array);
    const Datatype& old = check_datatype(oldtype);
    check_output(newtype, "newtype");
    ArrayBuilder builder(old);
    engine::Signature signature = old.signature;
    for (int i = 0; i < array.dimensions; ++i) {
      const int d = dimension_at(i, array.dimensions, array.order);
      builder.check_size(array.sizes[d]);
      const auto subsize = static_cast<std::uint64_t>(array.subsizes[d]);
      const engine::TypeMap::Part part{&builder.inner(), array.starts[d] * builder.stride(), subsize,
                                       builder.stride()};
      builder.finish_dimension(engine::TypeMap::composed({&part, 1}), array.sizes[d]);
      signature = repeated(signature, subsize);
    }
    *newtype = add_derived(builder.finish(), signature, recipe_of(call, array, oldtype));
  });
}

}  // namespace

int type_create_subarray(Call call, int dimensions, const int* sizes, const int* subsizes, const int* starts,
                         int order, MPI_Datatype oldtype, MPI_Datatype* newtype) {
  return subarray<int>(call, {dimensions, sizes, subsizes, starts, order}, oldtype, newtype);
}

int type_create_subarray(Call call, int dimensions, const MPI_Count* sizes, const MPI_Count* subsizes,
                         const MPI_Count* starts, int order, MPI_Datatype oldtype, MPI_Datatype* newtype) {
  return subarray<MPI_Count>(call, {dimensions, sizes, subsizes, starts, order}, oldtype, newtype);
}

}  // namespace foldlane::api
