// Sizes and extents of all predefined datatypes, written down from the standard, not from the library's
// table.
#include <complex>
#include <cstdint>
#include <map>

#include "support/mpi_world.hpp"

namespace {

struct Expected {
  MPI_Datatype datatype;
  int size;
  int extent;
};

template <class Value>
struct WithIndex {
  Value value;
  int index;
};

template <class T>
Expected plain(MPI_Datatype datatype) {
  return {datatype, sizeof(T), sizeof(T)};
}

template <class Value>
Expected pair(MPI_Datatype datatype) {
  return {datatype, sizeof(Value) + sizeof(int), sizeof(WithIndex<Value>)};
}

Expected bytes(MPI_Datatype datatype, int size) { return {datatype, size, size}; }

const Expected kExpected[] = {
    plain<MPI_Aint>(MPI_AINT),
    plain<MPI_Count>(MPI_COUNT),
    plain<MPI_Offset>(MPI_OFFSET),
    bytes(MPI_PACKED, 1),
    plain<short>(MPI_SHORT),
    plain<int>(MPI_INT),
    plain<long>(MPI_LONG),
    plain<long long>(MPI_LONG_LONG),
    plain<long long>(MPI_LONG_LONG_INT),
    plain<unsigned short>(MPI_UNSIGNED_SHORT),
    plain<unsigned>(MPI_UNSIGNED),
    plain<unsigned long>(MPI_UNSIGNED_LONG),
    plain<unsigned long long>(MPI_UNSIGNED_LONG_LONG),
    plain<float>(MPI_FLOAT),
    plain<std::complex<float>>(MPI_C_FLOAT_COMPLEX),
    plain<std::complex<float>>(MPI_C_COMPLEX),
    plain<std::complex<float>>(MPI_CXX_FLOAT_COMPLEX),
    plain<double>(MPI_DOUBLE),
    plain<std::complex<double>>(MPI_C_DOUBLE_COMPLEX),
    plain<std::complex<double>>(MPI_CXX_DOUBLE_COMPLEX),
    bytes(MPI_LOGICAL, 4),
    bytes(MPI_INTEGER, 4),
    bytes(MPI_REAL, 4),
    bytes(MPI_COMPLEX, 8),
    bytes(MPI_DOUBLE_PRECISION, 8),
    bytes(MPI_DOUBLE_COMPLEX, 16),
    bytes(MPI_CHARACTER, 1),
    plain<long double>(MPI_LONG_DOUBLE),
    plain<std::complex<long double>>(MPI_C_LONG_DOUBLE_COMPLEX),
    plain<std::complex<long double>>(MPI_CXX_LONG_DOUBLE_COMPLEX),
    pair<float>(MPI_FLOAT_INT),
    pair<double>(MPI_DOUBLE_INT),
    pair<long>(MPI_LONG_INT),
    pair<int>(MPI_2INT),
    pair<short>(MPI_SHORT_INT),
    pair<long double>(MPI_LONG_DOUBLE_INT),
    bytes(MPI_2REAL, 8),
    bytes(MPI_2DOUBLE_PRECISION, 16),
    bytes(MPI_2INTEGER, 8),
    plain<bool>(MPI_C_BOOL),
    plain<bool>(MPI_CXX_BOOL),
    plain<wchar_t>(MPI_WCHAR),
    bytes(MPI_INT8_T, 1),
    bytes(MPI_UINT8_T, 1),
    bytes(MPI_CHAR, 1),
    bytes(MPI_SIGNED_CHAR, 1),
    bytes(MPI_UNSIGNED_CHAR, 1),
    bytes(MPI_BYTE, 1),
    bytes(MPI_INT16_T, 2),
    bytes(MPI_UINT16_T, 2),
    bytes(MPI_INT32_T, 4),
    bytes(MPI_UINT32_T, 4),
    bytes(MPI_INT64_T, 8),
    bytes(MPI_UINT64_T, 8),
    bytes(MPI_LOGICAL1, 1),
    bytes(MPI_INTEGER1, 1),
    bytes(MPI_LOGICAL2, 2),
    bytes(MPI_INTEGER2, 2),
    bytes(MPI_REAL2, 2),
    bytes(MPI_LOGICAL4, 4),
    bytes(MPI_INTEGER4, 4),
    bytes(MPI_REAL4, 4),
    bytes(MPI_COMPLEX4, 4),
    bytes(MPI_LOGICAL8, 8),
    bytes(MPI_INTEGER8, 8),
    bytes(MPI_REAL8, 8),
    bytes(MPI_COMPLEX8, 8),
    bytes(MPI_LOGICAL16, 16),
    bytes(MPI_INTEGER16, 16),
    bytes(MPI_REAL16, 16),
    bytes(MPI_COMPLEX16, 16),
    bytes(MPI_COMPLEX32, 32),
};

MPI_Datatype datatype_at(std::uintptr_t value) { return reinterpret_cast<MPI_Datatype>(value); }

TEST(Types, SizeAndExtent) {
  for (const Expected& expected : kExpected) {
    SCOPED_TRACE(expected.datatype);
    int size = -1;
    MPI_Count wide_size = -1, lower = -1, extent = -1;
    MPI_Aint narrow_lower = -1, narrow_extent = -1;
    ASSERT_EQ(MPI_Type_size(expected.datatype, &size), MPI_SUCCESS);
    ASSERT_EQ(MPI_Type_size_c(expected.datatype, &wide_size), MPI_SUCCESS);
    ASSERT_EQ(MPI_Type_get_extent(expected.datatype, &narrow_lower, &narrow_extent), MPI_SUCCESS);
    ASSERT_EQ(MPI_Type_get_extent_c(expected.datatype, &lower, &extent), MPI_SUCCESS);
    EXPECT_EQ(size, expected.size);
    EXPECT_EQ(wide_size, expected.size);
    EXPECT_EQ(narrow_lower, 0);
    EXPECT_EQ(lower, 0);
    EXPECT_EQ(narrow_extent, expected.extent);
    EXPECT_EQ(extent, expected.extent);
  }
}

// The ABI puts the size of a type of fixed width into its handle.
TEST(Types, HandleOfFixedWidthEncodesTheSize) {
  for (std::uintptr_t value = 0x240; value < 0x300; ++value) {
    foldlane::testing::ErrorsReturn errors_return;
    int size = -1;
    if (MPI_Type_size(datatype_at(value), &size) != MPI_SUCCESS) continue;
    EXPECT_EQ(size, 1 << ((value >> 3) & 7)) << "handle " << value;
  }
}

TEST(Types, EveryOtherHandleIsRejected) {
  foldlane::testing::ErrorsReturn errors_return;
  std::map<MPI_Datatype, int> known;
  for (const Expected& expected : kExpected) ++known[expected.datatype];
  for (std::uintptr_t value = 0; value < 0x2000; ++value) {
    int size = -1;
    const int result = MPI_Type_size(datatype_at(value), &size);
    ASSERT_EQ(result, known.count(datatype_at(value)) != 0 ? MPI_SUCCESS : MPI_ERR_TYPE)
        << "handle " << value;
  }
}

}  // namespace
