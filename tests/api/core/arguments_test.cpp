// Wrong arguments of the collectives: each gives its error class, and the result buffer is left alone.
#include <array>
#include <cstdint>
#include <limits>

#include "support/mpi_world.hpp"

namespace {

constexpr MPI_Count kHuge = std::numeric_limits<MPI_Count>::max();

class Arguments : public ::testing::Test {
 protected:
  void* in() { return in_.data(); }
  void* out() { return out_.data(); }
  static MPI_Comm stale_comm() { return reinterpret_cast<MPI_Comm>(std::uintptr_t{0x12345}); }

  void TearDown() override { EXPECT_EQ(out_, untouched_) << "a rejected call wrote its result"; }

 private:
  foldlane::testing::ErrorsReturn errors_return_;
  std::array<int, 8> in_{1, 2, 3, 4, 5, 6, 7, 8};
  const std::array<int, 8> untouched_{11, 12, 13, 14, 15, 16, 17, 18};
  std::array<int, 8> out_ = untouched_;
};

}  // namespace

TEST_F(Arguments, Communicator) {
  for (MPI_Comm comm : {MPI_COMM_NULL, static_cast<MPI_Comm>(nullptr), stale_comm()}) {
    int value = -1;
    const int counts[] = {1};
    EXPECT_EQ(MPI_Comm_rank(comm, &value), MPI_ERR_COMM);
    EXPECT_EQ(MPI_Comm_size(comm, &value), MPI_ERR_COMM);
    EXPECT_EQ(MPI_Barrier(comm), MPI_ERR_COMM);
    EXPECT_EQ(MPI_Bcast(out(), 1, MPI_INT, 0, comm), MPI_ERR_COMM);
    EXPECT_EQ(MPI_Reduce(in(), out(), 1, MPI_INT, MPI_SUM, 0, comm), MPI_ERR_COMM);
    EXPECT_EQ(MPI_Allreduce(in(), out(), 1, MPI_INT, MPI_SUM, comm), MPI_ERR_COMM);
    EXPECT_EQ(MPI_Reduce_scatter(in(), out(), counts, MPI_INT, MPI_SUM, comm), MPI_ERR_COMM);
    EXPECT_EQ(MPI_Reduce_scatter_block(in(), out(), 1, MPI_INT, MPI_SUM, comm), MPI_ERR_COMM);
    MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
    EXPECT_EQ(MPI_Comm_get_errhandler(comm, &handler), MPI_ERR_COMM);
    EXPECT_EQ(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN), MPI_ERR_COMM);
  }
}

TEST_F(Arguments, Count) {
  const int counts[] = {-1};
  const MPI_Count wide_counts[] = {-1}, huge_counts[] = {kHuge};
  EXPECT_EQ(MPI_Bcast(out(), -1, MPI_INT, 0, MPI_COMM_WORLD), MPI_ERR_COUNT);
  EXPECT_EQ(MPI_Reduce(in(), out(), -1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD), MPI_ERR_COUNT);
  EXPECT_EQ(MPI_Allreduce(in(), out(), -1, MPI_INT, MPI_SUM, MPI_COMM_WORLD), MPI_ERR_COUNT);
  EXPECT_EQ(MPI_Reduce_local(in(), out(), -1, MPI_INT, MPI_SUM), MPI_ERR_COUNT);
  EXPECT_EQ(MPI_Reduce_scatter(in(), out(), counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD), MPI_ERR_COUNT);
  EXPECT_EQ(MPI_Reduce_scatter_c(in(), out(), wide_counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD), MPI_ERR_COUNT);
  EXPECT_EQ(MPI_Reduce_scatter_block(in(), out(), -1, MPI_INT, MPI_SUM, MPI_COMM_WORLD), MPI_ERR_COUNT);
  EXPECT_EQ(MPI_Bcast_c(out(), kHuge, MPI_INT, 0, MPI_COMM_WORLD), MPI_ERR_COUNT);
  EXPECT_EQ(MPI_Reduce_c(in(), out(), kHuge, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD), MPI_ERR_COUNT);
  EXPECT_EQ(MPI_Allreduce_c(in(), out(), kHuge / 4 + 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD), MPI_ERR_COUNT);
  EXPECT_EQ(MPI_Reduce_local_c(in(), out(), kHuge, MPI_INT, MPI_SUM), MPI_ERR_COUNT);
  EXPECT_EQ(MPI_Reduce_scatter_c(in(), out(), huge_counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD), MPI_ERR_COUNT);
  EXPECT_EQ(MPI_Reduce_scatter_block_c(in(), out(), kHuge, MPI_INT, MPI_SUM, MPI_COMM_WORLD), MPI_ERR_COUNT);
}

TEST_F(Arguments, Datatype) {
  const int counts[] = {1};
  for (MPI_Datatype type : {MPI_DATATYPE_NULL, reinterpret_cast<MPI_Datatype>(std::uintptr_t{0x12345})}) {
    EXPECT_EQ(MPI_Bcast(out(), 1, type, 0, MPI_COMM_WORLD), MPI_ERR_TYPE);
    EXPECT_EQ(MPI_Reduce(in(), out(), 1, type, MPI_SUM, 0, MPI_COMM_WORLD), MPI_ERR_TYPE);
    EXPECT_EQ(MPI_Allreduce(in(), out(), 1, type, MPI_SUM, MPI_COMM_WORLD), MPI_ERR_TYPE);
    EXPECT_EQ(MPI_Reduce_local(in(), out(), 1, type, MPI_SUM), MPI_ERR_TYPE);
    EXPECT_EQ(MPI_Reduce_scatter(in(), out(), counts, type, MPI_SUM, MPI_COMM_WORLD), MPI_ERR_TYPE);
    EXPECT_EQ(MPI_Reduce_scatter_block(in(), out(), 1, type, MPI_SUM, MPI_COMM_WORLD), MPI_ERR_TYPE);
  }
}

TEST_F(Arguments, Operation) {
  const int counts[] = {1};
  for (MPI_Op op : {MPI_OP_NULL, MPI_REPLACE, MPI_NO_OP, MPI_MINLOC}) {
    EXPECT_EQ(MPI_Reduce(in(), out(), 1, MPI_INT, op, 0, MPI_COMM_WORLD), MPI_ERR_OP);
    EXPECT_EQ(MPI_Allreduce(in(), out(), 1, MPI_INT, op, MPI_COMM_WORLD), MPI_ERR_OP);
    EXPECT_EQ(MPI_Reduce_local(in(), out(), 1, MPI_INT, op), MPI_ERR_OP);
    EXPECT_EQ(MPI_Reduce_scatter(in(), out(), counts, MPI_INT, op, MPI_COMM_WORLD), MPI_ERR_OP);
    EXPECT_EQ(MPI_Reduce_scatter_block(in(), out(), 1, MPI_INT, op, MPI_COMM_WORLD), MPI_ERR_OP);
  }
}

TEST_F(Arguments, Root) {
  for (int root : {-1, 1, MPI_ROOT, MPI_PROC_NULL, std::numeric_limits<int>::max()}) {
    EXPECT_EQ(MPI_Bcast(out(), 1, MPI_INT, root, MPI_COMM_WORLD), MPI_ERR_ROOT);
    EXPECT_EQ(MPI_Reduce(in(), out(), 1, MPI_INT, MPI_SUM, root, MPI_COMM_WORLD), MPI_ERR_ROOT);
  }
}

TEST_F(Arguments, NoMemory) {
  const int counts[] = {1};
  for (void* none : {static_cast<void*>(nullptr), MPI_BUFFER_AUTOMATIC}) {
    EXPECT_EQ(MPI_Bcast(none, 1, MPI_INT, 0, MPI_COMM_WORLD), MPI_ERR_BUFFER);
    EXPECT_EQ(MPI_Reduce(none, out(), 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD), MPI_ERR_BUFFER);
    EXPECT_EQ(MPI_Reduce(in(), none, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD), MPI_ERR_BUFFER);
    EXPECT_EQ(MPI_Reduce(MPI_IN_PLACE, none, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD), MPI_ERR_BUFFER);
    EXPECT_EQ(MPI_Allreduce(none, out(), 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD), MPI_ERR_BUFFER);
    EXPECT_EQ(MPI_Allreduce(in(), none, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD), MPI_ERR_BUFFER);
    EXPECT_EQ(MPI_Allreduce(MPI_IN_PLACE, none, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD), MPI_ERR_BUFFER);
    EXPECT_EQ(MPI_Reduce_local(none, out(), 1, MPI_INT, MPI_SUM), MPI_ERR_BUFFER);
    EXPECT_EQ(MPI_Reduce_local(in(), none, 1, MPI_INT, MPI_SUM), MPI_ERR_BUFFER);
    EXPECT_EQ(MPI_Reduce_scatter(none, out(), counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD), MPI_ERR_BUFFER);
    EXPECT_EQ(MPI_Reduce_scatter(in(), none, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD), MPI_ERR_BUFFER);
    EXPECT_EQ(MPI_Reduce_scatter_block(none, out(), 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD), MPI_ERR_BUFFER);
    EXPECT_EQ(MPI_Reduce_scatter_block(in(), none, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD), MPI_ERR_BUFFER);
  }
}

TEST_F(Arguments, InPlaceWhereItIsNotAllowed) {
  const int counts[] = {1};
  EXPECT_EQ(MPI_Bcast(MPI_IN_PLACE, 1, MPI_INT, 0, MPI_COMM_WORLD), MPI_ERR_BUFFER);
  EXPECT_EQ(MPI_Bcast(MPI_IN_PLACE, 0, MPI_INT, 0, MPI_COMM_WORLD), MPI_ERR_BUFFER);
  EXPECT_EQ(MPI_Reduce(in(), MPI_IN_PLACE, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD), MPI_ERR_BUFFER);
  EXPECT_EQ(MPI_Allreduce(in(), MPI_IN_PLACE, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD), MPI_ERR_BUFFER);
  EXPECT_EQ(MPI_Allreduce(MPI_IN_PLACE, MPI_IN_PLACE, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD), MPI_ERR_BUFFER);
  EXPECT_EQ(MPI_Reduce_local(MPI_IN_PLACE, out(), 1, MPI_INT, MPI_SUM), MPI_ERR_BUFFER);
  EXPECT_EQ(MPI_Reduce_local(in(), MPI_IN_PLACE, 1, MPI_INT, MPI_SUM), MPI_ERR_BUFFER);
  EXPECT_EQ(MPI_Reduce_scatter(in(), MPI_IN_PLACE, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD), MPI_ERR_BUFFER);
  EXPECT_EQ(MPI_Reduce_scatter_block(in(), MPI_IN_PLACE, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD),
            MPI_ERR_BUFFER);
}

TEST_F(Arguments, OverlappingBuffers) {
  int* const data = static_cast<int*>(out());
  const int counts[] = {2};
  for (int* other : {data, data + 1}) {
    EXPECT_EQ(MPI_Reduce(other, data, 2, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD), MPI_ERR_BUFFER);
    EXPECT_EQ(MPI_Allreduce(other, data, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD), MPI_ERR_BUFFER);
    EXPECT_EQ(MPI_Allreduce(data, other, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD), MPI_ERR_BUFFER);
    EXPECT_EQ(MPI_Reduce_local(other, data, 2, MPI_INT, MPI_SUM), MPI_ERR_BUFFER);
    EXPECT_EQ(MPI_Reduce_local(data, other, 2, MPI_INT, MPI_SUM), MPI_ERR_BUFFER);
    EXPECT_EQ(MPI_Reduce_scatter(other, data, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD), MPI_ERR_BUFFER);
    EXPECT_EQ(MPI_Reduce_scatter_block(other, data, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD), MPI_ERR_BUFFER);
  }
}

TEST_F(Arguments, NullCounts) {
  const int* const none = nullptr;
  EXPECT_EQ(MPI_Reduce_scatter(in(), out(), none, MPI_INT, MPI_SUM, MPI_COMM_WORLD), MPI_ERR_ARG);
}

TEST_F(Arguments, NothingToReduceNeedsNoMemory) {
  const int counts[] = {0};
  for (void* any : {static_cast<void*>(nullptr), out()}) {
    EXPECT_EQ(MPI_Bcast(any, 0, MPI_INT, 0, MPI_COMM_WORLD), MPI_SUCCESS);
    EXPECT_EQ(MPI_Reduce(any, any, 0, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD), MPI_SUCCESS);
    EXPECT_EQ(MPI_Allreduce(any, any, 0, MPI_INT, MPI_SUM, MPI_COMM_WORLD), MPI_SUCCESS);
    EXPECT_EQ(MPI_Allreduce(MPI_IN_PLACE, any, 0, MPI_INT, MPI_SUM, MPI_COMM_WORLD), MPI_SUCCESS);
    EXPECT_EQ(MPI_Reduce_local(any, any, 0, MPI_INT, MPI_SUM), MPI_SUCCESS);
    EXPECT_EQ(MPI_Reduce_scatter(any, any, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD), MPI_SUCCESS);
    EXPECT_EQ(MPI_Reduce_scatter_block(any, any, 0, MPI_INT, MPI_SUM, MPI_COMM_WORLD), MPI_SUCCESS);
  }
}

TEST_F(Arguments, NeighboursMayTouch) {
  std::array<int, 4> data{1, 2, 3, 4};
  EXPECT_EQ(MPI_Allreduce(data.data(), data.data() + 2, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD), MPI_SUCCESS);
  EXPECT_EQ(data, (std::array<int, 4>{1, 2, 1, 2}));
  EXPECT_EQ(MPI_Allreduce(data.data() + 2, data.data(), 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD), MPI_SUCCESS);
}

TEST_F(Arguments, NullResults) {
  EXPECT_EQ(MPI_Comm_rank(MPI_COMM_WORLD, nullptr), MPI_ERR_ARG);
  EXPECT_EQ(MPI_Type_size(MPI_INT, nullptr), MPI_ERR_ARG);
  EXPECT_EQ(MPI_Op_free(nullptr), MPI_ERR_ARG);
  EXPECT_EQ(MPI_Initialized(nullptr), MPI_ERR_ARG);
  EXPECT_EQ(MPI_Alloc_mem(8, MPI_INFO_NULL, nullptr), MPI_ERR_ARG);
}

TEST_F(Arguments, MessageSaysWhatWasGivenAndWhatIsAllowed) {
  EXPECT_EQ(MPI_Allreduce(in(), out(), -3, MPI_INT, MPI_SUM, MPI_COMM_WORLD), MPI_ERR_COUNT);
  EXPECT_EQ(
      foldlane::testing::error_string(MPI_ERR_COUNT),
      "MPI_ERR_COUNT: invalid count (last: MPI_Allreduce on MPI_COMM_WORLD: count is -3; counts must not be "
      "negative)");
}

TEST(Memory, AllocatedMemoryIsUsableAndFreedOnce) {
  foldlane::testing::ErrorsReturn errors_return;
  double* data = nullptr;
  ASSERT_EQ(MPI_Alloc_mem(1000 * sizeof(double), MPI_INFO_NULL, &data), MPI_SUCCESS);
  ASSERT_NE(data, nullptr);
  data[0] = 1.5;
  data[999] = 2.5;
  ASSERT_EQ(MPI_Allreduce(MPI_IN_PLACE, data, 1000, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD), MPI_SUCCESS);
  EXPECT_EQ(data[0] + data[999], 4.0);
  EXPECT_EQ(MPI_Free_mem(data + 1), MPI_ERR_BASE);
  EXPECT_EQ(MPI_Free_mem(data), MPI_SUCCESS);
  EXPECT_EQ(MPI_Free_mem(data), MPI_ERR_BASE);
}

TEST(Memory, WrongArguments) {
  foldlane::testing::ErrorsReturn errors_return;
  void* data = nullptr;
  EXPECT_EQ(MPI_Alloc_mem(-1, MPI_INFO_NULL, &data), MPI_ERR_ARG);
  EXPECT_EQ(MPI_Alloc_mem(MPI_Aint{1} << 60, MPI_INFO_NULL, &data), MPI_ERR_NO_MEM);
  EXPECT_EQ(MPI_Alloc_mem(8, reinterpret_cast<MPI_Info>(std::uintptr_t{0x5000}), &data), MPI_ERR_INFO);
  EXPECT_EQ(data, nullptr);
}
