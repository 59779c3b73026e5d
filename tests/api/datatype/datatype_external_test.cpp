// "external32": known bytes of known values, and the way back.
#include <climits>
#include <cmath>
#include <complex>
#include <cstdint>

#include "support/datatype_probe.hpp"

namespace {

using foldlane::testing::ErrorsReturn;
using foldlane::testing::OwnType;

using Bytes = std::vector<unsigned char>;

template <class T>
Bytes external(MPI_Datatype type, const T* values, int count) {
  MPI_Aint size = -1, position = 0;
  EXPECT_EQ(MPI_Pack_external_size("external32", count, type, &size), MPI_SUCCESS);
  Bytes bytes(static_cast<std::size_t>(size));
  EXPECT_EQ(MPI_Pack_external("external32", values, count, type, bytes.data(), size, &position), MPI_SUCCESS);
  EXPECT_EQ(position, size);
  return bytes;
}

template <class T>
void check(MPI_Datatype type, T value, const Bytes& expected) {
  EXPECT_EQ(external(type, &value, 1), expected);
  T back{};
  MPI_Count position = 0;
  EXPECT_EQ(MPI_Unpack_external_c("external32", expected.data(), static_cast<MPI_Count>(expected.size()),
                                  &position, &back, 1, type),
            MPI_SUCCESS);
  EXPECT_EQ(back, value);
  EXPECT_EQ(position, static_cast<MPI_Count>(expected.size()));
}

TEST(External32, Integers) {
  check<std::int8_t>(MPI_INT8_T, -2, {0xfe});
  check<short>(MPI_SHORT, 0x1234, {0x12, 0x34});
  check<int>(MPI_INT, -2, {0xff, 0xff, 0xff, 0xfe});
  check<std::int64_t>(MPI_INT64_T, 0x0102030405060708, {1, 2, 3, 4, 5, 6, 7, 8});
  check<MPI_Aint>(MPI_AINT, 258, {0, 0, 0, 0, 0, 0, 1, 2});
  check<char>(MPI_CHAR, 'A', {'A'});
}

TEST(External32, SizesThatDifferFromThisMachine) {
  check<long>(MPI_LONG, -2, {0xff, 0xff, 0xff, 0xfe});
  check<unsigned long>(MPI_UNSIGNED_LONG, 0xfedcba98UL, {0xfe, 0xdc, 0xba, 0x98});
  check<wchar_t>(MPI_WCHAR, 0x20ac, {0x20, 0xac});
  check<bool>(MPI_C_BOOL, true, {0, 0, 0, 1});
}

TEST(External32, Reals) {
  check<float>(MPI_FLOAT, 1.0F, {0x3f, 0x80, 0, 0});
  check<double>(MPI_DOUBLE, -2.5, {0xc0, 0x04, 0, 0, 0, 0, 0, 0});
  check<std::complex<float>>(MPI_C_FLOAT_COMPLEX, {1.0F, -1.0F}, {0x3f, 0x80, 0, 0, 0xbf, 0x80, 0, 0});
  check<long double>(MPI_LONG_DOUBLE, 1.5L, {0x3f, 0xff, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0});
  check<long double>(MPI_LONG_DOUBLE, -0.5L, {0xbf, 0xfe, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0});
  check<long double>(MPI_LONG_DOUBLE, INFINITY, {0x7f, 0xff, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0});
}

TEST(External32, Pairs) {
  struct {
    double value;
    int index;
  } pair{-2.5, 7};
  EXPECT_EQ(external(MPI_DOUBLE_INT, &pair, 1), (Bytes{0xc0, 0x04, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7}));
  struct {
    long value;
    int index;
  } long_pair{-1, 3};
  EXPECT_EQ(external(MPI_LONG_INT, &long_pair, 1), (Bytes{0xff, 0xff, 0xff, 0xff, 0, 0, 0, 3}));
}

TEST(External32, DerivedTypes) {
  struct Record {
    char tag;
    long number;
    short halves[2];
  };
  OwnType record, both;
  const int lengths[] = {1, 1, 2};
  const MPI_Aint displacements[] = {0, 8, 16};
  const MPI_Datatype types[] = {MPI_CHAR, MPI_LONG, MPI_SHORT};
  ASSERT_EQ(MPI_Type_create_struct(3, lengths, displacements, types, record.out()), MPI_SUCCESS);
  ASSERT_EQ(MPI_Type_vector(2, 1, 2, record, both.out()), MPI_SUCCESS);
  const Record records[3] = {{'a', 1, {2, 3}}, {'x', 9, {9, 9}}, {'b', -1, {4, 5}}};
  const Bytes expected = {'a', 0, 0, 0, 1, 0, 2, 0, 3, 'b', 0xff, 0xff, 0xff, 0xff, 0, 4, 0, 5};
  EXPECT_EQ(external(both.committed(), records, 1), expected);
  Record back[3] = {};
  MPI_Aint position = 0;
  ASSERT_EQ(MPI_Unpack_external("external32", expected.data(), static_cast<MPI_Aint>(expected.size()),
                                &position, back, 1, both),
            MPI_SUCCESS);
  EXPECT_TRUE(back[0].tag == 'a' && back[0].number == 1 && back[0].halves[1] == 3);
  EXPECT_TRUE(back[1].tag == 0 && back[1].number == 0);
  EXPECT_TRUE(back[2].tag == 'b' && back[2].number == -1 && back[2].halves[0] == 4);
}

TEST(External32, ManyElements) {
  std::vector<int> values(100'000), back(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<int>(i * 7919);
  const Bytes bytes = external(MPI_INT, values.data(), static_cast<int>(values.size()));
  ASSERT_EQ(bytes.size(), values.size() * 4);
  EXPECT_EQ(bytes[4 * 65'537 + 3], static_cast<unsigned char>(values[65'537]));
  MPI_Aint position = 0;
  ASSERT_EQ(MPI_Unpack_external("external32", bytes.data(), static_cast<MPI_Aint>(bytes.size()), &position,
                                back.data(), static_cast<int>(back.size()), MPI_INT),
            MPI_SUCCESS);
  EXPECT_EQ(back, values);
}

TEST(External32, Errors) {
  ErrorsReturn errors_return;
  long number = LONG_MAX;
  Bytes bytes(8);
  MPI_Aint position = 0;
  EXPECT_EQ(MPI_Pack_external("external32", &number, 1, MPI_LONG, bytes.data(), 8, &position),
            MPI_ERR_CONVERSION);
  EXPECT_EQ(position, 0);
  EXPECT_EQ(MPI_Pack_external("native", &number, 1, MPI_LONG, bytes.data(), 8, &position),
            MPI_ERR_UNSUPPORTED_DATAREP);
  EXPECT_EQ(MPI_Pack_external(nullptr, &number, 1, MPI_LONG, bytes.data(), 8, &position), MPI_ERR_ARG);
  EXPECT_EQ(MPI_Pack_external("external32", &number, 3, MPI_LONG, bytes.data(), 8, &position),
            MPI_ERR_TRUNCATE);
  position = 5;
  EXPECT_EQ(MPI_Unpack_external("external32", bytes.data(), 8, &position, &number, 1, MPI_LONG),
            MPI_ERR_TRUNCATE);
  position = 9;
  EXPECT_EQ(MPI_Unpack_external("external32", bytes.data(), 8, &position, &number, 1, MPI_LONG), MPI_ERR_ARG);
  MPI_Count size = 0;
  EXPECT_EQ(MPI_Pack_external_size_c("external32", LONG_MAX / 2, MPI_C_BOOL, &size), MPI_ERR_COUNT);
}

}  // namespace
