// Operations of the user: operand order, lengths, the two forms of the function, and handles after their end.
#include <array>
#include <cstdint>
#include <vector>

#include "support/mpi_world.hpp"

namespace {

// Not commutative: shows the order of the operands.
void append_digit(void* in, void* inout, int* length, MPI_Datatype* datatype) {
  EXPECT_EQ(*datatype, MPI_INT);
  for (int i = 0; i < *length; ++i) {
    static_cast<int*>(inout)[i] += 10 * static_cast<int*>(in)[i];
  }
}

void append_digit_wide(void* in, void* inout, MPI_Count* length, MPI_Datatype* datatype) {
  int narrow = static_cast<int>(*length);
  append_digit(in, inout, &narrow, datatype);
}

class UserOp : public ::testing::Test {
 private:
  foldlane::testing::ErrorsReturn errors_return_;
};

TEST_F(UserOp, InComesFirst) {
  MPI_Op narrow = MPI_OP_NULL, wide = MPI_OP_NULL;
  ASSERT_EQ(MPI_Op_create(append_digit, 0, &narrow), MPI_SUCCESS);
  ASSERT_EQ(MPI_Op_create_c(append_digit_wide, 0, &wide), MPI_SUCCESS);
  for (MPI_Op op : {narrow, wide}) {
    const std::array<int, 3> in{1, 2, 3};
    std::array<int, 3> inout{4, 5, 6};
    ASSERT_EQ(MPI_Reduce_local(in.data(), inout.data(), 3, MPI_INT, op), MPI_SUCCESS);
    EXPECT_EQ(inout, (std::array<int, 3>{14, 25, 36}));
    ASSERT_EQ(MPI_Reduce_local_c(in.data(), inout.data(), 3, MPI_INT, op), MPI_SUCCESS);
    EXPECT_EQ(inout, (std::array<int, 3>{24, 45, 66}));
  }
  EXPECT_EQ(MPI_Op_free(&narrow), MPI_SUCCESS);
  EXPECT_EQ(MPI_Op_free(&wide), MPI_SUCCESS);
  EXPECT_EQ(narrow, MPI_OP_NULL);
}

TEST_F(UserOp, WorksOnDatatypesWithoutPredefinedOperations) {
  MPI_Op op = MPI_OP_NULL;
  const auto keep = [](void*, void*, int*, MPI_Datatype*) {};
  ASSERT_EQ(MPI_Op_create(keep, 1, &op), MPI_SUCCESS);
  for (MPI_Datatype datatype : {MPI_CHAR, MPI_WCHAR, MPI_CHARACTER, MPI_PACKED, MPI_BYTE, MPI_LOGICAL}) {
    const std::array<int, 2> in{};
    std::array<int, 2> inout{7, 7};
    EXPECT_EQ(MPI_Reduce_local(in.data(), inout.data(), 1, datatype, op), MPI_SUCCESS);
    EXPECT_EQ(inout[0], 7);
  }
  MPI_Op_free(&op);
}

TEST_F(UserOp, RemembersWhetherItCommutes) {
  for (int commute : {0, 1, 5}) {
    MPI_Op op = MPI_OP_NULL;
    int answer = -1;
    ASSERT_EQ(MPI_Op_create(append_digit, commute, &op), MPI_SUCCESS);
    EXPECT_EQ(MPI_Op_commutative(op, &answer), MPI_SUCCESS);
    EXPECT_EQ(answer, commute != 0 ? 1 : 0);
    MPI_Op_free(&op);
  }
}

TEST_F(UserOp, FreedHandleIsRejectedEvenWhenItsPlaceIsTakenAgain) {
  const int in = 1;
  int inout = 2, answer = -1;
  MPI_Op op = MPI_OP_NULL;
  ASSERT_EQ(MPI_Op_create(append_digit, 0, &op), MPI_SUCCESS);
  const MPI_Op stale = op;
  ASSERT_EQ(MPI_Op_free(&op), MPI_SUCCESS);
  ASSERT_EQ(MPI_Op_create(append_digit, 0, &op), MPI_SUCCESS);
  EXPECT_EQ(MPI_Reduce_local(&in, &inout, 1, MPI_INT, stale), MPI_ERR_OP);
  EXPECT_EQ(MPI_Op_commutative(stale, &answer), MPI_ERR_OP);
  MPI_Op again = stale;
  EXPECT_EQ(MPI_Op_free(&again), MPI_ERR_OP);
  EXPECT_EQ(MPI_Reduce_local(&in, &inout, 1, MPI_INT, op), MPI_SUCCESS);
  EXPECT_EQ(inout, 12);
  MPI_Op_free(&op);
}

TEST_F(UserOp, HandlesLieBetweenThePredefinedOnesAndTheLargestInt) {
  std::vector<MPI_Op> ops(5000);
  for (MPI_Op& op : ops) {
    ASSERT_EQ(MPI_Op_create(append_digit, 0, &op), MPI_SUCCESS);
    EXPECT_GE(MPI_Op_toint(op), 0x1000);
    EXPECT_EQ(MPI_Op_fromint(MPI_Op_toint(op)), op);
  }
  for (MPI_Op& op : ops) ASSERT_EQ(MPI_Op_free(&op), MPI_SUCCESS);
}

TEST_F(UserOp, WrongArguments) {
  MPI_Op op = MPI_OP_NULL;
  EXPECT_EQ(MPI_Op_create(nullptr, 0, &op), MPI_ERR_ARG);
  EXPECT_EQ(MPI_Op_create(append_digit, 0, nullptr), MPI_ERR_ARG);
  EXPECT_EQ(MPI_Op_free(&op), MPI_ERR_OP);
  op = MPI_SUM;
  EXPECT_EQ(MPI_Op_free(&op), MPI_ERR_OP);
  EXPECT_EQ(op, MPI_SUM);
}

}  // namespace
