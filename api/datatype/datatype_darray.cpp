// MPI_Type_create_darray: one process's part of an array that is distributed over a grid of processes.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "api/core/calls.hpp"
#include "api/datatype/datatype_args.hpp"
#include "api/datatype/datatype_array.hpp"
#include "api/datatype/datatype_store.hpp"

namespace foldlane::api {
namespace {

// Far enough from the end of 64 bits for one more round of blocks.
constexpr std::int64_t kLargestSize = std::int64_t{1} << 61;

template <class Integer>
struct Darray {
  int size;
  int rank;
  int dimensions;
  const Integer* sizes;
  const int* distributions;
  const int* arguments;
  const int* processes;
  int order;
};

// One dimension of the array as one process sees it: blocks of `block` elements are dealt out in turn.
struct Share {
  std::int64_t size;
  std::int64_t block;
  std::int64_t processes;
  std::int64_t coordinate;
};

// MPI_DISTRIBUTE_DFLT_DARG is 19 in the ABI, so blocks of 19 cannot be asked for.
std::int64_t block_length(int d, int distribution, int argument, std::int64_t size, std::int64_t processes) {
  const bool by_default = argument == MPI_DISTRIBUTE_DFLT_DARG;
  if (distribution == MPI_DISTRIBUTE_NONE) {
    if (processes == 1) return size;
    fail(MPI_ERR_ARG,
         fmt::format("dimension {} is not distributed, but array_of_psizes[{}] is {}", d, d, processes));
  }
  if (!by_default && argument < 1) {
    fail(MPI_ERR_ARG, fmt::format("array_of_dargs[{}] is {}; blocks have at least 1 element", d, argument));
  }
  if (distribution == MPI_DISTRIBUTE_CYCLIC) return by_default ? 1 : argument;
  if (distribution != MPI_DISTRIBUTE_BLOCK) {
    fail(MPI_ERR_ARG, fmt::format("array_of_distribs[{}] is {}; it must be MPI_DISTRIBUTE_BLOCK, "
                                  "MPI_DISTRIBUTE_CYCLIC or MPI_DISTRIBUTE_NONE",
                                  d, distribution));
  }
  if (by_default) return size / processes + (size % processes != 0);
  if (argument * processes < size) {
    fail(MPI_ERR_ARG,
         fmt::format("array_of_dargs[{}] is {}: {} blocks of that length do not hold {} elements", d,
                     argument, processes, size));
  }
  return argument;
}

template <class Integer>
void check_grid(const Darray<Integer>& array) {
  std::int64_t product = 1;
  for (int d = 0; d < array.dimensions; ++d) {
    if (array.sizes[d] < 1 || array.sizes[d] > kLargestSize) {
      fail(MPI_ERR_ARG, fmt::format("array_of_gsizes[{}] is {}; it must be between 1 and {}", d,
                                    array.sizes[d], kLargestSize));
    }
    if (array.processes[d] < 1) {
      fail(MPI_ERR_ARG,
           fmt::format("array_of_psizes[{}] is {}; it must be at least 1", d, array.processes[d]));
    }
    product = std::min<std::int64_t>(product * array.processes[d], std::int64_t{array.size} + 1);
  }
  if (product != array.size) {
    fail(MPI_ERR_ARG, fmt::format("size is {}, but array_of_psizes has another product", array.size));
  }
}

template <class Integer>
void check(const Darray<Integer>& array) {
  if (array.size < 1) fail(MPI_ERR_ARG, fmt::format("size is {}; it must be at least 1", array.size));
  if (array.rank < 0 || array.rank >= array.size) {
    fail(MPI_ERR_ARG, fmt::format("rank is {}; it must be between 0 and {}", array.rank, array.size - 1));
  }
  check_dimensions(array.dimensions);
  check_array(array.sizes, array.dimensions, "array_of_gsizes");
  check_array(array.distributions, array.dimensions, "array_of_distribs");
  check_array(array.arguments, array.dimensions, "array_of_dargs");
  check_array(array.processes, array.dimensions, "array_of_psizes");
  check_order(array.order);
  check_grid(array);
}

// The grid is row-major, whatever the order of the array.
template <class Integer>
std::vector<Share> shares_of(const Darray<Integer>& array) {
  std::vector<Share> shares;
  int ranks = array.size, rank = array.rank;
  for (int d = 0; d < array.dimensions; ++d) {
    ranks /= array.processes[d];
    shares.push_back(
        {array.sizes[d],
         block_length(d, array.distributions[d], array.arguments[d], array.sizes[d], array.processes[d]),
         array.processes[d], rank / ranks});
    rank %= ranks;
  }
  return shares;
}

/// The share of one dimension: full blocks, one per round, and what is left for a last one.
std::optional<engine::TypeMap> distributed(const ArrayBuilder& builder, const Share& share) {
  const std::int64_t stride = builder.stride();
  const std::int64_t first = std::min(share.coordinate * share.block, share.size);
  const std::int64_t round = share.block * share.processes;
  const std::int64_t available = share.size - first;
  const std::int64_t full = available >= share.block ? (available - share.block) / round + 1 : 0;
  const std::int64_t next = first + full * round;
  const std::int64_t rest = std::clamp<std::int64_t>(share.size - next, 0, share.block);
  const engine::TypeMap::Part within{&builder.inner(), 0, static_cast<std::uint64_t>(share.block), stride};
  const auto block = full != 0 ? engine::TypeMap::composed({&within, 1}) : engine::TypeMap();
  if (!block) return {};
  std::vector<engine::TypeMap::Part> parts;
  if (full != 0) {
    const std::int64_t distance = full > 1 ? round * stride : 0;
    parts.push_back({&*block, first * stride, static_cast<std::uint64_t>(full), distance});
  }
  if (rest != 0) parts.push_back({&builder.inner(), next * stride, static_cast<std::uint64_t>(rest), stride});
  return engine::TypeMap::composed(parts);
}

std::uint64_t elements_of(const Share& share) {
  const std::int64_t first = std::min(share.coordinate * share.block, share.size);
  const std::int64_t round = share.block * share.processes;
  const std::int64_t available = share.size - first;
  return static_cast<std::uint64_t>(available / round * share.block +
                                    std::min(available % round, share.block));
}

template <class Integer>
Recipe recipe_of(Call call, const Darray<Integer>& array, MPI_Datatype oldtype) {
  Recipe recipe(call, MPI_COMBINER_DARRAY);
  recipe.integer(array.size);
  recipe.integer(array.rank);
  recipe.integer(array.dimensions);
  for (int d = 0; d < array.dimensions; ++d) recipe.count(array.sizes[d]);
  for (const int* numbers : {array.distributions, array.arguments, array.processes}) {
    for (int d = 0; d < array.dimensions; ++d) recipe.integer(numbers[d]);
  }
  recipe.integer(array.order);
  recipe.type(oldtype);
  return recipe;
}

template <class Integer>
int darray(Call call, const Darray<Integer>& array, MPI_Datatype oldtype, MPI_Datatype* newtype) {
  return run(call, [&] {
    check_active();
    check(array);
    const Datatype& old = check_datatype(oldtype);
    check_output(newtype, "newtype");
    const std::vector<Share> shares = shares_of(array);
    ArrayBuilder builder(old);
    engine::Signature signature = old.signature;
    for (int i = 0; i < array.dimensions; ++i) {
      const Share& share = shares[static_cast<std::size_t>(dimension_at(i, array.dimensions, array.order))];
      builder.check_size(share.size);
      builder.finish_dimension(distributed(builder, share), share.size);
      signature = repeated(signature, elements_of(share));
    }
    *newtype = add_derived(builder.finish(), signature, recipe_of(call, array, oldtype));
  });
}

}  // namespace

int type_create_darray(Call call, int size, int rank, int dimensions, const int* sizes,
                       const int* distributions, const int* arguments, const int* processes, int order,
                       MPI_Datatype oldtype, MPI_Datatype* newtype) {
  return darray<int>(call, {size, rank, dimensions, sizes, distributions, arguments, processes, order},
                     oldtype, newtype);
}

int type_create_darray(Call call, int size, int rank, int dimensions, const MPI_Count* sizes,
                       const int* distributions, const int* arguments, const int* processes, int order,
                       MPI_Datatype oldtype, MPI_Datatype* newtype) {
  return darray<MPI_Count>(call, {size, rank, dimensions, sizes, distributions, arguments, processes, order},
                           oldtype, newtype);
}

}  // namespace foldlane::api
