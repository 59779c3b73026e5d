// Datatypes that repeat one datatype regularly, or are the same but for a detail: MPI_Type_contiguous,
// _vector, _create_hvector, _create_resized, _dup.
#include "api/attributes/attribute_calls.hpp"
#include "api/core/calls.hpp"
#include "api/datatype/datatype_args.hpp"
#include "api/datatype/datatype_store.hpp"
#include "api/datatype/type_attributes.hpp"

namespace foldlane::api {
namespace {

struct Vector {
  std::int64_t count;
  std::int64_t block_length;
  std::int64_t stride_bytes;
};

MPI_Datatype add_vector(const Vector& vector, const Datatype& old, Recipe recipe) {
  const auto count = static_cast<std::uint64_t>(vector.count);
  const auto length = static_cast<std::uint64_t>(vector.block_length);
  return add_derived(old.type_map->strided(count, length, vector.stride_bytes),
                     repeated(repeated(old.signature, length), count), std::move(recipe));
}

void check_shape(std::int64_t count, std::int64_t block_length) {
  check_type_count(count);
  check_length(block_length, "blocklength");
}

}  // namespace

int type_contiguous(Call call, MPI_Count count, MPI_Datatype oldtype, MPI_Datatype* newtype) {
  return run(call, [&] {
    check_active();
    check_type_count(count);
    const Datatype& old = check_datatype(oldtype);
    check_output(newtype, "newtype");
    Recipe recipe(call, MPI_COMBINER_CONTIGUOUS);
    recipe.count(count);
    recipe.type(oldtype);
    const auto elements = static_cast<std::uint64_t>(count);
    *newtype =
        add_derived(old.type_map->contiguous(elements), repeated(old.signature, elements), std::move(recipe));
  });
}

int type_vector(Call call, MPI_Count count, MPI_Count block_length, MPI_Count stride, MPI_Datatype oldtype,
                MPI_Datatype* newtype) {
  return run(call, [&] {
    check_active();
    check_shape(count, block_length);
    const Datatype& old = check_datatype(oldtype);
    check_output(newtype, "newtype");
    Recipe recipe(call, MPI_COMBINER_VECTOR);
    recipe.count(count);
    recipe.count(block_length);
    recipe.count(stride);
    recipe.type(oldtype);
    // One block has no distance to the next.
    const std::int64_t stride_bytes = count > 1 ? check_displacement(stride, old) : 0;
    *newtype = add_vector({count, block_length, stride_bytes}, old, std::move(recipe));
  });
}

int type_create_hvector(Call call, MPI_Count count, MPI_Count block_length, MPI_Count stride,
                        MPI_Datatype oldtype, MPI_Datatype* newtype) {
  return run(call, [&] {
    check_active();
    check_shape(count, block_length);
    const Datatype& old = check_datatype(oldtype);
    check_output(newtype, "newtype");
    Recipe recipe(call, MPI_COMBINER_HVECTOR);
    recipe.count(count);
    recipe.count(block_length);
    recipe.address(stride);
    recipe.type(oldtype);
    *newtype = add_vector({count, block_length, stride}, old, std::move(recipe));
  });
}

int type_create_resized(Call call, MPI_Datatype oldtype, MPI_Count lower_bound, MPI_Count extent,
                        MPI_Datatype* newtype) {
  return run(call, [&] {
    check_active();
    const Datatype& old = check_datatype(oldtype);
    check_output(newtype, "newtype");
    Recipe recipe(call, MPI_COMBINER_RESIZED);
    recipe.address(lower_bound);
    recipe.address(extent);
    recipe.type(oldtype);
    *newtype = add_derived(old.type_map->resized(lower_bound, extent), old.signature, std::move(recipe));
  });
}

int type_dup(Call call, MPI_Datatype oldtype, MPI_Datatype* newtype) {
  return run(call, [&] {
    check_active();
    const Datatype& old = check_datatype(oldtype);
    check_output(newtype, "newtype");
    Recipe recipe(call, MPI_COMBINER_DUP);
    recipe.type(oldtype);
    MPI_Datatype copy = add_duplicate(old, std::move(recipe));
    const int code = duplicate_type_attributes(oldtype, copy);
    // A copy whose attributes refuse to go stays: their delete functions may still need it.
    if (code != MPI_SUCCESS && destroy_type_attributes(copy) == MPI_SUCCESS) free_datatype(copy);
    check_callbacks(code);
    *newtype = copy;
  });
}

}  // namespace foldlane::api
