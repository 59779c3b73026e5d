// Which operation is defined on which datatype: all pairs, against the classes of MPI-5.0, 6.9.2, written
// down here independently of the library. Logical operations on the multi-language types are not in the
// standard, but both Open MPI and MPICH have them.
#include <algorithm>
#include <array>
#include <cstdint>
#include <set>

#include "support/mpi_world.hpp"

namespace {

using Set = std::set<MPI_Datatype>;

const Set kCInteger = {MPI_INT,         MPI_LONG,          MPI_SHORT,         MPI_UNSIGNED_SHORT,
                       MPI_UNSIGNED,    MPI_UNSIGNED_LONG, MPI_LONG_LONG_INT, MPI_UNSIGNED_LONG_LONG,
                       MPI_SIGNED_CHAR, MPI_UNSIGNED_CHAR, MPI_INT8_T,        MPI_INT16_T,
                       MPI_INT32_T,     MPI_INT64_T,       MPI_UINT8_T,       MPI_UINT16_T,
                       MPI_UINT32_T,    MPI_UINT64_T};
const Set kFortranInteger = {MPI_INTEGER,  MPI_INTEGER1, MPI_INTEGER2,
                             MPI_INTEGER4, MPI_INTEGER8, MPI_INTEGER16};
const Set kFloating = {MPI_FLOAT, MPI_DOUBLE, MPI_REAL,  MPI_DOUBLE_PRECISION, MPI_LONG_DOUBLE, MPI_REAL2,
                       MPI_REAL4, MPI_REAL8,  MPI_REAL16};
const Set kLogical = {MPI_LOGICAL,  MPI_C_BOOL,   MPI_CXX_BOOL, MPI_LOGICAL1,
                      MPI_LOGICAL2, MPI_LOGICAL4, MPI_LOGICAL8, MPI_LOGICAL16};
const Set kComplex = {
    MPI_COMPLEX,           MPI_C_COMPLEX,          MPI_C_DOUBLE_COMPLEX, MPI_C_LONG_DOUBLE_COMPLEX,
    MPI_CXX_FLOAT_COMPLEX, MPI_CXX_DOUBLE_COMPLEX, MPI_DOUBLE_COMPLEX,   MPI_CXX_LONG_DOUBLE_COMPLEX,
    MPI_COMPLEX4,          MPI_COMPLEX8,           MPI_COMPLEX16,        MPI_COMPLEX32};
const Set kByte = {MPI_BYTE};
const Set kMultiLanguage = {MPI_AINT, MPI_OFFSET, MPI_COUNT};
const Set kPairs = {MPI_FLOAT_INT,       MPI_DOUBLE_INT, MPI_LONG_INT,          MPI_2INT,    MPI_SHORT_INT,
                    MPI_LONG_DOUBLE_INT, MPI_2REAL,      MPI_2DOUBLE_PRECISION, MPI_2INTEGER};
const Set kNone = {MPI_CHAR, MPI_WCHAR, MPI_CHARACTER, MPI_PACKED};

struct Rule {
  MPI_Op op;
  std::set<const Set*> classes;
};

const Rule kRules[] = {
    {MPI_MAX, {&kCInteger, &kFortranInteger, &kFloating, &kMultiLanguage}},
    {MPI_MIN, {&kCInteger, &kFortranInteger, &kFloating, &kMultiLanguage}},
    {MPI_SUM, {&kCInteger, &kFortranInteger, &kFloating, &kComplex, &kMultiLanguage}},
    {MPI_PROD, {&kCInteger, &kFortranInteger, &kFloating, &kComplex, &kMultiLanguage}},
    {MPI_LAND, {&kCInteger, &kLogical, &kMultiLanguage}},
    {MPI_LOR, {&kCInteger, &kLogical, &kMultiLanguage}},
    {MPI_LXOR, {&kCInteger, &kLogical, &kMultiLanguage}},
    {MPI_BAND, {&kCInteger, &kFortranInteger, &kByte, &kMultiLanguage}},
    {MPI_BOR, {&kCInteger, &kFortranInteger, &kByte, &kMultiLanguage}},
    {MPI_BXOR, {&kCInteger, &kFortranInteger, &kByte, &kMultiLanguage}},
    {MPI_MINLOC, {&kPairs}},
    {MPI_MAXLOC, {&kPairs}},
    {MPI_REPLACE, {}},
    {MPI_NO_OP, {}},
};

const std::set<const Set*> kClasses = {&kCInteger, &kFortranInteger, &kFloating, &kLogical, &kComplex,
                                       &kByte,     &kMultiLanguage,  &kPairs,    &kNone};

int reduce_local(MPI_Op op, MPI_Datatype datatype) {
  alignas(64) std::array<unsigned char, 64> in{}, inout{};
  return MPI_Reduce_local(in.data(), inout.data(), 1, datatype, op);
}

int allreduce(MPI_Op op, MPI_Datatype datatype) {
  alignas(64) std::array<unsigned char, 64> in{}, out{};
  return MPI_Allreduce(in.data(), out.data(), 1, datatype, op, MPI_COMM_WORLD);
}

TEST(OpTable, ClassesCoverAllDatatypes) {
  foldlane::testing::ErrorsReturn errors_return;
  for (std::uintptr_t value = 0x200; value < 0x300; ++value) {
    const auto datatype = reinterpret_cast<MPI_Datatype>(value);
    int size = 0;
    const bool exists = MPI_Type_size(datatype, &size) == MPI_SUCCESS;
    const auto classes = std::count_if(kClasses.begin(), kClasses.end(),
                                       [&](const Set* members) { return members->count(datatype) != 0; });
    EXPECT_EQ(classes, exists ? 1 : 0) << "handle " << value;
  }
}

TEST(OpTable, EveryPair) {
  foldlane::testing::ErrorsReturn errors_return;
  for (const Rule& rule : kRules) {
    for (const Set* members : kClasses) {
      const int expected = rule.classes.count(members) != 0 ? MPI_SUCCESS : MPI_ERR_OP;
      for (MPI_Datatype datatype : *members) {
        EXPECT_EQ(reduce_local(rule.op, datatype), expected) << rule.op << " on " << datatype;
        EXPECT_EQ(allreduce(rule.op, datatype), expected) << rule.op << " on " << datatype;
      }
    }
  }
}

TEST(OpTable, EveryOtherHandleIsRejected) {
  foldlane::testing::ErrorsReturn errors_return;
  std::set<MPI_Op> known;  // on MPI_INT
  for (const Rule& rule : kRules) {
    if (rule.classes.count(&kCInteger) != 0) known.insert(rule.op);
  }
  for (std::uintptr_t value = 0; value < 0x20000; ++value) {
    const auto op = reinterpret_cast<MPI_Op>(value);
    ASSERT_EQ(reduce_local(op, MPI_INT) == MPI_ERR_OP, known.count(op) == 0) << "handle " << value;
  }
}

TEST(OpTable, PredefinedReductionsCommute) {
  for (const Rule& rule : kRules) {
    int commute = -1;
    ASSERT_EQ(MPI_Op_commutative(rule.op, &commute), MPI_SUCCESS);
    EXPECT_EQ(commute, rule.classes.empty() ? 0 : 1);
  }
}

TEST(OpTable, MessageNamesTheOperationAndTheDatatype) {
  foldlane::testing::ErrorsReturn errors_return;
  EXPECT_EQ(allreduce(MPI_BAND, MPI_DOUBLE), MPI_ERR_OP);
  EXPECT_NE(foldlane::testing::error_string(MPI_ERR_OP)
                .find("MPI_Allreduce on MPI_COMM_WORLD: MPI_BAND is not defined on MPI_DOUBLE"),
            std::string::npos);
}

}  // namespace
