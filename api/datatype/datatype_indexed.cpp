// Datatypes of blocks at stated displacements: MPI_Type_indexed, _create_hindexed, _create_indexed_block,
// _create_hindexed_block.
#include <vector>

#include "api/core/calls.hpp"
#include "api/datatype/datatype_args.hpp"
#include "api/datatype/datatype_store.hpp"

namespace foldlane::api {
namespace {

// The blocks that hold anything; where the others would be does not matter.
class Blocks {
 public:
  explicit Blocks(const Datatype& old) : old_(old) {}

  void add(std::uint64_t length, std::int64_t displacement_bytes) {
    if (length == 0) return;
    blocks_.push_back({displacement_bytes, length});
    elements_ += length;  // if it overflows, so does the size of the type map
  }
  void add_scaled(std::uint64_t length, std::int64_t displacement) {
    if (length != 0) add(length, check_displacement(displacement, old_));
  }
  MPI_Datatype finish(Recipe recipe) const {
    return add_derived(old_.type_map->indexed(blocks_), repeated(old_.signature, elements_),
                       std::move(recipe));
  }

 private:
  const Datatype& old_;
  std::vector<engine::TypeMap::Block> blocks_;
  std::uint64_t elements_ = 0;
};

struct Family {
  int combiner;
  bool scaled;  // displacements count elements, not bytes
};

constexpr Family kIndexed{MPI_COMBINER_INDEXED, true};
constexpr Family kHindexed{MPI_COMBINER_HINDEXED, false};
constexpr Family kIndexedBlock{MPI_COMBINER_INDEXED_BLOCK, true};
constexpr Family kHindexedBlock{MPI_COMBINER_HINDEXED_BLOCK, false};

template <class Displacement>
void note_displacements(Recipe& recipe, Family family, std::int64_t count,
                        const Displacement* displacements) {
  for (std::int64_t i = 0; i < count; ++i) {
    if (family.scaled) {
      recipe.count(displacements[i]);
    } else {
      recipe.address(displacements[i]);
    }
  }
}

template <class Length, class Displacement>
int indexed(Call call, Family family, std::int64_t count, const Length* lengths,
            const Displacement* displacements, MPI_Datatype oldtype, MPI_Datatype* newtype) {
  return run(call, [&] {
    check_active();
    check_type_count(count);
    check_array(lengths, count, "array_of_blocklengths");
    check_array(displacements, count, "array_of_displacements");
    const Datatype& old = check_datatype(oldtype);
    check_output(newtype, "newtype");
    Recipe recipe(call, family.combiner);
    Blocks blocks(old);
    recipe.count(count);
    for (std::int64_t i = 0; i < count; ++i) {
      const std::uint64_t length = check_length(lengths[i], "a blocklength");
      recipe.count(lengths[i]);
      family.scaled ? blocks.add_scaled(length, displacements[i]) : blocks.add(length, displacements[i]);
    }
    note_displacements(recipe, family, count, displacements);
    recipe.type(oldtype);
    *newtype = blocks.finish(std::move(recipe));
  });
}

template <class Displacement>
int equal_blocks(Call call, Family family, std::int64_t count, std::int64_t block_length,
                 const Displacement* displacements, MPI_Datatype oldtype, MPI_Datatype* newtype) {
  return run(call, [&] {
    check_active();
    check_type_count(count);
    const std::uint64_t length = check_length(block_length, "blocklength");
    check_array(displacements, count, "array_of_displacements");
    const Datatype& old = check_datatype(oldtype);
    check_output(newtype, "newtype");
    Recipe recipe(call, family.combiner);
    Blocks blocks(old);
    recipe.count(count);
    recipe.count(block_length);
    for (std::int64_t i = 0; i < count; ++i) {
      family.scaled ? blocks.add_scaled(length, displacements[i]) : blocks.add(length, displacements[i]);
    }
    note_displacements(recipe, family, count, displacements);
    recipe.type(oldtype);
    *newtype = blocks.finish(std::move(recipe));
  });
}

}  // namespace

int type_indexed(Call call, MPI_Count count, const int* lengths, const int* displacements,
                 MPI_Datatype oldtype, MPI_Datatype* newtype) {
  return indexed(call, kIndexed, count, lengths, displacements, oldtype, newtype);
}

int type_indexed(Call call, MPI_Count count, const MPI_Count* lengths, const MPI_Count* displacements,
                 MPI_Datatype oldtype, MPI_Datatype* newtype) {
  return indexed(call, kIndexed, count, lengths, displacements, oldtype, newtype);
}

int type_create_hindexed(Call call, MPI_Count count, const int* lengths, const MPI_Count* displacements,
                         MPI_Datatype oldtype, MPI_Datatype* newtype) {
  return indexed(call, kHindexed, count, lengths, displacements, oldtype, newtype);
}

int type_create_hindexed(Call call, MPI_Count count, const MPI_Count* lengths, const MPI_Count* displacements,
                         MPI_Datatype oldtype, MPI_Datatype* newtype) {
  return indexed(call, kHindexed, count, lengths, displacements, oldtype, newtype);
}

int type_create_indexed_block(Call call, MPI_Count count, MPI_Count length, const int* displacements,
                              MPI_Datatype oldtype, MPI_Datatype* newtype) {
  return equal_blocks(call, kIndexedBlock, count, length, displacements, oldtype, newtype);
}

int type_create_indexed_block(Call call, MPI_Count count, MPI_Count length, const MPI_Count* displacements,
                              MPI_Datatype oldtype, MPI_Datatype* newtype) {
  return equal_blocks(call, kIndexedBlock, count, length, displacements, oldtype, newtype);
}

int type_create_hindexed_block(Call call, MPI_Count count, MPI_Count length, const MPI_Count* displacements,
                               MPI_Datatype oldtype, MPI_Datatype* newtype) {
  return equal_blocks(call, kHindexedBlock, count, length, displacements, oldtype, newtype);
}

}  // namespace foldlane::api
