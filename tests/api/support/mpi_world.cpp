// Registers MPI_Init and MPI_Finalize around all tests of the binary.
#include "support/mpi_world.hpp"

namespace {

class MpiWorld : public ::testing::Environment {
 public:
  void SetUp() override {
    // A child forked from this process would speak for its rank in the segment; a re-executed one is a job of
    // its own.
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    ASSERT_EQ(MPI_Init(nullptr, nullptr), MPI_SUCCESS);
  }
  void TearDown() override { ASSERT_EQ(MPI_Finalize(), MPI_SUCCESS); }
};

const auto* const world = ::testing::AddGlobalTestEnvironment(new MpiWorld);

}  // namespace
