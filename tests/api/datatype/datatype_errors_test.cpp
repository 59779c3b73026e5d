// Wrong arguments of the datatype calls: each gives its error class, and no datatype.
#include <cstdint>
#include <limits>
#include <string>

#include "support/datatype_probe.hpp"

namespace {

using foldlane::testing::error_string;
using foldlane::testing::OwnType;

constexpr MPI_Count kHuge = std::numeric_limits<MPI_Count>::max();

class DatatypeErrors : public ::testing::Test {
 protected:
  void TearDown() override { EXPECT_EQ(made_, MPI_DATATYPE_NULL) << "a rejected call made a datatype"; }
  static MPI_Datatype stale() { return reinterpret_cast<MPI_Datatype>(std::uintptr_t{0x12345}); }

  foldlane::testing::ErrorsReturn errors_return_;
  MPI_Datatype made_ = MPI_DATATYPE_NULL;
  const int ones_[2] = {1, 1};
  const MPI_Count wide_ones_[2] = {1, 1};
  const MPI_Aint bytes_[2] = {0, 8};
};

TEST_F(DatatypeErrors, Types) {
  for (MPI_Datatype bad : {MPI_DATATYPE_NULL, stale()}) {
    const MPI_Datatype types[] = {MPI_INT, bad};
    int n = 0;
    MPI_Count wide = 0;
    char name[MPI_MAX_OBJECT_NAME];
    MPI_Datatype handle = bad;
    EXPECT_EQ(MPI_Type_contiguous(1, bad, &made_), MPI_ERR_TYPE);
    EXPECT_EQ(MPI_Type_vector(1, 1, 1, bad, &made_), MPI_ERR_TYPE);
    EXPECT_EQ(MPI_Type_create_hvector(1, 1, 1, bad, &made_), MPI_ERR_TYPE);
    EXPECT_EQ(MPI_Type_indexed(2, ones_, ones_, bad, &made_), MPI_ERR_TYPE);
    EXPECT_EQ(MPI_Type_create_hindexed(2, ones_, bytes_, bad, &made_), MPI_ERR_TYPE);
    EXPECT_EQ(MPI_Type_create_indexed_block(2, 1, ones_, bad, &made_), MPI_ERR_TYPE);
    EXPECT_EQ(MPI_Type_create_hindexed_block(2, 1, bytes_, bad, &made_), MPI_ERR_TYPE);
    EXPECT_EQ(MPI_Type_create_struct(2, ones_, bytes_, types, &made_), MPI_ERR_TYPE);
    EXPECT_EQ(MPI_Type_create_resized(bad, 0, 4, &made_), MPI_ERR_TYPE);
    EXPECT_EQ(MPI_Type_dup(bad, &made_), MPI_ERR_TYPE);
    EXPECT_EQ(MPI_Type_commit(&handle), MPI_ERR_TYPE);
    EXPECT_EQ(MPI_Type_free(&handle), MPI_ERR_TYPE);
    EXPECT_EQ(MPI_Type_size(bad, &n), MPI_ERR_TYPE);
    EXPECT_EQ(MPI_Type_get_true_extent(bad, &wide, &wide), MPI_ERR_TYPE);
    EXPECT_EQ(MPI_Type_get_envelope(bad, &n, &n, &n, &n), MPI_ERR_TYPE);
    EXPECT_EQ(MPI_Type_set_name(bad, "x"), MPI_ERR_TYPE);
    EXPECT_EQ(MPI_Type_get_value_index(bad, MPI_INT, &made_), MPI_ERR_TYPE);
    EXPECT_EQ(MPI_Pack_size(1, bad, MPI_COMM_WORLD, &n), MPI_ERR_TYPE);
    if (bad != MPI_DATATYPE_NULL) {
      EXPECT_EQ(MPI_Type_get_name(bad, name, &n), MPI_ERR_TYPE);
    }
  }
}

TEST_F(DatatypeErrors, CountsAndLengths) {
  const int negative[] = {1, -1};
  const MPI_Datatype types[] = {MPI_INT, MPI_INT};
  EXPECT_EQ(MPI_Type_contiguous(-1, MPI_INT, &made_), MPI_ERR_COUNT);
  EXPECT_EQ(MPI_Type_vector(-1, 1, 1, MPI_INT, &made_), MPI_ERR_COUNT);
  EXPECT_EQ(MPI_Type_create_struct(-1, ones_, bytes_, types, &made_), MPI_ERR_COUNT);
  EXPECT_EQ(MPI_Type_vector(1, -1, 1, MPI_INT, &made_), MPI_ERR_ARG);
  EXPECT_EQ(MPI_Type_create_hvector(1, -1, 1, MPI_INT, &made_), MPI_ERR_ARG);
  EXPECT_EQ(MPI_Type_indexed(2, negative, ones_, MPI_INT, &made_), MPI_ERR_ARG);
  EXPECT_NE(error_string(MPI_ERR_ARG).find("MPI_Type_indexed: a blocklength is -1; it must not be negative"),
            std::string::npos);
  EXPECT_EQ(MPI_Type_create_hindexed(2, negative, bytes_, MPI_INT, &made_), MPI_ERR_ARG);
  EXPECT_EQ(MPI_Type_create_indexed_block(2, -1, ones_, MPI_INT, &made_), MPI_ERR_ARG);
  EXPECT_EQ(MPI_Type_create_struct(2, negative, bytes_, types, &made_), MPI_ERR_ARG);
}

TEST_F(DatatypeErrors, NullPointers) {
  const int* const none = nullptr;
  EXPECT_EQ(MPI_Type_contiguous(1, MPI_INT, nullptr), MPI_ERR_ARG);
  EXPECT_EQ(MPI_Type_indexed(2, none, ones_, MPI_INT, &made_), MPI_ERR_ARG);
  EXPECT_EQ(MPI_Type_indexed(2, ones_, none, MPI_INT, &made_), MPI_ERR_ARG);
  EXPECT_EQ(MPI_Type_create_struct(2, ones_, bytes_, nullptr, &made_), MPI_ERR_ARG);
  EXPECT_EQ(MPI_Type_create_subarray(1, none, ones_, ones_, MPI_ORDER_C, MPI_INT, &made_), MPI_ERR_ARG);
  EXPECT_EQ(MPI_Type_commit(nullptr), MPI_ERR_ARG);
  EXPECT_EQ(MPI_Type_free(nullptr), MPI_ERR_ARG);
  EXPECT_EQ(MPI_Type_set_name(MPI_INT, nullptr), MPI_ERR_ARG);
  EXPECT_EQ(MPI_Get_address(ones_, nullptr), MPI_ERR_ARG);
}

TEST_F(DatatypeErrors, Overflow) {
  const MPI_Count far[] = {-kHuge, kHuge - 8};
  EXPECT_EQ(MPI_Type_contiguous_c(kHuge, MPI_INT, &made_), MPI_ERR_ARG);
  EXPECT_NE(error_string(MPI_ERR_ARG).find("the datatype is too large"), std::string::npos);
  EXPECT_EQ(MPI_Type_vector_c(2, 1, kHuge, MPI_INT, &made_), MPI_ERR_ARG);
  EXPECT_EQ(MPI_Type_vector_c(kHuge, 1, 1, MPI_INT, &made_), MPI_ERR_ARG);
  EXPECT_EQ(MPI_Type_create_hvector_c(3, 1, kHuge - 1, MPI_INT, &made_), MPI_ERR_ARG);
  EXPECT_EQ(MPI_Type_create_hindexed_c(2, wide_ones_, far, MPI_INT, &made_), MPI_ERR_ARG);
  EXPECT_EQ(MPI_Type_indexed_c(2, wide_ones_, far, MPI_INT, &made_), MPI_ERR_ARG);
  EXPECT_EQ(MPI_Type_create_resized_c(MPI_INT, kHuge, 1, &made_), MPI_ERR_ARG);
  OwnType large, flat;
  ASSERT_EQ(MPI_Type_contiguous_c(kHuge / 8, MPI_DOUBLE, large.out()), MPI_SUCCESS);
  MPI_Count size = 0;
  EXPECT_EQ(MPI_Pack_size_c(2, large, MPI_COMM_WORLD, &size), MPI_ERR_COUNT);
  ASSERT_EQ(MPI_Type_create_resized(large, 0, 0, flat.out()), MPI_SUCCESS);
  EXPECT_EQ(MPI_Pack_size_c(2, flat, MPI_COMM_WORLD, &size), MPI_ERR_COUNT);
}

TEST_F(DatatypeErrors, Subarrays) {
  const auto create = [&](int ndims, int size, int part, int start, int order) {
    return MPI_Type_create_subarray(ndims, &size, &part, &start, order, MPI_INT, &made_);
  };
  EXPECT_EQ(create(0, 4, 2, 1, MPI_ORDER_C), MPI_ERR_ARG);
  EXPECT_EQ(create(1, 0, 0, 0, MPI_ORDER_C), MPI_ERR_ARG);
  EXPECT_EQ(create(1, 4, 0, 0, MPI_ORDER_C), MPI_ERR_ARG);
  EXPECT_EQ(create(1, 4, 5, 0, MPI_ORDER_C), MPI_ERR_ARG);
  EXPECT_EQ(create(1, 4, 2, -1, MPI_ORDER_C), MPI_ERR_ARG);
  EXPECT_EQ(create(1, 4, 2, 3, MPI_ORDER_C), MPI_ERR_ARG);
  EXPECT_NE(error_string(MPI_ERR_ARG).find("array_of_starts[0] is 3; it must be between 0 and 2"),
            std::string::npos);
  EXPECT_EQ(create(1, 4, 2, 1, 0), MPI_ERR_ARG);
  const MPI_Count sizes[] = {kHuge / 2, 3}, ones[] = {1, 1}, zeros[] = {0, 0};
  EXPECT_EQ(MPI_Type_create_subarray_c(2, sizes, ones, zeros, MPI_ORDER_C, MPI_BYTE, &made_), MPI_ERR_ARG);
}

TEST_F(DatatypeErrors, PredefinedTypesAreNotFreed) {
  MPI_Datatype type = MPI_INT;
  EXPECT_EQ(MPI_Type_free(&type), MPI_ERR_TYPE);
  EXPECT_EQ(type, MPI_INT);
  EXPECT_NE(error_string(MPI_ERR_TYPE).find("MPI_INT is predefined and cannot be freed"), std::string::npos);
  ASSERT_EQ(MPI_Type_create_f90_real(6, 30, &type), MPI_SUCCESS);
  EXPECT_EQ(MPI_Type_free(&type), MPI_ERR_TYPE);
}

TEST_F(DatatypeErrors, FreedHandles) {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  ASSERT_EQ(MPI_Type_contiguous(2, MPI_INT, &type), MPI_SUCCESS);
  MPI_Datatype freed = type;
  ASSERT_EQ(MPI_Type_free(&type), MPI_SUCCESS);
  int size = 0;
  EXPECT_EQ(MPI_Type_size(freed, &size), MPI_ERR_TYPE);
  EXPECT_NE(error_string(MPI_ERR_TYPE).find("it may have been freed"), std::string::npos);
  EXPECT_EQ(MPI_Type_commit(&freed), MPI_ERR_TYPE);
  EXPECT_EQ(MPI_Type_free(&freed), MPI_ERR_TYPE);
}

TEST_F(DatatypeErrors, Uncommitted) {
  OwnType type;
  ASSERT_EQ(MPI_Type_contiguous(2, MPI_INT, type.out()), MPI_SUCCESS);
  int values[2] = {1, 2}, packed[2], position = 0;
  MPI_Aint wide_position = 0;
  EXPECT_EQ(MPI_Bcast(values, 1, type, 0, MPI_COMM_WORLD), MPI_ERR_TYPE);
  EXPECT_EQ(MPI_Pack(values, 1, type, packed, 8, &position, MPI_COMM_WORLD), MPI_ERR_TYPE);
  EXPECT_EQ(MPI_Unpack(packed, 8, &position, values, 1, type, MPI_COMM_WORLD), MPI_ERR_TYPE);
  EXPECT_EQ(MPI_Pack_external("external32", values, 1, type, packed, 8, &wide_position), MPI_ERR_TYPE);
  ASSERT_EQ(MPI_Type_set_name(type, "couple"), MPI_SUCCESS);
  EXPECT_EQ(MPI_Bcast(values, 1, type, 0, MPI_COMM_WORLD), MPI_ERR_TYPE);
  EXPECT_NE(error_string(MPI_ERR_TYPE).find("couple is not committed; call MPI_Type_commit first"),
            std::string::npos);
  type.committed();
  EXPECT_EQ(MPI_Bcast(values, 1, type, 0, MPI_COMM_WORLD), MPI_SUCCESS);
}

TEST_F(DatatypeErrors, Packing) {
  const int values[2] = {1, 2};
  char packed[8];
  int position = 0;
  const auto pack = [&](int count, int size, int at) {
    position = at;
    return MPI_Pack(values, count, MPI_INT, packed, size, &position, MPI_COMM_WORLD);
  };
  EXPECT_EQ(pack(2, 7, 0), MPI_ERR_TRUNCATE);
  EXPECT_NE(error_string(MPI_ERR_TRUNCATE).find("take 8 packed bytes, but only 7 are left at position 0"),
            std::string::npos);
  EXPECT_EQ(pack(1, 8, 5), MPI_ERR_TRUNCATE);
  EXPECT_EQ(position, 5);
  EXPECT_EQ(pack(1, 8, -1), MPI_ERR_ARG);
  EXPECT_EQ(pack(1, 8, 9), MPI_ERR_ARG);
  EXPECT_EQ(pack(1, -1, 0), MPI_ERR_ARG);
  EXPECT_EQ(pack(-1, 8, 0), MPI_ERR_COUNT);
  EXPECT_EQ(pack(2, 8, 0), MPI_SUCCESS);
  EXPECT_EQ(MPI_Pack(nullptr, 1, MPI_INT, packed, 8, &(position = 0), MPI_COMM_WORLD), MPI_ERR_BUFFER);
  EXPECT_EQ(MPI_Pack(values, 1, MPI_INT, nullptr, 8, &position, MPI_COMM_WORLD), MPI_ERR_BUFFER);
  EXPECT_EQ(MPI_Pack(values, 1, MPI_INT, packed, 8, nullptr, MPI_COMM_WORLD), MPI_ERR_ARG);
  EXPECT_EQ(MPI_Pack(values, 1, MPI_INT, packed, 8, &position, MPI_COMM_NULL), MPI_ERR_COMM);
  EXPECT_EQ(MPI_Unpack(packed, 8, &position, nullptr, 1, MPI_INT, MPI_COMM_WORLD), MPI_ERR_BUFFER);
  EXPECT_EQ(MPI_Unpack(packed, 8, &position, packed, 1, MPI_INT, MPI_COMM_NULL), MPI_ERR_COMM);
  EXPECT_EQ(MPI_Unpack(packed, 3, &position, packed, 1, MPI_INT, MPI_COMM_WORLD), MPI_ERR_TRUNCATE);
}

}  // namespace
