// MPI_Type_get_envelope and MPI_Type_get_contents: the numbers in the standard's order, and a datatype that
// is rebuilt from its contents equals the original.
#include <functional>
#include <string>

#include "support/datatype_probe.hpp"

namespace {

using foldlane::testing::ErrorsReturn;
using foldlane::testing::extents_of;
using foldlane::testing::packed_offsets;

using Ints = std::vector<int>;
using Counts = std::vector<MPI_Count>;
using Types = std::vector<MPI_Datatype>;

struct Contents {
  int combiner = 0;
  Ints integers;
  Counts addresses, large;
  Types types;
};

Contents decode(MPI_Datatype type) {
  Contents c;
  MPI_Count integers = -1, addresses = -1, large = -1, types = -1;
  EXPECT_EQ(MPI_Type_get_envelope_c(type, &integers, &addresses, &large, &types, &c.combiner), MPI_SUCCESS);
  c.integers.resize(static_cast<std::size_t>(integers));
  c.addresses.resize(static_cast<std::size_t>(addresses));
  c.large.resize(static_cast<std::size_t>(large));
  c.types.resize(static_cast<std::size_t>(types));
  EXPECT_EQ(MPI_Type_get_contents_c(type, integers, addresses, large, types, c.integers.data(),
                                    c.addresses.data(), c.large.data(), c.types.data()),
            MPI_SUCCESS);
  return c;
}

bool named(MPI_Datatype type) {
  MPI_Count n = 0;
  int combiner = 0;
  EXPECT_EQ(MPI_Type_get_envelope_c(type, &n, &n, &n, &n, &combiner), MPI_SUCCESS);
  return combiner == MPI_COMBINER_NAMED;
}

void free_parents(Contents& c) {
  for (MPI_Datatype& type : c.types) {
    if (!named(type)) {
      EXPECT_EQ(MPI_Type_free(&type), MPI_SUCCESS);
    }
  }
}

MPI_Datatype rebuild(const Contents& c) {
  MPI_Datatype made = MPI_DATATYPE_NULL;
  const int* i = c.integers.data();
  const MPI_Aint* a = c.addresses.data();
  const MPI_Datatype* t = c.types.data();
  int result = -1;
  switch (c.combiner) {
    case MPI_COMBINER_DUP:
      result = MPI_Type_dup(t[0], &made);
      break;
    case MPI_COMBINER_CONTIGUOUS:
      result = MPI_Type_contiguous(i[0], t[0], &made);
      break;
    case MPI_COMBINER_VECTOR:
      result = MPI_Type_vector(i[0], i[1], i[2], t[0], &made);
      break;
    case MPI_COMBINER_HVECTOR:
      result = MPI_Type_create_hvector(i[0], i[1], a[0], t[0], &made);
      break;
    case MPI_COMBINER_INDEXED:
      result = MPI_Type_indexed(i[0], i + 1, i + 1 + i[0], t[0], &made);
      break;
    case MPI_COMBINER_HINDEXED:
      result = MPI_Type_create_hindexed(i[0], i + 1, a, t[0], &made);
      break;
    case MPI_COMBINER_INDEXED_BLOCK:
      result = MPI_Type_create_indexed_block(i[0], i[1], i + 2, t[0], &made);
      break;
    case MPI_COMBINER_HINDEXED_BLOCK:
      result = MPI_Type_create_hindexed_block(i[0], i[1], a, t[0], &made);
      break;
    case MPI_COMBINER_STRUCT:
      result = MPI_Type_create_struct(i[0], i + 1, a, t, &made);
      break;
    case MPI_COMBINER_SUBARRAY: {
      const int n = i[0];
      result = MPI_Type_create_subarray(n, i + 1, i + 1 + n, i + 1 + 2 * n, i[1 + 3 * n], t[0], &made);
      break;
    }
    case MPI_COMBINER_DARRAY: {
      const int n = i[2];
      result = MPI_Type_create_darray(i[0], i[1], n, i + 3, i + 3 + n, i + 3 + 2 * n, i + 3 + 3 * n,
                                      i[3 + 4 * n], t[0], &made);
      break;
    }
    case MPI_COMBINER_RESIZED:
      result = MPI_Type_create_resized(t[0], a[0], a[1], &made);
      break;
    default:
      break;
  }
  EXPECT_EQ(result, MPI_SUCCESS);
  return made;
}

MPI_Datatype rebuild_large(const Contents& c) {
  MPI_Datatype made = MPI_DATATYPE_NULL;
  const int* i = c.integers.data();
  const MPI_Count* n = c.large.data();
  const MPI_Datatype* t = c.types.data();
  int result = -1;
  switch (c.combiner) {
    case MPI_COMBINER_CONTIGUOUS:
      result = MPI_Type_contiguous_c(n[0], t[0], &made);
      break;
    case MPI_COMBINER_VECTOR:
      result = MPI_Type_vector_c(n[0], n[1], n[2], t[0], &made);
      break;
    case MPI_COMBINER_HVECTOR:
      result = MPI_Type_create_hvector_c(n[0], n[1], n[2], t[0], &made);
      break;
    case MPI_COMBINER_INDEXED:
      result = MPI_Type_indexed_c(n[0], n + 1, n + 1 + n[0], t[0], &made);
      break;
    case MPI_COMBINER_HINDEXED:
      result = MPI_Type_create_hindexed_c(n[0], n + 1, n + 1 + n[0], t[0], &made);
      break;
    case MPI_COMBINER_INDEXED_BLOCK:
      result = MPI_Type_create_indexed_block_c(n[0], n[1], n + 2, t[0], &made);
      break;
    case MPI_COMBINER_HINDEXED_BLOCK:
      result = MPI_Type_create_hindexed_block_c(n[0], n[1], n + 2, t[0], &made);
      break;
    case MPI_COMBINER_STRUCT:
      result = MPI_Type_create_struct_c(n[0], n + 1, n + 1 + n[0], t, &made);
      break;
    case MPI_COMBINER_SUBARRAY:
      result = MPI_Type_create_subarray_c(i[0], n, n + i[0], n + 2 * i[0], i[1], t[0], &made);
      break;
    case MPI_COMBINER_DARRAY:
      result = MPI_Type_create_darray_c(i[0], i[1], i[2], n, i + 3, i + 3 + i[2], i + 3 + 2 * i[2],
                                        i[3 + 3 * i[2]], t[0], &made);
      break;
    case MPI_COMBINER_RESIZED:
      result = MPI_Type_create_resized_c(t[0], n[0], n[1], &made);
      break;
    default:
      break;
  }
  EXPECT_EQ(result, MPI_SUCCESS);
  return made;
}

/// Checks the numbers, rebuilds, compares, and frees `type`.
void check(MPI_Datatype type, int combiner, const Ints& integers, const Counts& addresses,
           const Counts& large, const Types& types) {
  SCOPED_TRACE("combiner " + std::to_string(combiner));
  Contents c = decode(type);
  EXPECT_EQ(c.combiner, combiner);
  EXPECT_EQ(c.integers, integers);
  EXPECT_EQ(c.addresses, addresses);
  EXPECT_EQ(c.large, large);
  EXPECT_EQ(c.types, types);
  MPI_Datatype again = large.empty() ? rebuild(c) : rebuild_large(c);
  ASSERT_EQ(MPI_Type_commit(&type), MPI_SUCCESS);
  ASSERT_EQ(MPI_Type_commit(&again), MPI_SUCCESS);
  EXPECT_EQ(extents_of(again), extents_of(type));
  EXPECT_EQ(packed_offsets(again, 2), packed_offsets(type, 2));
  EXPECT_EQ(MPI_Type_free(&type), MPI_SUCCESS);
  EXPECT_EQ(MPI_Type_free(&again), MPI_SUCCESS);
}

MPI_Datatype made(const std::function<int(MPI_Datatype*)>& make) {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  EXPECT_EQ(make(&type), MPI_SUCCESS);
  return type;
}

TEST(DatatypeContents, Regular) {
  check(made([](auto* t) { return MPI_Type_dup(MPI_INT, t); }), MPI_COMBINER_DUP, {}, {}, {}, {MPI_INT});
  check(made([](auto* t) { return MPI_Type_contiguous(3, MPI_INT, t); }), MPI_COMBINER_CONTIGUOUS, {3}, {},
        {}, {MPI_INT});
  check(made([](auto* t) { return MPI_Type_contiguous_c(3, MPI_INT, t); }), MPI_COMBINER_CONTIGUOUS, {}, {},
        {3}, {MPI_INT});
  check(made([](auto* t) { return MPI_Type_vector(2, 3, 4, MPI_CHAR, t); }), MPI_COMBINER_VECTOR, {2, 3, 4},
        {}, {}, {MPI_CHAR});
  check(made([](auto* t) { return MPI_Type_vector_c(2, 3, 4, MPI_CHAR, t); }), MPI_COMBINER_VECTOR, {}, {},
        {2, 3, 4}, {MPI_CHAR});
  check(made([](auto* t) { return MPI_Type_create_hvector(2, 3, 40, MPI_CHAR, t); }), MPI_COMBINER_HVECTOR,
        {2, 3}, {40}, {}, {MPI_CHAR});
  check(made([](auto* t) { return MPI_Type_create_hvector_c(2, 3, 40, MPI_CHAR, t); }), MPI_COMBINER_HVECTOR,
        {}, {}, {2, 3, 40}, {MPI_CHAR});
  check(made([](auto* t) { return MPI_Type_create_resized(MPI_INT, -4, 12, t); }), MPI_COMBINER_RESIZED, {},
        {-4, 12}, {}, {MPI_INT});
  check(made([](auto* t) { return MPI_Type_create_resized_c(MPI_INT, -4, 12, t); }), MPI_COMBINER_RESIZED, {},
        {}, {-4, 12}, {MPI_INT});
}

TEST(DatatypeContents, Indexed) {
  static const int lengths[] = {1, 2}, displacements[] = {7, 3};
  static const MPI_Count wide_lengths[] = {1, 2}, bytes[] = {17, 3};
  check(made([](auto* t) { return MPI_Type_indexed(2, lengths, displacements, MPI_INT, t); }),
        MPI_COMBINER_INDEXED, {2, 1, 2, 7, 3}, {}, {}, {MPI_INT});
  check(made([](auto* t) { return MPI_Type_indexed_c(2, wide_lengths, bytes, MPI_INT, t); }),
        MPI_COMBINER_INDEXED, {}, {}, {2, 1, 2, 17, 3}, {MPI_INT});
  check(made([](auto* t) { return MPI_Type_create_hindexed(2, lengths, bytes, MPI_CHAR, t); }),
        MPI_COMBINER_HINDEXED, {2, 1, 2}, {17, 3}, {}, {MPI_CHAR});
  check(made([](auto* t) { return MPI_Type_create_hindexed_c(2, wide_lengths, bytes, MPI_CHAR, t); }),
        MPI_COMBINER_HINDEXED, {}, {}, {2, 1, 2, 17, 3}, {MPI_CHAR});
  check(made([](auto* t) { return MPI_Type_create_indexed_block(2, 3, displacements, MPI_CHAR, t); }),
        MPI_COMBINER_INDEXED_BLOCK, {2, 3, 7, 3}, {}, {}, {MPI_CHAR});
  check(made([](auto* t) { return MPI_Type_create_indexed_block_c(2, 3, bytes, MPI_CHAR, t); }),
        MPI_COMBINER_INDEXED_BLOCK, {}, {}, {2, 3, 17, 3}, {MPI_CHAR});
  check(made([](auto* t) { return MPI_Type_create_hindexed_block(2, 3, bytes, MPI_CHAR, t); }),
        MPI_COMBINER_HINDEXED_BLOCK, {2, 3}, {17, 3}, {}, {MPI_CHAR});
  check(made([](auto* t) { return MPI_Type_create_hindexed_block_c(2, 3, bytes, MPI_CHAR, t); }),
        MPI_COMBINER_HINDEXED_BLOCK, {}, {}, {2, 3, 17, 3}, {MPI_CHAR});
}

TEST(DatatypeContents, Struct) {
  static const int lengths[] = {1, 2};
  static const MPI_Count wide_lengths[] = {1, 2}, bytes[] = {0, 8};
  static const MPI_Datatype types[] = {MPI_CHAR, MPI_DOUBLE_INT};
  check(made([](auto* t) { return MPI_Type_create_struct(2, lengths, bytes, types, t); }),
        MPI_COMBINER_STRUCT, {2, 1, 2}, {0, 8}, {}, {MPI_CHAR, MPI_DOUBLE_INT});
  check(made([](auto* t) { return MPI_Type_create_struct_c(2, wide_lengths, bytes, types, t); }),
        MPI_COMBINER_STRUCT, {}, {}, {2, 1, 2, 0, 8}, {MPI_CHAR, MPI_DOUBLE_INT});
}

TEST(DatatypeContents, Arrays) {
  static const int sizes[] = {4, 6}, parts[] = {2, 3}, starts[] = {1, 2};
  static const MPI_Count wide_sizes[] = {4, 6}, wide_parts[] = {2, 3}, wide_starts[] = {1, 2};
  constexpr int C = MPI_ORDER_C, F = MPI_ORDER_FORTRAN;
  check(made([](auto* t) { return MPI_Type_create_subarray(2, sizes, parts, starts, F, MPI_INT, t); }),
        MPI_COMBINER_SUBARRAY, {2, 4, 6, 2, 3, 1, 2, F}, {}, {}, {MPI_INT});
  check(made([](auto* t) {
          return MPI_Type_create_subarray_c(2, wide_sizes, wide_parts, wide_starts, F, MPI_INT, t);
        }),
        MPI_COMBINER_SUBARRAY, {2, F}, {}, {4, 6, 2, 3, 1, 2}, {MPI_INT});
  static const int distributions[] = {MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC};
  static const int arguments[] = {MPI_DISTRIBUTE_DFLT_DARG, 2}, grid[] = {2, 3};
  const Ints dealt = {MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_DFLT_DARG, 2, 2, 3, C};
  Ints narrow = {6, 5, 2, 4, 6}, wide = {6, 5, 2};
  narrow.insert(narrow.end(), dealt.begin(), dealt.end());
  wide.insert(wide.end(), dealt.begin(), dealt.end());
  check(made([](auto* t) {
          return MPI_Type_create_darray(6, 5, 2, sizes, distributions, arguments, grid, C, MPI_INT, t);
        }),
        MPI_COMBINER_DARRAY, narrow, {}, {}, {MPI_INT});
  check(made([](auto* t) {
          return MPI_Type_create_darray_c(6, 5, 2, wide_sizes, distributions, arguments, grid, C, MPI_INT, t);
        }),
        MPI_COMBINER_DARRAY, wide, {}, {4, 6}, {MPI_INT});
}

TEST(DatatypeContents, DerivedParentsComeAsHandlesOfTheirOwn) {
  MPI_Datatype parent = made([](auto* t) { return MPI_Type_vector(2, 1, 3, MPI_INT, t); });
  MPI_Datatype child = made([&](auto* t) { return MPI_Type_contiguous(2, parent, t); });
  const auto extents = extents_of(parent);
  ASSERT_EQ(MPI_Type_free(&parent), MPI_SUCCESS);
  Contents c = decode(child);
  ASSERT_EQ(c.types.size(), 1U);
  EXPECT_EQ(extents_of(c.types[0]), extents);
  Contents inner = decode(c.types[0]);
  EXPECT_EQ(inner.integers, (Ints{2, 1, 3}));
  // What is done to the new handle does not show in the next one.
  ASSERT_EQ(MPI_Type_set_name(c.types[0], "mine"), MPI_SUCCESS);
  Contents second = decode(child);
  char name[MPI_MAX_OBJECT_NAME];
  int length = -1;
  EXPECT_EQ(MPI_Type_get_name(second.types[0], name, &length), MPI_SUCCESS);
  EXPECT_EQ(length, 0);
  free_parents(c);
  free_parents(second);
  EXPECT_EQ(MPI_Type_free(&child), MPI_SUCCESS);
}

TEST(DatatypeContents, NamedTypes) {
  ErrorsReturn errors_return;
  int integers = -1, addresses = -1, types = -1, combiner = -1;
  EXPECT_EQ(MPI_Type_get_envelope(MPI_FLOAT_INT, &integers, &addresses, &types, &combiner), MPI_SUCCESS);
  EXPECT_EQ((Ints{integers, addresses, types, combiner}), (Ints{0, 0, 0, MPI_COMBINER_NAMED}));
  EXPECT_EQ(MPI_Type_get_contents(MPI_INT, 0, 0, 0, nullptr, nullptr, nullptr), MPI_ERR_TYPE);
}

TEST(DatatypeContents, LargeCountsNeedTheLargeForm) {
  ErrorsReturn errors_return;
  MPI_Datatype type = made([](auto* t) { return MPI_Type_contiguous_c(3, MPI_INT, t); });
  int n = 0, numbers[4];
  MPI_Datatype types[1];
  EXPECT_EQ(MPI_Type_get_envelope(type, &n, &n, &n, &n), MPI_ERR_TYPE);
  EXPECT_EQ(MPI_Type_get_contents(type, 4, 0, 1, numbers, nullptr, types), MPI_ERR_TYPE);
  EXPECT_NE(foldlane::testing::error_string(MPI_ERR_TYPE).find("call MPI_Type_get_contents_c"),
            std::string::npos);
  EXPECT_EQ(MPI_Type_free(&type), MPI_SUCCESS);
}

TEST(DatatypeContents, RoomIsChecked) {
  ErrorsReturn errors_return;
  MPI_Datatype type = made([](auto* t) { return MPI_Type_create_hvector(2, 3, 40, MPI_CHAR, t); });
  int numbers[2];
  MPI_Aint addresses[1];
  MPI_Datatype types[1];
  EXPECT_EQ(MPI_Type_get_contents(type, 1, 1, 1, numbers, addresses, types), MPI_ERR_ARG);
  EXPECT_NE(foldlane::testing::error_string(MPI_ERR_ARG)
                .find("max_integers is 1, but the datatype was made of 2 integers"),
            std::string::npos);
  EXPECT_EQ(MPI_Type_get_contents(type, 2, 0, 1, numbers, addresses, types), MPI_ERR_ARG);
  EXPECT_EQ(MPI_Type_get_contents(type, 2, 1, 0, numbers, addresses, types), MPI_ERR_ARG);
  EXPECT_EQ(MPI_Type_get_contents(type, 2, 1, 1, nullptr, addresses, types), MPI_ERR_ARG);
  EXPECT_EQ(MPI_Type_get_contents(type, 2, 1, 1, numbers, addresses, types), MPI_SUCCESS);
  EXPECT_EQ(MPI_Type_free(&type), MPI_SUCCESS);
}

}  // namespace
