// The names of communicators.
#include <thread>

#include "support/mpi_world.hpp"

namespace {

using foldlane::testing::error_string;
using foldlane::testing::ErrorsReturn;

std::string name_of(MPI_Comm comm) {
  char name[MPI_MAX_OBJECT_NAME];
  int length = -1;
  EXPECT_EQ(MPI_Comm_get_name(comm, name, &length), MPI_SUCCESS);
  EXPECT_EQ(std::string(name).size(), static_cast<std::size_t>(length));
  return name;
}

class CommName : public ::testing::Test {
 protected:
  ~CommName() override { MPI_Comm_set_name(MPI_COMM_WORLD, "MPI_COMM_WORLD"); }
  ErrorsReturn errors_return_;
};

TEST_F(CommName, IsThatOfTheConstantAtFirst) {
  EXPECT_EQ(name_of(MPI_COMM_WORLD), "MPI_COMM_WORLD");
  EXPECT_EQ(name_of(MPI_COMM_SELF), "MPI_COMM_SELF");
  EXPECT_EQ(name_of(MPI_COMM_NULL), "MPI_COMM_NULL");
}

TEST_F(CommName, IsCutToWhatFits) {
  const std::string longest(MPI_MAX_OBJECT_NAME - 1, 'x');
  EXPECT_EQ(MPI_Comm_set_name(MPI_COMM_WORLD, longest.c_str()), MPI_SUCCESS);
  EXPECT_EQ(name_of(MPI_COMM_WORLD), longest);
  EXPECT_EQ(MPI_Comm_set_name(MPI_COMM_WORLD, (longest + "yz").c_str()), MPI_SUCCESS);
  EXPECT_EQ(name_of(MPI_COMM_WORLD), longest);
  EXPECT_EQ(MPI_Comm_set_name(MPI_COMM_WORLD, ""), MPI_SUCCESS);
  EXPECT_EQ(name_of(MPI_COMM_WORLD), "");
}

TEST_F(CommName, StandsInErrorMessages) {
  EXPECT_EQ(MPI_Comm_set_name(MPI_COMM_WORLD, "ocean"), MPI_SUCCESS);
  EXPECT_EQ(MPI_Bcast(nullptr, -1, MPI_INT, 0, MPI_COMM_WORLD), MPI_ERR_COUNT);
  EXPECT_NE(error_string(MPI_ERR_COUNT).find("MPI_Bcast on ocean: count"), std::string::npos);
  EXPECT_EQ(MPI_Comm_set_name(MPI_COMM_WORLD, ""), MPI_SUCCESS);
  EXPECT_EQ(MPI_Bcast(nullptr, -1, MPI_INT, 0, MPI_COMM_WORLD), MPI_ERR_COUNT);
  EXPECT_NE(error_string(MPI_ERR_COUNT).find("MPI_Bcast on communicator 0x101 of 1 ranks: count"),
            std::string::npos);
}

TEST_F(CommName, WrongArguments) {
  char name[MPI_MAX_OBJECT_NAME];
  int length = 0;
  EXPECT_EQ(MPI_Comm_set_name(MPI_COMM_NULL, "x"), MPI_ERR_COMM);
  EXPECT_EQ(MPI_Comm_set_name(MPI_COMM_WORLD, nullptr), MPI_ERR_ARG);
  EXPECT_EQ(MPI_Comm_get_name(MPI_COMM_WORLD, nullptr, &length), MPI_ERR_ARG);
  EXPECT_EQ(MPI_Comm_get_name(MPI_COMM_WORLD, name, nullptr), MPI_ERR_ARG);
  EXPECT_EQ(MPI_Comm_get_name(reinterpret_cast<MPI_Comm>(std::uintptr_t{0x12345}), name, &length),
            MPI_ERR_COMM);
}

TEST_F(CommName, ThreadsSetAndReadAtOnce) {
  std::thread setter([] {
    for (int i = 0; i < 2000; ++i) MPI_Comm_set_name(MPI_COMM_WORLD, i % 2 == 0 ? "short" : "MPI_COMM_WORLD");
  });
  for (int i = 0; i < 2000; ++i) {
    const std::string name = name_of(MPI_COMM_WORLD);
    ASSERT_TRUE(name == "short" || name == "MPI_COMM_WORLD") << name;
  }
  setter.join();
}

}  // namespace
