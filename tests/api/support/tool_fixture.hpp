// The tool interface initialized around each test.
#pragma once

#include <cstdint>

#include "support/mpi_world.hpp"

namespace foldlane::testing {

template <class T>
T handle_of(std::uintptr_t value) {
  return reinterpret_cast<T>(value);
}

// No ErrorsReturn: errors of these calls return although the handlers are fatal.
class Tool : public ::testing::Test {
 protected:
  void SetUp() override {
    int provided = -1;
    ASSERT_EQ(MPI_T_init_thread(MPI_THREAD_MULTIPLE, &provided), MPI_SUCCESS);
    EXPECT_EQ(provided, MPI_THREAD_MULTIPLE);
  }
  void TearDown() override { EXPECT_EQ(MPI_T_finalize(), MPI_SUCCESS); }

  static int cvar(const char* name) {
    int index = -1;
    EXPECT_EQ(MPI_T_cvar_get_index(name, &index), MPI_SUCCESS) << name;
    return index;
  }
  static int pvar(const char* name, int var_class) {
    int index = -1;
    EXPECT_EQ(MPI_T_pvar_get_index(name, var_class, &index), MPI_SUCCESS) << name;
    return index;
  }
};

}  // namespace foldlane::testing
