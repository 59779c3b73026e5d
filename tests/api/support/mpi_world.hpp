// What every single-rank test of the MPI face needs: MPI initialized around all tests, errors returned.
#pragma once

#include <gtest/gtest.h>
#include <mpi.h>

#include <string>

namespace foldlane::testing {

/// Errors on both communicators return while an object of this class lives.
class ErrorsReturn {
 public:
  ErrorsReturn() { set(MPI_ERRORS_RETURN); }
  ~ErrorsReturn() { set(MPI_ERRORS_ARE_FATAL); }

 private:
  static void set(MPI_Errhandler handler) {
    MPI_Comm_set_errhandler(MPI_COMM_SELF, handler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
  }
};

inline std::string error_string(int code) {
  char text[MPI_MAX_ERROR_STRING];
  int length = -1;
  EXPECT_EQ(MPI_Error_string(code, text, &length), MPI_SUCCESS);
  EXPECT_EQ(std::string(text).size(), static_cast<std::size_t>(length));
  return text;
}

}  // namespace foldlane::testing
