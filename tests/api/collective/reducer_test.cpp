// Lengths above INT_MAX reach a function of the user in pieces that fit its int. The buffers are never
// touched, so that the test needs no gigabytes; this is why it looks at the library from inside.
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "api/core/calls.hpp"
#include "api/datatype/checks.hpp"
#include "api/errors/args.hpp"
#include "api/op/op.hpp"

namespace {

using namespace foldlane::api;

struct Piece {
  std::uintptr_t in, inout;
  long long length;
  bool operator==(const Piece& other) const {
    return in == other.in && inout == other.inout && length == other.length;
  }
};

std::vector<Piece> pieces;

std::uintptr_t address(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }

void record(void* in, void* inout, int* length, MPI_Datatype*) {
  pieces.push_back({address(in), address(inout), *length});
  *length = 0;  // what a function does to its arguments must not matter
}

void record_wide(void* in, void* inout, MPI_Count* length, MPI_Datatype*) {
  pieces.push_back({address(in), address(inout), *length});
}

constexpr std::uintptr_t kIn = 0x1000, kInout = 0x2000;
constexpr long long kMaxInt = std::numeric_limits<int>::max();

template <class Function>
std::vector<Piece> pieces_of(Function* function, MPI_Datatype datatype, std::size_t count) {
  pieces.clear();
  MPI_Op op = MPI_OP_NULL;
  EXPECT_EQ(op_create(Call{"MPI_Op_create"}, function, 1, &op), MPI_SUCCESS);
  const Reducer reducer(op, datatype, check_datatype(datatype));
  const foldlane::engine::UserFold& user = (*reducer).user;
  user.call(user.context, reinterpret_cast<void*>(kIn), reinterpret_cast<void*>(kInout), count);
  EXPECT_EQ(op_free(Call{"MPI_Op_free"}, &op), MPI_SUCCESS);
  return pieces;
}

class Pieces : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { ASSERT_EQ(init(Call{"MPI_Init"}, nullptr, nullptr), MPI_SUCCESS); }
  static void TearDownTestSuite() { ASSERT_EQ(finalize(Call{"MPI_Finalize"}), MPI_SUCCESS); }
};

TEST_F(Pieces, AsLargeAsAnIntHolds) {
  EXPECT_EQ(pieces_of(record, MPI_INT, kMaxInt), (std::vector<Piece>{{kIn, kInout, kMaxInt}}));
}

TEST_F(Pieces, TheRestFollowsWhereThePieceEnded) {
  EXPECT_EQ(pieces_of(record, MPI_DOUBLE_INT, 2 * kMaxInt + 5),
            (std::vector<Piece>{{kIn, kInout, kMaxInt},
                                {kIn + 16UL * kMaxInt, kInout + 16UL * kMaxInt, kMaxInt},
                                {kIn + 32UL * kMaxInt, kInout + 32UL * kMaxInt, 5}}));
}

TEST_F(Pieces, TheWideFormGetsAllAtOnce) {
  EXPECT_EQ(pieces_of(record_wide, MPI_INT, 2 * kMaxInt + 5),
            (std::vector<Piece>{{kIn, kInout, 2 * kMaxInt + 5}}));
}

}  // namespace
