// Error classes, codes and strings that the program adds and removes.
#include <string>
#include <thread>
#include <vector>

#include "support/mpi_world.hpp"

namespace {

using foldlane::testing::error_string;
using foldlane::testing::ErrorsReturn;

int add_class() {
  int error_class = -1;
  EXPECT_EQ(MPI_Add_error_class(&error_class), MPI_SUCCESS);
  return error_class;
}

int add_code(int error_class) {
  int code = -1;
  EXPECT_EQ(MPI_Add_error_code(error_class, &code), MPI_SUCCESS);
  return code;
}

int class_of(int code) {
  int error_class = -1;
  EXPECT_EQ(MPI_Error_class(code, &error_class), MPI_SUCCESS);
  return error_class;
}

class ErrorCodes : public ::testing::Test {
 protected:
  ErrorsReturn errors_return_;
};

TEST_F(ErrorCodes, CodesBelongToTheirClass) {
  const int error_class = add_class();
  const int code = add_code(error_class);
  const int predefined = add_code(MPI_ERR_TRUNCATE);
  EXPECT_GT(error_class, MPI_ERR_LASTCODE);
  EXPECT_GT(code, error_class);
  EXPECT_GT(predefined, code);
  EXPECT_EQ(class_of(error_class), error_class);
  EXPECT_EQ(class_of(code), error_class);
  EXPECT_EQ(class_of(predefined), MPI_ERR_TRUNCATE);
}

TEST_F(ErrorCodes, StringsAreExactlyWhatTheProgramSaid) {
  const int error_class = add_class();
  const int code = add_code(error_class);
  EXPECT_EQ(error_string(error_class), "");
  EXPECT_EQ(error_string(code), "");
  EXPECT_EQ(MPI_Add_error_string(error_class, "my class"), MPI_SUCCESS);
  EXPECT_EQ(MPI_Add_error_string(code, "my code"), MPI_SUCCESS);
  EXPECT_EQ(error_string(error_class), "my class");
  EXPECT_EQ(error_string(code), "my code");
  EXPECT_EQ(MPI_Add_error_string(code, "another"), MPI_SUCCESS);
  EXPECT_EQ(error_string(code), "another");
}

TEST_F(ErrorCodes, LongStringsAreCut) {
  const int code = add_class();
  EXPECT_EQ(MPI_Add_error_string(code, std::string(2000, 'x').c_str()), MPI_SUCCESS);
  EXPECT_EQ(error_string(code), std::string(MPI_MAX_ERROR_STRING - 1, 'x'));
}

TEST_F(ErrorCodes, AClassGoesLast) {
  const int error_class = add_class();
  const int code = add_code(error_class);
  EXPECT_EQ(MPI_Add_error_string(error_class, "class"), MPI_SUCCESS);
  EXPECT_EQ(MPI_Add_error_string(code, "code"), MPI_SUCCESS);
  EXPECT_EQ(MPI_Remove_error_class(error_class), MPI_ERR_ARG);
  EXPECT_NE(error_string(MPI_ERR_ARG).find("still belongs to the class"), std::string::npos);
  EXPECT_EQ(MPI_Remove_error_code(code), MPI_ERR_ARG);
  EXPECT_NE(error_string(MPI_ERR_ARG).find("still has a string"), std::string::npos);
  EXPECT_EQ(MPI_Remove_error_string(code), MPI_SUCCESS);
  EXPECT_EQ(error_string(code), "");
  EXPECT_EQ(MPI_Remove_error_code(code), MPI_SUCCESS);
  EXPECT_EQ(MPI_Remove_error_class(error_class), MPI_ERR_ARG);
  EXPECT_EQ(MPI_Remove_error_string(error_class), MPI_SUCCESS);
  EXPECT_EQ(MPI_Remove_error_class(error_class), MPI_SUCCESS);
  int value = -1;
  EXPECT_EQ(MPI_Error_class(code, &value), MPI_ERR_ARG);
  EXPECT_EQ(MPI_Error_class(error_class, &value), MPI_ERR_ARG);
}

TEST_F(ErrorCodes, OnlyCodesOfTheProgramAreRemoved) {
  for (int code : {MPI_SUCCESS, MPI_ERR_COUNT, MPI_ERR_LASTCODE, -1}) {
    EXPECT_EQ(MPI_Remove_error_class(code), MPI_ERR_ARG);
    EXPECT_EQ(MPI_Remove_error_code(code), MPI_ERR_ARG);
    EXPECT_EQ(MPI_Remove_error_string(code), MPI_ERR_ARG);
    EXPECT_EQ(MPI_Add_error_string(code, "mine"), MPI_ERR_ARG);
  }
  EXPECT_EQ(MPI_Remove_error_class(MPI_ERR_COUNT), MPI_ERR_ARG);
  EXPECT_NE(error_string(MPI_ERR_ARG).find("MPI_Remove_error_class: MPI_ERR_COUNT is predefined"),
            std::string::npos);
}

TEST_F(ErrorCodes, ClassesAndCodesAreNotMixedUp) {
  const int error_class = add_class();
  const int code = add_code(error_class);
  int value = -1;
  EXPECT_EQ(MPI_Add_error_code(code, &value), MPI_ERR_ARG);
  EXPECT_EQ(MPI_Add_error_code(MPI_ERR_LASTCODE, &value), MPI_ERR_ARG);
  EXPECT_EQ(MPI_Remove_error_class(code), MPI_ERR_ARG);
  EXPECT_EQ(MPI_Remove_error_code(error_class), MPI_ERR_ARG);
  EXPECT_EQ(MPI_Remove_error_string(code), MPI_ERR_ARG);
  EXPECT_EQ(value, -1);
}

TEST_F(ErrorCodes, ARemovedCodeDoesNotComeBack) {
  const int error_class = add_class();
  EXPECT_EQ(MPI_Remove_error_class(error_class), MPI_SUCCESS);
  EXPECT_GT(add_class(), error_class);
}

TEST_F(ErrorCodes, NullArguments) {
  const int error_class = add_class();
  EXPECT_EQ(MPI_Add_error_class(nullptr), MPI_ERR_ARG);
  EXPECT_EQ(MPI_Add_error_code(error_class, nullptr), MPI_ERR_ARG);
  EXPECT_EQ(MPI_Add_error_string(error_class, nullptr), MPI_ERR_ARG);
}

TEST_F(ErrorCodes, ThreadsAddDifferentCodes) {
  constexpr int kEach = 100;
  std::vector<int> one, other;
  const auto add_many = [](std::vector<int>& codes) {
    for (int i = 0; i < kEach; ++i) codes.push_back(add_code(MPI_ERR_IO));
  };
  std::thread thread([&] { add_many(one); });
  add_many(other);
  thread.join();
  for (int code : one) {
    EXPECT_EQ(class_of(code), MPI_ERR_IO);
    EXPECT_EQ(MPI_Remove_error_code(code), MPI_SUCCESS);
  }
  for (int code : other) EXPECT_EQ(MPI_Remove_error_code(code), MPI_SUCCESS);
}

}  // namespace
