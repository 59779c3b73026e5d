// Every constructor against extents and byte maps computed by hand, through MPI_Pack and MPI_Unpack.
#include <array>
#include <limits>

#include "support/datatype_probe.hpp"

namespace {

using foldlane::testing::bytes_at;
using foldlane::testing::expect_map;
using foldlane::testing::Extents;
using foldlane::testing::extents_of;
using foldlane::testing::Offsets;
using foldlane::testing::OwnType;

TEST(DatatypeMap, Contiguous) {
  OwnType type;
  ASSERT_EQ(MPI_Type_contiguous(3, MPI_INT, type.out()), MPI_SUCCESS);
  EXPECT_EQ(extents_of(type), (Extents{12, 0, 12, 0, 12}));
  expect_map(type.committed(), bytes_at({0, 4, 8}, 4));
}

TEST(DatatypeMap, ContiguousOfPairsSkipsTheirPadding) {
  OwnType type;
  ASSERT_EQ(MPI_Type_contiguous(2, MPI_DOUBLE_INT, type.out()), MPI_SUCCESS);
  EXPECT_EQ(extents_of(type), (Extents{24, 0, 32, 0, 28}));
  Offsets expected = bytes_at({0}, 12), second = bytes_at({16}, 12);
  expected.insert(expected.end(), second.begin(), second.end());
  expect_map(type.committed(), expected);
}

TEST(DatatypeMap, PairsThemselves) {
  EXPECT_EQ(extents_of(MPI_SHORT_INT), (Extents{6, 0, 8, 0, 8}));
  EXPECT_EQ(extents_of(MPI_DOUBLE_INT), (Extents{12, 0, 16, 0, 12}));
  EXPECT_EQ(extents_of(MPI_LONG_DOUBLE_INT), (Extents{20, 0, 32, 0, 20}));
  expect_map(MPI_SHORT_INT, {0, 1, 4, 5, 6, 7, 8, 9, 12, 13, 14, 15}, 2);
}

TEST(DatatypeMap, Vector) {
  OwnType type;
  ASSERT_EQ(MPI_Type_vector(3, 2, 5, MPI_SHORT, type.out()), MPI_SUCCESS);
  EXPECT_EQ(extents_of(type), (Extents{12, 0, 24, 0, 24}));
  // The second element begins where the first one's extent ends.
  expect_map(type.committed(), bytes_at({0, 2, 10, 12, 20, 22, 24, 26, 34, 36, 44, 46}, 2), 2);
}

TEST(DatatypeMap, VectorBackwards) {
  OwnType type;
  ASSERT_EQ(MPI_Type_vector(3, 1, -2, MPI_INT, type.out()), MPI_SUCCESS);
  EXPECT_EQ(extents_of(type), (Extents{12, -16, 20, -16, 20}));
  expect_map(type.committed(), bytes_at({0, -8, -16}, 4));
}

TEST(DatatypeMap, LargeCounts) {
  OwnType type;
  ASSERT_EQ(MPI_Type_vector_c(3'000'000'000, 1, 2, MPI_DOUBLE, type.out()), MPI_SUCCESS);
  EXPECT_EQ(extents_of(type), (Extents{24'000'000'000, 0, 47'999'999'992, 0, 47'999'999'992}));
  int size = 0, pack_size = 0;
  EXPECT_EQ(MPI_Type_size(type, &size), MPI_SUCCESS);
  EXPECT_EQ(size, MPI_UNDEFINED);
  MPI_Count wide = 0;
  EXPECT_EQ(MPI_Type_size_x(type, &wide), MPI_SUCCESS);
  EXPECT_EQ(wide, 24'000'000'000);
  foldlane::testing::ErrorsReturn errors_return;
  EXPECT_EQ(MPI_Pack_size(1, type, MPI_COMM_WORLD, &pack_size), MPI_ERR_VALUE_TOO_LARGE);
  EXPECT_EQ(MPI_Pack_size_c(2, type, MPI_COMM_WORLD, &wide), MPI_SUCCESS);
  EXPECT_EQ(wide, 48'000'000'000);
}

TEST(DatatypeMap, Hvector) {
  OwnType type;
  ASSERT_EQ(MPI_Type_create_hvector(2, 2, 7, MPI_SHORT, type.out()), MPI_SUCCESS);
  EXPECT_EQ(extents_of(type), (Extents{8, 0, 12, 0, 11}));  // rounded up to the alignment of a short
  expect_map(type.committed(), bytes_at({0, 2, 7, 9}, 2));
}

TEST(DatatypeMap, Indexed) {
  OwnType type, wide;
  const int lengths[] = {2, 0, 1}, displacements[] = {3, 100, -1};
  ASSERT_EQ(MPI_Type_indexed(3, lengths, displacements, MPI_INT, type.out()), MPI_SUCCESS);
  EXPECT_EQ(extents_of(type), (Extents{12, -4, 24, -4, 24}));
  expect_map(type.committed(), bytes_at({12, 16, -4}, 4));
  const MPI_Count wide_lengths[] = {2, 0, 1}, wide_displacements[] = {3, 100, -1};
  ASSERT_EQ(MPI_Type_indexed_c(3, wide_lengths, wide_displacements, MPI_INT, wide.out()), MPI_SUCCESS);
  expect_map(wide.committed(), bytes_at({12, 16, -4}, 4));
}

TEST(DatatypeMap, Hindexed) {
  OwnType type, wide;
  const int lengths[] = {1, 2};
  const MPI_Count wide_lengths[] = {1, 2};
  const MPI_Aint displacements[] = {20, 2};
  ASSERT_EQ(MPI_Type_create_hindexed(2, lengths, displacements, MPI_SHORT, type.out()), MPI_SUCCESS);
  EXPECT_EQ(extents_of(type), (Extents{6, 2, 20, 2, 20}));
  expect_map(type.committed(), bytes_at({20, 2, 4}, 2));
  ASSERT_EQ(MPI_Type_create_hindexed_c(2, wide_lengths, displacements, MPI_SHORT, wide.out()), MPI_SUCCESS);
  expect_map(wide.committed(), bytes_at({20, 2, 4}, 2));
}

TEST(DatatypeMap, IndexedBlocks) {
  OwnType elements, wide, bytes;
  const int displacements[] = {4, 0};
  const MPI_Count wide_displacements[] = {4, 0};
  const MPI_Aint byte_displacements[] = {9, 0};
  ASSERT_EQ(MPI_Type_create_indexed_block(2, 2, displacements, MPI_SHORT, elements.out()), MPI_SUCCESS);
  expect_map(elements.committed(), bytes_at({8, 10, 0, 2}, 2));
  ASSERT_EQ(MPI_Type_create_indexed_block_c(2, 2, wide_displacements, MPI_SHORT, wide.out()), MPI_SUCCESS);
  expect_map(wide.committed(), bytes_at({8, 10, 0, 2}, 2));
  ASSERT_EQ(MPI_Type_create_hindexed_block(2, 1, byte_displacements, MPI_CHAR, bytes.out()), MPI_SUCCESS);
  EXPECT_EQ(extents_of(bytes), (Extents{2, 0, 10, 0, 10}));
  expect_map(bytes.committed(), {9, 0});
}

struct Record {
  char tag;
  double values[2];
  short last;
};

TEST(DatatypeMap, StructHasThePaddingOfTheCompiler) {
  OwnType type;
  const int lengths[] = {1, 2, 1};
  const MPI_Aint displacements[] = {0, 8, 24};
  const MPI_Datatype types[] = {MPI_CHAR, MPI_DOUBLE, MPI_SHORT};
  ASSERT_EQ(MPI_Type_create_struct(3, lengths, displacements, types, type.out()), MPI_SUCCESS);
  EXPECT_EQ(extents_of(type), (Extents{19, 0, sizeof(Record), 0, 26}));
  Offsets one = {0};
  for (MPI_Count i = 8; i < 26; ++i) one.push_back(i);
  expect_map(type.committed(), one);
}

TEST(DatatypeMap, ExplicitBoundsWin) {
  OwnType marked, type;
  ASSERT_EQ(MPI_Type_create_resized(MPI_INT, -3, 9, marked.out()), MPI_SUCCESS);
  EXPECT_EQ(extents_of(marked), (Extents{4, -3, 9, 0, 4}));
  expect_map(marked.committed(), bytes_at({0, 9}, 4), 2);
  const MPI_Count lengths[] = {1, 1};
  const MPI_Count displacements[] = {5, -100};
  const MPI_Datatype types[] = {marked, MPI_CHAR};
  ASSERT_EQ(MPI_Type_create_struct_c(2, lengths, displacements, types, type.out()), MPI_SUCCESS);
  EXPECT_EQ(extents_of(type), (Extents{5, 2, 9, -100, 109}));
}

TEST(DatatypeMap, ResizedBackwards) {
  OwnType type;
  ASSERT_EQ(MPI_Type_create_resized(MPI_SHORT, 0, -6, type.out()), MPI_SUCCESS);
  expect_map(type.committed(), bytes_at({0, -6, -12}, 2), 3);
}

TEST(DatatypeMap, SubarrayInBothOrders) {
  // 4 x 6 shorts, of which 2 x 3 from (1, 2) on.
  const int sizes[] = {4, 6}, subsizes[] = {2, 3}, starts[] = {1, 2};
  OwnType rows, columns;
  ASSERT_EQ(MPI_Type_create_subarray(2, sizes, subsizes, starts, MPI_ORDER_C, MPI_SHORT, rows.out()),
            MPI_SUCCESS);
  EXPECT_EQ(extents_of(rows), (Extents{12, 0, 48, 16, 18}));
  expect_map(rows.committed(), bytes_at({16, 18, 20, 28, 30, 32}, 2));
  ASSERT_EQ(MPI_Type_create_subarray(2, sizes, subsizes, starts, MPI_ORDER_FORTRAN, MPI_SHORT, columns.out()),
            MPI_SUCCESS);
  EXPECT_EQ(extents_of(columns), (Extents{12, 0, 48, 18, 20}));
  expect_map(columns.committed(), bytes_at({18, 20, 26, 28, 34, 36}, 2));
}

TEST(DatatypeMap, SubarrayWithLargeCounts) {
  const MPI_Count sizes[] = {3'000'000'000, 4}, subsizes[] = {1, 2}, starts[] = {2'999'999'999, 1};
  OwnType type;
  ASSERT_EQ(MPI_Type_create_subarray_c(2, sizes, subsizes, starts, MPI_ORDER_C, MPI_BYTE, type.out()),
            MPI_SUCCESS);
  EXPECT_EQ(extents_of(type), (Extents{2, 0, 12'000'000'000, 11'999'999'997, 2}));
}

TEST(DatatypeMap, DupOfDerived) {
  OwnType type, same;
  ASSERT_EQ(MPI_Type_vector(2, 1, 3, MPI_INT, type.out()), MPI_SUCCESS);
  ASSERT_EQ(MPI_Type_dup(type, same.out()), MPI_SUCCESS);
  EXPECT_EQ(extents_of(same), extents_of(type));
  expect_map(same.committed(), bytes_at({0, 12}, 4));
}

TEST(DatatypeMap, ParentsMayBeFreedFirst) {
  MPI_Datatype parent = MPI_DATATYPE_NULL;
  OwnType child;
  ASSERT_EQ(MPI_Type_vector(2, 1, 3, MPI_INT, &parent), MPI_SUCCESS);
  ASSERT_EQ(MPI_Type_contiguous(2, parent, child.out()), MPI_SUCCESS);
  ASSERT_EQ(MPI_Type_free(&parent), MPI_SUCCESS);
  EXPECT_EQ(parent, MPI_DATATYPE_NULL);
  expect_map(child.committed(), bytes_at({0, 12, 16, 28}, 4));
}

TEST(DatatypeMap, AVeryLongLineOfParents) {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  ASSERT_EQ(MPI_Type_contiguous(1, MPI_INT, &type), MPI_SUCCESS);
  for (int i = 0; i < 200'000; ++i) {
    MPI_Datatype next = MPI_DATATYPE_NULL;
    ASSERT_EQ(MPI_Type_contiguous(1, type, &next), MPI_SUCCESS);
    ASSERT_EQ(MPI_Type_free(&type), MPI_SUCCESS);
    type = next;
  }
  ASSERT_EQ(MPI_Type_commit(&type), MPI_SUCCESS);
  expect_map(type, bytes_at({0}, 4));
  MPI_Aint external = 0;
  EXPECT_EQ(MPI_Pack_external_size("external32", 1, type, &external), MPI_SUCCESS);
  EXPECT_EQ(external, 4);
  EXPECT_EQ(MPI_Type_free(&type), MPI_SUCCESS);
}

TEST(DatatypeMap, AbsoluteAddressesFromTheBottom) {
  const std::array<int, 3> values{7, 8, 9};
  MPI_Aint displacements[2];
  ASSERT_EQ(MPI_Get_address(&values[2], &displacements[0]), MPI_SUCCESS);
  ASSERT_EQ(MPI_Get_address(&values[0], &displacements[1]), MPI_SUCCESS);
  OwnType type;
  ASSERT_EQ(MPI_Type_create_hindexed_block(2, 1, displacements, MPI_INT, type.out()), MPI_SUCCESS);
  std::array<int, 2> packed{};
  int position = 0;
  ASSERT_EQ(
      MPI_Pack(MPI_BOTTOM, 1, type.committed(), packed.data(), sizeof packed, &position, MPI_COMM_WORLD),
      MPI_SUCCESS);
  EXPECT_EQ(packed, (std::array<int, 2>{9, 7}));
}

TEST(DatatypeMap, EmptyTypes) {
  OwnType nothing, marked, many;
  ASSERT_EQ(MPI_Type_create_struct(0, nullptr, nullptr, nullptr, nothing.out()), MPI_SUCCESS);
  EXPECT_EQ(extents_of(nothing), (Extents{0, 0, 0, 0, 0}));
  ASSERT_EQ(MPI_Type_create_resized(nothing, 4, 8, marked.out()), MPI_SUCCESS);
  ASSERT_EQ(MPI_Type_contiguous(3, marked, many.out()), MPI_SUCCESS);
  EXPECT_EQ(extents_of(many), (Extents{0, 4, 24, 0, 0}));
  int position = 0;
  EXPECT_EQ(MPI_Pack(nullptr, 5, many.committed(), nullptr, 0, &position, MPI_COMM_WORLD), MPI_SUCCESS);
  EXPECT_EQ(position, 0);
}

TEST(DatatypeMap, PackingContinuesAtThePosition) {
  const int numbers[] = {1, 2, 3};
  char packed[32];
  int position = 2;
  ASSERT_EQ(MPI_Pack(numbers, 2, MPI_INT, packed, sizeof packed, &position, MPI_COMM_WORLD), MPI_SUCCESS);
  EXPECT_EQ(position, 10);
  MPI_Count wide = position;
  ASSERT_EQ(MPI_Pack_c(numbers + 2, 1, MPI_INT, packed, sizeof packed, &wide, MPI_COMM_SELF), MPI_SUCCESS);
  EXPECT_EQ(wide, 14);
  int copies[3] = {};
  wide = 2;
  ASSERT_EQ(MPI_Unpack_c(packed, 14, &wide, copies, 3, MPI_INT, MPI_COMM_WORLD), MPI_SUCCESS);
  EXPECT_EQ(wide, 14);
  EXPECT_TRUE(copies[0] == 1 && copies[1] == 2 && copies[2] == 3);
  int size = 0;
  EXPECT_EQ(MPI_Pack_size(3, MPI_DOUBLE_INT, MPI_COMM_WORLD, &size), MPI_SUCCESS);
  EXPECT_EQ(size, 36);
}

}  // namespace
