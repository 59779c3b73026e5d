// MPI_Type_create_struct.
#include <vector>

#include "api/core/calls.hpp"
#include "api/datatype/datatype_args.hpp"
#include "api/datatype/datatype_store.hpp"

namespace foldlane::api {
namespace {

template <class Length>
void check_members(std::int64_t count, const Length* lengths, const MPI_Count* displacements,
                   const MPI_Datatype* types) {
  check_type_count(count);
  check_array(lengths, count, "array_of_blocklengths");
  check_array(displacements, count, "array_of_displacements");
  check_array(types, count, "array_of_types");
  for (std::int64_t i = 0; i < count; ++i) {
    check_length(lengths[i], "a blocklength");
    check_datatype(types[i]);
  }
}

template <class Length>
Recipe recipe_of(Call call, std::int64_t count, const Length* lengths, const MPI_Count* displacements,
                 const MPI_Datatype* types) {
  Recipe recipe(call, MPI_COMBINER_STRUCT);
  recipe.count(count);
  for (std::int64_t i = 0; i < count; ++i) recipe.count(lengths[i]);
  for (std::int64_t i = 0; i < count; ++i) recipe.address(displacements[i]);
  for (std::int64_t i = 0; i < count; ++i) recipe.type(types[i]);
  return recipe;
}

template <class Length>
int structure(Call call, std::int64_t count, const Length* lengths, const MPI_Count* displacements,
              const MPI_Datatype* types, MPI_Datatype* newtype) {
  return run(call, [&] {
    check_active();
    check_members(count, lengths, displacements, types);
    check_output(newtype, "newtype");
    std::vector<engine::TypeMap::Part> parts;
    engine::Signature signature{0, 0};
    for (std::int64_t i = 0; i < count; ++i) {
      const Datatype& member = check_datatype(types[i]);
      const auto length = static_cast<std::uint64_t>(lengths[i]);
      parts.push_back({member.type_map.get(), displacements[i], length, member.extent});
      signature = concatenated(signature, repeated(member.signature, length));
    }
    *newtype = add_derived(engine::TypeMap::composed(parts), signature,
                           recipe_of(call, count, lengths, displacements, types));
  });
}

}  // namespace

int type_create_struct(Call call, MPI_Count count, const int* lengths, const MPI_Count* displacements,
                       const MPI_Datatype* types, MPI_Datatype* newtype) {
  return structure(call, count, lengths, displacements, types, newtype);
}

int type_create_struct(Call call, MPI_Count count, const MPI_Count* lengths, const MPI_Count* displacements,
                       const MPI_Datatype* types, MPI_Datatype* newtype) {
  return structure(call, count, lengths, displacements, types, newtype);
}

}  // namespace foldlane::api
