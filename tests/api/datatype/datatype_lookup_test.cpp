// Names, duplicates of predefined datatypes, and predefined datatypes found by their properties.
#include <string>
#include <thread>

#include "support/datatype_probe.hpp"

namespace {

using foldlane::testing::ErrorsReturn;
using foldlane::testing::OwnType;

std::string name_of(MPI_Datatype type) {
  char name[MPI_MAX_OBJECT_NAME];
  int length = -1;
  EXPECT_EQ(MPI_Type_get_name(type, name, &length), MPI_SUCCESS);
  EXPECT_EQ(std::string(name).size(), static_cast<std::size_t>(length));
  return name;
}

TEST(DatatypeNames, Predefined) {
  EXPECT_EQ(name_of(MPI_INT), "MPI_INT");
  EXPECT_EQ(name_of(MPI_DATATYPE_NULL), "MPI_DATATYPE_NULL");
  ASSERT_EQ(MPI_Type_set_name(MPI_WCHAR, "wide letter"), MPI_SUCCESS);
  EXPECT_EQ(name_of(MPI_WCHAR), "wide letter");
  ASSERT_EQ(MPI_Type_set_name(MPI_WCHAR, ""), MPI_SUCCESS);
  int size = 0;
  EXPECT_EQ(MPI_Type_size(MPI_WCHAR, &size), MPI_SUCCESS);  // a datatype without a name still exists
  ASSERT_EQ(MPI_Type_set_name(MPI_WCHAR, "MPI_WCHAR"), MPI_SUCCESS);
}

TEST(DatatypeNames, OfSynonymsAreTheMainOnesOfTheStandard) {
  ErrorsReturn errors_return;
  EXPECT_EQ(name_of(MPI_LONG_LONG), "MPI_LONG_LONG_INT");
  EXPECT_EQ(name_of(MPI_C_FLOAT_COMPLEX), "MPI_C_COMPLEX");
  const float in[2] = {1, 2};
  float inout[2] = {3, 4};
  EXPECT_EQ(MPI_Reduce_local(in, inout, 1, MPI_C_FLOAT_COMPLEX, MPI_MAX), MPI_ERR_OP);
  EXPECT_NE(foldlane::testing::error_string(MPI_ERR_OP).find("MPI_MAX is not defined on MPI_C_COMPLEX"),
            std::string::npos);
}

TEST(DatatypeNames, Derived) {
  OwnType type, same;
  ASSERT_EQ(MPI_Type_contiguous(2, MPI_INT, type.out()), MPI_SUCCESS);
  EXPECT_EQ(name_of(type), "");
  ASSERT_EQ(MPI_Type_set_name(type, "couple"), MPI_SUCCESS);
  EXPECT_EQ(name_of(type), "couple");
  ASSERT_EQ(MPI_Type_dup(type, same.out()), MPI_SUCCESS);
  EXPECT_EQ(name_of(same), "");
  ASSERT_EQ(MPI_Type_set_name(type, std::string(300, 'n').c_str()), MPI_SUCCESS);
  EXPECT_EQ(name_of(type), std::string(MPI_MAX_OBJECT_NAME - 1, 'n'));
}

TEST(DatatypeDup, OfPredefinedReducesLikeIt) {
  ErrorsReturn errors_return;
  OwnType type, pair, derived;
  ASSERT_EQ(MPI_Type_dup(MPI_DOUBLE, type.out()), MPI_SUCCESS);
  ASSERT_EQ(MPI_Type_dup(MPI_DOUBLE_INT, pair.out()), MPI_SUCCESS);
  const double in[2] = {1.5, 2.5};
  double inout[2] = {10, 20};
  EXPECT_EQ(MPI_Reduce_local(in, inout, 2, type, MPI_SUM), MPI_SUCCESS);
  EXPECT_EQ(inout[1], 22.5);
  EXPECT_EQ(MPI_Reduce_local(in, inout, 2, type, MPI_BAND), MPI_ERR_OP);
  struct {
    double value;
    int index;
  } one{3, 1}, other{4, 2};
  EXPECT_EQ(MPI_Reduce_local(&one, &other, 1, pair, MPI_MINLOC), MPI_SUCCESS);
  EXPECT_EQ(other.index, 1);
  EXPECT_EQ(MPI_Bcast(&other, 1, pair, 0, MPI_COMM_WORLD), MPI_SUCCESS);
  ASSERT_EQ(MPI_Type_contiguous(1, MPI_DOUBLE, derived.out()), MPI_SUCCESS);
  EXPECT_EQ(MPI_Reduce_local(in, inout, 2, derived.committed(), MPI_SUM), MPI_ERR_OP);
}

TEST(DatatypeDup, OfUncommittedIsUncommitted) {
  ErrorsReturn errors_return;
  OwnType type, same;
  int value = 0;
  ASSERT_EQ(MPI_Type_contiguous(1, MPI_INT, type.out()), MPI_SUCCESS);
  ASSERT_EQ(MPI_Type_dup(type, same.out()), MPI_SUCCESS);
  type.committed();
  EXPECT_EQ(MPI_Bcast(&value, 1, same, 0, MPI_COMM_WORLD), MPI_ERR_TYPE);
}

int copies = 0, deletions = 0;
bool refuse = false;

int copy_attribute(MPI_Datatype, int, void*, void* value, void* copy, int* flag) {
  *static_cast<void**>(copy) = value;
  *flag = 1;
  ++copies;
  return refuse ? MPI_ERR_OTHER : MPI_SUCCESS;
}

int delete_attribute(MPI_Datatype, int, void*, void*) {
  if (refuse) return MPI_ERR_OTHER;
  ++deletions;
  return MPI_SUCCESS;
}

TEST(DatatypeAttributes, AreCopiedByDupAndDeletedByFree) {
  ErrorsReturn errors_return;
  int key = MPI_KEYVAL_INVALID, flag = 0, value = 5;
  int* found = nullptr;
  ASSERT_EQ(MPI_Type_create_keyval(copy_attribute, delete_attribute, &key, nullptr), MPI_SUCCESS);
  MPI_Datatype type = MPI_DATATYPE_NULL, same = MPI_DATATYPE_NULL, refused = MPI_DATATYPE_NULL;
  ASSERT_EQ(MPI_Type_contiguous(2, MPI_INT, &type), MPI_SUCCESS);
  ASSERT_EQ(MPI_Type_set_attr(type, key, &value), MPI_SUCCESS);
  ASSERT_EQ(MPI_Type_dup(type, &same), MPI_SUCCESS);
  ASSERT_EQ(MPI_Type_get_attr(same, key, &found, &flag), MPI_SUCCESS);
  EXPECT_TRUE(flag == 1 && found == &value && copies == 1);
  refuse = true;
  EXPECT_EQ(MPI_Type_dup(type, &refused), MPI_ERR_OTHER);
  EXPECT_EQ(refused, MPI_DATATYPE_NULL);
  EXPECT_EQ(MPI_Type_free(&type), MPI_ERR_OTHER);
  EXPECT_NE(type, MPI_DATATYPE_NULL);
  refuse = false;
  EXPECT_EQ(MPI_Type_free(&type), MPI_SUCCESS);
  EXPECT_EQ(MPI_Type_free(&same), MPI_SUCCESS);
  EXPECT_EQ(deletions, 2);
  EXPECT_EQ(MPI_Type_free_keyval(&key), MPI_SUCCESS);
}

TEST(DatatypeCommit, TwiceAndPredefinedAreNoOps) {
  OwnType type;
  ASSERT_EQ(MPI_Type_contiguous(1, MPI_INT, type.out()), MPI_SUCCESS);
  type.committed();
  type.committed();
  MPI_Datatype predefined = MPI_INT;
  EXPECT_EQ(MPI_Type_commit(&predefined), MPI_SUCCESS);
}

TEST(DatatypeThreads, MakeNameDecodeAndFreeAtOnce) {
  OwnType shared;
  ASSERT_EQ(MPI_Type_vector(2, 1, 2, MPI_INT, shared.out()), MPI_SUCCESS);
  shared.committed();
  const auto work = [&](int self) {
    for (int i = 1; i <= 2000; ++i) {
      MPI_Datatype type = MPI_DATATYPE_NULL, parent = MPI_DATATYPE_NULL;
      int count = 0, position = 0, packed[2] = {}, values[3] = {self, 0, i};
      MPI_Type_contiguous(i, shared, &type);
      MPI_Type_set_name(shared, self == 0 ? "one" : "another");
      MPI_Type_commit(&type);
      MPI_Type_get_contents(type, 1, 0, 1, &count, nullptr, &parent);
      MPI_Pack(values, 1, parent, packed, sizeof packed, &position, MPI_COMM_SELF);
      ASSERT_TRUE(count == i && packed[0] == self && packed[1] == i);
      MPI_Type_free(&type);
      MPI_Type_free(&parent);
    }
  };
  std::thread other(work, 1);
  work(0);
  other.join();
}

TEST(DatatypeMatchSize, AllClasses) {
  ErrorsReturn errors_return;
  MPI_Datatype type = MPI_DATATYPE_NULL;
  const auto match = [&](int type_class, int size) { return MPI_Type_match_size(type_class, size, &type); };
  EXPECT_TRUE(match(MPI_TYPECLASS_REAL, 8) == MPI_SUCCESS && type == MPI_REAL8);
  EXPECT_TRUE(match(MPI_TYPECLASS_INTEGER, 2) == MPI_SUCCESS && type == MPI_INTEGER2);
  EXPECT_TRUE(match(MPI_TYPECLASS_COMPLEX, 16) == MPI_SUCCESS && type == MPI_COMPLEX16);
  EXPECT_TRUE(match(MPIX_TYPECLASS_LOGICAL, 1) == MPI_SUCCESS && type == MPI_LOGICAL1);
  EXPECT_EQ(match(MPI_TYPECLASS_REAL, 3), MPI_ERR_ARG);
  EXPECT_EQ(match(7, 8), MPI_ERR_ARG);
  EXPECT_EQ(match(MPI_TYPECLASS_REAL, 32), MPI_ERR_ARG);
}

TEST(DatatypeValueIndex, NamedPairsOrNothing) {
  MPI_Datatype pair = MPI_INT;
  ASSERT_EQ(MPI_Type_get_value_index(MPI_DOUBLE, MPI_INT, &pair), MPI_SUCCESS);
  EXPECT_EQ(pair, MPI_DOUBLE_INT);
  ASSERT_EQ(MPI_Type_get_value_index(MPI_INT, MPI_INT, &pair), MPI_SUCCESS);
  EXPECT_EQ(pair, MPI_2INT);
  ASSERT_EQ(MPI_Type_get_value_index(MPI_REAL, MPI_REAL, &pair), MPI_SUCCESS);
  EXPECT_EQ(pair, MPI_2REAL);
  ASSERT_EQ(MPI_Type_get_value_index(MPI_DOUBLE, MPI_DOUBLE, &pair), MPI_SUCCESS);
  EXPECT_EQ(pair, MPI_DATATYPE_NULL);
}

MPI_Count size_of(MPI_Datatype type) { return foldlane::testing::extents_of(type).size; }

TEST(DatatypeF90, SameHandleForTheSamePrecision) {
  MPI_Datatype first = MPI_DATATYPE_NULL, second = first, other = first;
  ASSERT_EQ(MPI_Type_create_f90_real(15, 300, &first), MPI_SUCCESS);
  std::thread([&] { MPI_Type_create_f90_real(15, 300, &second); }).join();
  ASSERT_EQ(MPI_Type_create_f90_real(14, 300, &other), MPI_SUCCESS);
  EXPECT_EQ(first, second);
  EXPECT_NE(first, other);
  int integers = 0, addresses = 0, types = 0, combiner = 0, numbers[2] = {};
  ASSERT_EQ(MPI_Type_get_envelope(first, &integers, &addresses, &types, &combiner), MPI_SUCCESS);
  EXPECT_TRUE(integers == 2 && addresses == 0 && types == 0 && combiner == MPI_COMBINER_F90_REAL);
  ASSERT_EQ(MPI_Type_get_contents(first, 2, 0, 0, numbers, nullptr, nullptr), MPI_SUCCESS);
  EXPECT_TRUE(numbers[0] == 15 && numbers[1] == 300);
}

TEST(DatatypeF90, SizesFollowThePrecision) {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  const auto real = [&](int p, int r) {
    EXPECT_EQ(MPI_Type_create_f90_real(p, r, &type), MPI_SUCCESS);
    return size_of(type);
  };
  EXPECT_EQ(real(6, 37), 4);
  EXPECT_EQ(real(7, MPI_UNDEFINED), 8);
  EXPECT_EQ(real(MPI_UNDEFINED, 38), 8);
  EXPECT_EQ(real(16, 10), 16);
  EXPECT_EQ(real(33, 4931), 16);
  ASSERT_EQ(MPI_Type_create_f90_complex(15, 307, &type), MPI_SUCCESS);
  EXPECT_EQ(size_of(type), 16);
  const int ranges[] = {2, 4, 9, 18, 38};
  for (int i = 0; i < 5; ++i) {
    ASSERT_EQ(MPI_Type_create_f90_integer(ranges[i], &type), MPI_SUCCESS);
    EXPECT_EQ(size_of(type), 1 << i);
  }
}

TEST(DatatypeF90, ReducesAndIsCommitted) {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  ASSERT_EQ(MPI_Type_create_f90_real(15, 307, &type), MPI_SUCCESS);
  double in = 1.5, out = 0;
  EXPECT_EQ(MPI_Allreduce(&in, &out, 1, type, MPI_SUM, MPI_COMM_WORLD), MPI_SUCCESS);
  EXPECT_EQ(out, 1.5);
  EXPECT_EQ(MPI_Bcast(&in, 1, type, 0, MPI_COMM_WORLD), MPI_SUCCESS);
}

TEST(DatatypeF90, WhatNoKindHolds) {
  ErrorsReturn errors_return;
  MPI_Datatype type = MPI_DATATYPE_NULL;
  EXPECT_EQ(MPI_Type_create_f90_real(34, 10, &type), MPI_ERR_ARG);
  EXPECT_EQ(MPI_Type_create_f90_real(6, 5000, &type), MPI_ERR_ARG);
  EXPECT_EQ(MPI_Type_create_f90_complex(MPI_UNDEFINED, MPI_UNDEFINED, &type), MPI_ERR_ARG);
  EXPECT_EQ(MPI_Type_create_f90_integer(39, &type), MPI_ERR_ARG);
  EXPECT_EQ(type, MPI_DATATYPE_NULL);
}

TEST(DatatypeF90, AsAParentItKeepsItsHandle) {
  MPI_Datatype real = MPI_DATATYPE_NULL, parent = MPI_DATATYPE_NULL;
  ASSERT_EQ(MPI_Type_create_f90_real(15, 307, &real), MPI_SUCCESS);
  OwnType type;
  ASSERT_EQ(MPI_Type_contiguous(2, real, type.out()), MPI_SUCCESS);
  int count = 0;
  ASSERT_EQ(MPI_Type_get_contents(type, 1, 0, 1, &count, nullptr, &parent), MPI_SUCCESS);
  EXPECT_EQ(parent, real);
}

}  // namespace
