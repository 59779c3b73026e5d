// MPI_Type_create_darray against the definition of the distributions: who owns each element is computed from
// its global index alone.
#include <random>
#include <string>

#include "support/datatype_probe.hpp"

namespace {

using foldlane::testing::expect_map;
using foldlane::testing::Extents;
using foldlane::testing::extents_of;
using foldlane::testing::Offsets;
using foldlane::testing::OwnType;

struct Dimension {
  int size;
  int distribution;
  int argument;
  int processes;
};

struct Array {
  std::vector<Dimension> dimensions;
  int order;

  int ranks() const {
    int product = 1;
    for (const Dimension& d : dimensions) product *= d.processes;
    return product;
  }
};

int owner(const Dimension& d, int index) {
  const bool by_default = d.argument == MPI_DISTRIBUTE_DFLT_DARG;
  switch (d.distribution) {
    case MPI_DISTRIBUTE_NONE:
      return 0;
    case MPI_DISTRIBUTE_BLOCK:
      return index / (by_default ? (d.size + d.processes - 1) / d.processes : d.argument);
    default:
      return index / (by_default ? 1 : d.argument) % d.processes;
  }
}

// The rank that owns an element: the grid of processes is row-major.
int owner(const Array& array, const std::vector<int>& index) {
  int rank = 0;
  for (std::size_t d = 0; d < index.size(); ++d) {
    rank = rank * array.dimensions[d].processes + owner(array.dimensions[d], index[d]);
  }
  return rank;
}

// The bytes of one rank's elements in the order of memory, which is that of packing.
Offsets owned(const Array& array, int rank, MPI_Count element_bytes) {
  MPI_Count elements = 1;
  for (const Dimension& d : array.dimensions) elements *= d.size;
  Offsets offsets;
  std::vector<int> index(array.dimensions.size());
  for (MPI_Count place = 0; place < elements; ++place) {
    MPI_Count rest = place;
    for (std::size_t i = 0; i < index.size(); ++i) {
      const std::size_t d = array.order == MPI_ORDER_C ? index.size() - 1 - i : i;
      index[d] = static_cast<int>(rest % array.dimensions[d].size);
      rest /= array.dimensions[d].size;
    }
    if (owner(array, index) != rank) continue;
    for (MPI_Count i = 0; i < element_bytes; ++i) offsets.push_back(place * element_bytes + i);
  }
  return offsets;
}

struct Arguments {
  std::vector<int> sizes, distributions, arguments, processes;
  std::vector<MPI_Count> wide_sizes;

  explicit Arguments(const Array& array) {
    for (const Dimension& d : array.dimensions) {
      sizes.push_back(d.size);
      wide_sizes.push_back(d.size);
      distributions.push_back(d.distribution);
      arguments.push_back(d.argument);
      processes.push_back(d.processes);
    }
  }
};

void check(const Array& array, bool large) {
  const Arguments a(array);
  const int dimensions = static_cast<int>(array.dimensions.size());
  MPI_Count total = 0;
  for (int rank = 0; rank < array.ranks(); ++rank) {
    SCOPED_TRACE("rank " + std::to_string(rank));
    OwnType type;
    const int result = large ? MPI_Type_create_darray_c(array.ranks(), rank, dimensions, a.wide_sizes.data(),
                                                        a.distributions.data(), a.arguments.data(),
                                                        a.processes.data(), array.order, MPI_INT, type.out())
                             : MPI_Type_create_darray(array.ranks(), rank, dimensions, a.sizes.data(),
                                                      a.distributions.data(), a.arguments.data(),
                                                      a.processes.data(), array.order, MPI_INT, type.out());
    ASSERT_EQ(result, MPI_SUCCESS);
    const Offsets expected = owned(array, rank, 4);
    expect_map(type.committed(), expected);
    MPI_Count elements = 1;
    for (const Dimension& d : array.dimensions) elements *= d.size;
    EXPECT_EQ(extents_of(type).lower, 0);
    EXPECT_EQ(extents_of(type).extent, elements * 4);
    total += static_cast<MPI_Count>(expected.size());
  }
  EXPECT_EQ(total % 4, 0);
}

Dimension random_dimension(std::mt19937& engine) {
  const auto in = [&](int low, int high) { return std::uniform_int_distribution<int>(low, high)(engine); };
  const int size = in(1, 13), processes = in(1, 3);
  switch (in(0, 4)) {
    case 0:
      return {size, MPI_DISTRIBUTE_NONE, MPI_DISTRIBUTE_DFLT_DARG, 1};
    case 1:
      return {size, MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_DFLT_DARG, processes};
    case 2:
      return {size, MPI_DISTRIBUTE_BLOCK, (size + processes - 1) / processes + in(0, 2), processes};
    case 3:
      return {size, MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_DFLT_DARG, processes};
    default:
      return {size, MPI_DISTRIBUTE_CYCLIC, in(1, 6), processes};
  }
}

TEST(DatatypeDarray, EveryDistribution) {
  std::mt19937 engine(1);
  for (int trial = 0; trial < 400; ++trial) {
    SCOPED_TRACE("trial " + std::to_string(trial));
    Array array{{}, trial % 2 == 0 ? MPI_ORDER_C : MPI_ORDER_FORTRAN};
    for (int d = trial % 3; d >= 0; --d) array.dimensions.push_back(random_dimension(engine));
    check(array, trial % 5 == 0);
    if (::testing::Test::HasFailure()) return;
  }
}

class DarrayErrors : public ::testing::Test {
 protected:
  int create() {
    MPI_Datatype type = MPI_DATATYPE_NULL;
    return MPI_Type_create_darray(size, rank, dimensions, sizes, distributions, arguments, processes, order,
                                  MPI_INT, &type);
  }

  foldlane::testing::ErrorsReturn errors_return_;
  int size = 6, rank = 5, dimensions = 2, order = MPI_ORDER_C;
  int sizes[2] = {8, 9};
  int distributions[2] = {MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC};
  int arguments[2] = {4, 2};
  int processes[2] = {2, 3};
};

TEST_F(DarrayErrors, Grid) {
  size = 5;
  EXPECT_EQ(create(), MPI_ERR_ARG);
  size = 0;
  EXPECT_EQ(create(), MPI_ERR_ARG);
  size = 6, rank = 6;
  EXPECT_EQ(create(), MPI_ERR_ARG);
  rank = -1;
  EXPECT_EQ(create(), MPI_ERR_ARG);
  rank = 0, processes[0] = 0;
  EXPECT_EQ(create(), MPI_ERR_ARG);
}

TEST_F(DarrayErrors, Distributions) {
  arguments[0] = 3;
  EXPECT_EQ(create(), MPI_ERR_ARG);
  EXPECT_NE(
      foldlane::testing::error_string(MPI_ERR_ARG).find("array_of_dargs[0] is 3: 2 blocks of that length"),
      std::string::npos);
  arguments[0] = 0;
  EXPECT_EQ(create(), MPI_ERR_ARG);
  arguments[0] = 4, arguments[1] = -2;
  EXPECT_EQ(create(), MPI_ERR_ARG);
  arguments[1] = 2, distributions[1] = 99;
  EXPECT_EQ(create(), MPI_ERR_ARG);
  distributions[1] = MPI_DISTRIBUTE_NONE;
  EXPECT_EQ(create(), MPI_ERR_ARG);
}

TEST_F(DarrayErrors, Shape) {
  order = 3;
  EXPECT_EQ(create(), MPI_ERR_ARG);
  order = MPI_ORDER_C, dimensions = 0;
  EXPECT_EQ(create(), MPI_ERR_ARG);
  dimensions = 2, sizes[1] = 0;
  EXPECT_EQ(create(), MPI_ERR_ARG);
}

TEST_F(DarrayErrors, TooLarge) {
  const MPI_Count huge[] = {MPI_Count{1} << 61, 9};
  MPI_Datatype type = MPI_DATATYPE_NULL;
  arguments[0] = MPI_DISTRIBUTE_DFLT_DARG;
  EXPECT_EQ(
      MPI_Type_create_darray_c(6, 5, 2, huge, distributions, arguments, processes, order, MPI_INT, &type),
      MPI_ERR_ARG);
}

}  // namespace
